import { z } from "zod";
import { SURFACES } from "../../core/script/dictionary.ts";
import { HOOK_KINDS } from "../../core/script/script-words.ts";
import { AppId } from "../../engine/requests.ts";
import { Id } from "./parts.ts";

/** Path of an action. */
export const ActionParams = z.object({ appId: AppId, hookId: Id.meta({ description: "Hook id" }) });

/** Which actions to list. */
export const ActionsQuery = z.object({
  surface: z.enum(SURFACES).optional().meta({ description: "Where the actions are shown; `card` by default" }),
  file: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .meta({ description: "Selected host path; may be repeated" }),
});

/** An action as a button. */
export const ActionEntry = z
  .object({
    hookId: z.string(),
    title: z.string(),
    description: z.string().optional(),
    kind: z.enum(HOOK_KINDS).optional(),
    state: z.enum(["enabled", "disabled"]),
    reason: z.string().optional(),
  })
  .meta({ id: "Action" });

/** Body of `GET apps/{appId}/actions`. */
export const Actions = z.object({ actions: z.array(ActionEntry).readonly() }).meta({ id: "Actions" });
