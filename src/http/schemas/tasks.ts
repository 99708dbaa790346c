import { z } from "zod";
import { COMMANDS } from "../../core/task/commands.ts";
import { STEP_STATES } from "../../core/task/steps.ts";
import { TASK_EVENT_TYPES } from "../../core/task/task-event-types.ts";
import { TASK_KINDS } from "../../core/task/task-facts.ts";
import { TASK_STATES } from "../../core/task-states.ts";
import { Actor } from "../../engine/audit/actor.ts";
import { AppId, TaskFilter } from "../../engine/requests.ts";
import { AppName, Epoch, Id, Limit, Seq, Sequence } from "./parts.ts";
import { TaskResult } from "./task-results.ts";
import { Failure, WaitingFor } from "./waiting.ts";

/** Path of one task. */
export const TaskParams = z.object({ id: Id.meta({ description: "Task id" }) });

/** Which tasks to list. A parameter that is unknown is refused: a filter that is not one would list everything. */
export const TasksQuery = z.strictObject({
  app: AppId.optional(),
  search: TaskFilter.shape.search
    .unwrap()
    .optional()
    .meta({ description: "Words that all stand in the app's id or the title; case counts beyond A to Z" }),
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

const Step = z
  .object({
    id: z.string(),
    title: z.string(),
    state: z.enum(STEP_STATES).meta({ description: "`stopped`: the task failed or was given up in it" }),
    began: z.string().optional(),
    ended: z.string().optional(),
  })
  .meta({ id: "TaskStep", description: "Times are of the last attempt; a step without any had nothing to wait for" });

const Remark = z
  .object({
    code: z.string(),
    params: z.record(z.string(), z.string()).readonly(),
    text: z.string().meta({ description: "A sentence for people, in English" }),
  })
  .meta({ id: "Remark" });

/** A task with all below it. Times are ISO 8601 UTC. */
export const Task = z
  .object({
    id: z.string(),
    kind: z.enum(TASK_KINDS),
    appId: z.string().meta({ description: "Empty where it is about no single app: upgrades of several" }),
    appName: AppName,
    hookId: z.string().optional(),
    label: z.string().meta({ description: "Its name, while a hook is at work what that does" }),
    title: z.string().meta({ description: "Its name, whatever it does" }),
    doing: z.string().optional().meta({ description: "What it does now; absent where it is at rest" }),
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
          failure: z
            .object({ code: z.string(), message: z.string() })
            .optional()
            .meta({ description: "Why its hook waits at it for a person; the hook's own `failure` has the context" }),
          created: z.string(),
          updated: z.string(),
        }),
      )
      .readonly(),
    steps: z
      .array(Step)
      .readonly()
      .meta({ description: "Of a lifecycle, in order; those of a hook are its checkpoints" }),
    commands: z.array(z.enum(COMMANDS)).readonly().meta({
      description:
        "What this very task takes from a person now; a retry of a part of a plan at work is refused all the same",
    }),
    progress: z.number().min(0).max(100),
    waitingFor: WaitingFor.optional(),
    failure: Failure.optional(),
    revision: z.number().int().min(0).meta({
      description:
        "Number of the question put to a person: what a retry or skip names. 0 while the task is quarantined",
    }),
    marks: z.array(z.string()).readonly(),
    remarks: z.array(Remark).readonly().meta({ description: "The marks in the same order, taken apart and explained" }),
    result: TaskResult.optional(),
    startedBy: Actor.optional().meta({ description: "Whoever asked for it; absent of the parts of another task" }),
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

/** Body of `GET tasks/{id}/trace`. */
export const Trace = z
  .object({
    machine: z.string().meta({ description: "As `slipway diagram` draws it" }),
    version: z.number().int(),
    active: z
      .array(z.string())
      .readonly()
      .meta({ description: "The innermost states it is in, as paths from the root" }),
    entries: z
      .array(
        z
          .object({
            seq: Seq,
            at: z.string(),
            type: z.enum(TASK_EVENT_TYPES),
            cause: z.string().meta({ description: "The event it took, or did not take (`task.dropped`)" }),
            reason: z.string().optional(),
            states: z.array(z.string()).readonly().optional().meta({
              description:
                "Innermost states it entered, in order, those it passed through included; absent where the present machine would have gone another way, or the beginning is no longer kept",
            }),
          })
          .meta({ id: "TraceEntry" }),
      )
      .readonly(),
    next: Seq.optional().meta({ description: "`from` of the next page; absent on the last one" }),
  })
  .meta({ id: "Trace" });

/** Which question the inputs answer. */
export const InputQuery = z.strictObject({
  revision: Sequence.optional().meta({ description: "The task's `revision`, as it showed what it asks" }),
});

/** Which lines of a log to read. */
export const LogQuery = z.strictObject({
  before: Sequence.optional().meta({ description: "Number of a line: only older ones are read" }),
  limit: Limit.meta({ description: "Most lines to read, the newest; all that are kept by default" }),
});

/** Body of `GET tasks/{id}/log`. */
export const Log = z
  .object({
    lines: z.array(z.object({ number: z.number().int(), at: z.string(), line: z.string() })).readonly(),
    next: z
      .number()
      .int()
      .optional()
      .meta({ description: "`before` of the page of older lines; absent on the last one" }),
  })
  .meta({ id: "Log" });
