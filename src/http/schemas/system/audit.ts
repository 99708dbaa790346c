import { z } from "zod";
import { Actor } from "../../../engine/audit/actor.ts";
import { AUDIT_METHODS } from "../../../engine/audit/methods.ts";
import { AppId } from "../../../engine/requests.ts";
import { AppName, Id, Limit, Sequence } from "../parts.ts";

/** Which part of the audit list to read. A parameter that is unknown is refused. */
export const AuditQuery = z.strictObject({
  app: AppId.optional(),
  task: Id.optional().meta({ description: "Only what was done about this task" }),
  actor: Id.optional().meta({ description: "Only what the actor of this id did" }),
  before: Sequence.optional().meta({ description: "Number of an entry: only older ones are listed, see `next`" }),
  limit: Limit.meta({ description: "Most entries to list; 100 by default" }),
});

const AuditEntry = z
  .object({
    number: z.number().int(),
    at: z.string(),
    actor: Actor,
    method: z.enum(AUDIT_METHODS),
    appId: z.string().optional(),
    appName: AppName,
    taskId: z.string().optional().meta({ description: "The task it started, or that it was about" }),
    refused: z.string().optional().meta({ description: "The code it was refused with; absent where it was done" }),
  })
  .meta({ id: "AuditEntry" });

/** Body of `GET audit`. */
export const AuditPage = z
  .object({
    entries: z.array(AuditEntry).readonly(),
    next: z.number().int().optional().meta({ description: "`before` of the next page; absent on the last one" }),
  })
  .meta({ id: "AuditPage" });
