import { z } from "zod";
import { TASK_STATES } from "../../core/task-states.ts";
import { AppId, TaskFilter } from "../../engine/requests.ts";
import { Epoch, Id, Limit, Seq } from "./parts.ts";
import { TaskResult } from "./task-results.ts";
import { Failure, WaitingFor } from "./waiting.ts";

/** Path of one task. */
export const TaskParams = z.object({ id: Id.meta({ description: "Task id" }) });

/** Which tasks to list. A parameter that is unknown is refused: a filter that is not one would list everything. */
export const TasksQuery = z.strictObject({
  app: AppId.optional(),
  unfinished: z
    .enum(["true", "false"])
    .optional()
    .meta({ description: "Only tasks in no final state; `false`: only tasks in one" }),
  state: z
    .union([z.enum(TASK_STATES), z.array(z.enum(TASK_STATES))])
    .optional()
    .meta({ description: "Only root tasks in this state; may be repeated" }),
  since: TaskFilter.shape.since.unwrap().optional().meta({
    description: "Only root tasks whose `updated` is this moment or later",
    example: "2026-01-31T12:00:00Z",
  }),
  before: Id.optional().meta({ description: "Id of a root task: only older ones are listed, see `next`" }),
  limit: Limit.meta({ description: "Most tasks to list; 100 by default" }),
});

/** A task with all below it. Times are ISO 8601 UTC. */
export const Task = z
  .object({
    id: z.string(),
    kind: z.enum(["install", "upgrade", "update", "hook", "link"]),
    appId: z.string(),
    hookId: z.string().optional(),
    label: z.string(),
    group: z.string().optional().meta({ description: '"App customizations" for links and the installs they need' }),
    state: z.enum(TASK_STATES),
    parent: z.string().optional(),
    get children() {
      return z.array(Task).readonly();
    },
    checkpoints: z
      .array(
        z.object({
          id: z.string(),
          message: z.string(),
          state: z.enum(["REGISTERED", "COMPLETED", "SKIPPED", "FAILED"]),
        }),
      )
      .readonly(),
    progress: z.number().min(0).max(100),
    waitingFor: WaitingFor.optional(),
    failure: Failure.optional(),
    revision: z.number().int().min(0).meta({
      description:
        "Number of the question put to a person: what a retry or skip names. 0 while the task is quarantined",
    }),
    marks: z.array(z.string()).readonly(),
    result: TaskResult.optional(),
    created: z.string(),
    updated: z.string(),
  })
  .meta({ id: "Task" });

/** Body of `GET tasks`: root tasks, newest first. */
export const Tasks = z
  .object({
    tasks: z.array(Task).readonly(),
    next: z.string().optional().meta({ description: "`before` of the next page; absent on the last one" }),
    seq: Seq.meta({ description: "What `GET events?from=` goes on from: nothing is missed, nothing comes twice" }),
    epoch: Epoch,
  })
  .meta({ id: "Tasks" });

/** Which lines of a log to read. */
export const LogQuery = z.strictObject({
  limit: Limit.meta({ description: "Most lines to read, the newest; all that are kept by default" }),
});

/** Body of `GET tasks/{id}/log`. */
export const Log = z
  .object({ lines: z.array(z.object({ at: z.string(), line: z.string() })).readonly() })
  .meta({ id: "Log" });
