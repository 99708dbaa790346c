/** Changes of tasks, live and as history, and the notifications of people. */

import type { TASK_EVENT_TYPES } from "../../core/task/task-event-types.ts";
import type { Notification } from "../ports/environment.ts";
import type { TaskView } from "./tasks.ts";

/**
 * One committed change, in order; `seq` grows by one per change and never repeats. Changes of tasks that ended long ago
 * are pruned (the 200 trees that ended last are kept): a replay starts at what is kept, and numbers may be missing.
 */
export type EngineEvent = TaskChanged | TaskNotified;

/** How far the log of changes goes, and whose it is: what somebody who goes on from a number compares. */
export interface EventLog {
  /**
   * Name of the history the numbers belong to. Another name is another database, or one that was replaced by an older copy
   * of itself: nothing that was read before counts.
   */
  readonly epoch: string;
  /** Number of the newest change. */
  readonly seq: number;
  /**
   * The first number from which on every change is kept: `watch(from)` misses nothing for a `from` of at least
   * `oldest - 1`; below that changes of tasks that ended may be gone.
   */
  readonly oldest: number;
}

/** Kinds of change to a task; `task.dropped` is an event that came to nothing, and the task is as it was. */
export type TaskEventType = (typeof TASK_EVENT_TYPES)[number];

/** Members of every event. */
interface TaskEvent {
  readonly seq: number;
  /** ISO 8601 UTC. */
  readonly at: string;
  /** Root task of the tree that changed. */
  readonly taskId: string;
  /** The task that changed, as it was after the change. */
  readonly task: Omit<TaskView, "children">;
}

/** A change of a task. */
export interface TaskChanged extends TaskEvent {
  readonly type: Exclude<TaskEventType, "task.notified">;
}

/** People are told something. */
export interface TaskNotified extends TaskEvent {
  readonly type: "task.notified";
  readonly notification: Notification;
}

/** A stored notification. */
export interface NotificationView extends Notification {
  /** Somebody has marked it as read. */
  readonly read: boolean;
}

/** A change in the history of a task. */
export type HistoryEntry = EngineEvent & {
  /** The event the task took in, e.g. `user.retry`. */
  readonly cause: string;
  /** Why it came to nothing, of a `task.dropped`. */
  readonly reason?: string;
};
