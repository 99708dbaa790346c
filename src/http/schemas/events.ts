import { z } from "zod";
import { Actor } from "../../engine/audit/actor.ts";
import { PairingLinkedShape } from "../../engine/notification-shapes.ts";
import { Epoch, Limit, Seq, Sequence } from "./parts.ts";
import { Task } from "./tasks.ts";

/** One change of the event stream: the task as it was after it, without its children. */
export const TaskEvent = z
  .object({
    seq: Seq,
    at: z.string(),
    taskId: z.string().meta({ description: "Root task of the tree that changed" }),
    type: z.string(),
    actor: Actor.optional().meta({ description: "Whoever made the change; absent where it came by itself" }),
    task: Task.omit({ children: true }),
    notification: PairingLinkedShape.optional().meta({ description: "What people were told, of a `task.notified`" }),
  })
  .meta({ id: "TaskEvent" });

/** `data` of the first event of the stream. */
export const StreamOpened = z
  .object({
    epoch: Epoch,
    seq: Seq.meta({ description: "Number of the newest change of that moment" }),
    oldest: Seq.meta({ description: "From this number on every change is kept; before it some may be gone" }),
  })
  .meta({ id: "StreamOpened" });

const Ids = z.array(z.string()).readonly();

/** `data` of an event without an id that says what is worth reading anew. */
export const Hint = z
  .discriminatedUnion("type", [
    z.object({ type: z.literal("app.changed"), appId: z.string() }),
    z.object({
      type: z.literal("catalog.changed"),
      added: Ids,
      changed: Ids,
      removed: Ids,
      whole: z.boolean().meta({ description: "false: more apps have changed than the 100 of each kind" }),
    }),
    z.object({ type: z.literal("widget.changed"), appId: z.string(), widgetId: z.string() }),
    z.object({ type: z.literal("notification.added"), id: z.string() }),
    z.object({
      type: z.literal("notification.read"),
      id: z.string().optional().meta({ description: "Absent: all of them" }),
    }),
    z.object({ type: z.literal("dashboard.changed") }),
    z.object({ type: z.literal("drift.changed") }),
    z.object({ type: z.literal("health.changed") }),
    z.object({ type: z.literal("hints.lost") }).meta({ description: "Everything is worth reading anew" }),
  ])
  .meta({ id: "Hint" });

/** `data` of an event of the stream: of the first one, `stream.opened`, where the log begins and ends. */
export const StreamEvent = z.union([TaskEvent, StreamOpened, Hint]).meta({ id: "StreamEvent" });

/** Which part of a task's history to read. */
export const HistoryQuery = z.strictObject({
  from: Sequence.optional().meta({ description: "Sequence number after which to read" }),
  limit: Limit.meta({ description: "Most entries to read; 100 by default" }),
});

/** Body of `GET tasks/{id}/events`. */
export const History = z
  .object({
    events: z
      .array(
        TaskEvent.extend({
          cause: z.string().meta({ description: "What the task took in" }),
          reason: z.string().optional().meta({ description: "Why it came to nothing" }),
        }).meta({ id: "HistoryEntry" }),
      )
      .readonly(),
    next: Seq.optional().meta({ description: "`from` of the next page; absent on the last one" }),
  })
  .meta({ id: "History" });
