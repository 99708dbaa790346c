import { z } from "zod";
import { TASK_STATES } from "../../core/task-states.ts";
import { Path } from "./parts.ts";
import { ProblemShape } from "./problems.ts";

/** RFC 9457 with our `code`; the members after `hint` are the facts of one code or another. */
export const ProblemDetailsShape = z
  .looseObject({
    type: z.string(),
    title: z.string(),
    status: z.number().int(),
    detail: z.string(),
    code: z.string(),
    hint: z.string(),
    errors: z
      .array(z.object({ path: Path, message: z.string() }))
      .readonly()
      .optional()
      .meta({ description: "Where a request has another shape than it may have: 20 places, and how many more" }),
    problems: z.array(ProblemShape).readonly().optional(),
    taskId: z.string().optional(),
    state: z.enum(TASK_STATES).optional().meta({ description: "Of the task that refuses" }),
    revision: z.number().int().min(0).optional().meta({ description: "Of the question the task asks now" }),
    checkpoint: z.string().optional().meta({ description: "Of the question the task asks now" }),
    appId: z.string().optional(),
    paths: z.array(z.string()).readonly().optional().meta({ description: "What was not agreed to" }),
    hookId: z.string().optional(),
    widgetId: z.string().optional(),
    key: z.string().optional(),
    reason: z.string().optional(),
    file: z.string().optional().meta({ description: "Relative to the catalog" }),
    installed: z.string().optional().meta({ description: "Version of the installed app, or of its script" }),
    version: z.string().optional().meta({ description: "Version asked for, or of the catalog's script" }),
    versions: z.array(z.string()).readonly().optional().meta({ description: "Those there are, the newest first" }),
    cron: z.string().optional().meta({ description: "The expression that can't be read" }),
    position: z.number().int().optional().meta({ description: "The first of its characters at fault, from 0" }),
    retryAfter: z.number().optional().meta({ description: "Seconds" }),
  })
  .meta({ id: "ProblemDetails" });
