import { z } from "zod";
import { LIFECYCLE_EVENTS } from "../../core/script/dictionary.ts";
import { FiringLink } from "./forms.ts";
import { LastKnown } from "./last-known.ts";
import { JsonMembers, JsonValue, Path } from "./parts.ts";
import { ProblemShape } from "./problems.ts";

const PreviewedApp = z
  .object({
    appId: z.string(),
    appValues: JsonMembers,
    directories: z.array(JsonMembers).readonly(),
    hooks: z
      .array(
        z.object({
          id: z.string(),
          title: z.string(),
          event: z.enum(LIFECYCLE_EVENTS),
          optional: z.boolean(),
          consent: z.boolean().optional(),
          closedBy: z.array(z.string()).readonly().optional(),
          fires: z.boolean(),
        }),
      )
      .readonly(),
    requirements: JsonMembers,
  })
  .meta({ id: "PreviewedApp" });

export const Preview = z
  .object({
    ...PreviewedApp.shape,
    links: z.array(FiringLink).readonly(),
    installs: z.array(PreviewedApp).readonly(),
    marks: z.array(z.string()).readonly(),
    problems: z.array(ProblemShape).readonly(),
    lastKnown: LastKnown.optional(),
    differences: z
      .array(
        z.object({
          path: Path,
          kind: z.enum(["added", "changed"]),
          before: JsonValue.optional(),
          after: JsonValue,
        }),
      )
      .readonly()
      .optional(),
  })
  .meta({ id: "Preview" });
