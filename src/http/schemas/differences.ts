import { z } from "zod";
import { LIFECYCLE_EVENTS } from "../../core/script/dictionary.ts";
import { JsonValue, Path } from "./parts.ts";

/** A hook that runs. */
export const FiringHook = z.object({
  id: z.string(),
  title: z.string(),
  event: z.enum(LIFECYCLE_EVENTS),
  optional: z.boolean(),
});

/** Where an upgrade leads. */
export const Move = z.object({
  from: z.string().optional().meta({ description: "Of the host's package, of a custom app of its metadata" }),
  to: z.string(),
});

/** The changes an update or upgrade makes, secrets masked. */
export const Differences = z.object({
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
    .optional()
    .meta({ description: "Values of the live configuration that would be others" }),
  answerDifferences: z
    .array(
      z.object({
        key: z.string(),
        question: z.string(),
        kind: z.enum(["added", "changed", "removed"]),
        before: JsonValue.optional(),
        after: JsonValue.optional(),
      }),
    )
    .readonly()
    .optional()
    .meta({ description: "Answers that would be others than the stored ones; passwords without their values" }),
});
