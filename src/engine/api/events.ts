/** Changes of tasks, live and as history, and the notifications of people. */

import type { TASK_EVENT_TYPES } from "../../core/task/task-event-types.ts";
import type { Actor } from "../audit/actor.ts";
import type { Notification, PairingLinked } from "../ports/environment.ts";
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
  /** Whoever made the change; absent where it came by itself, after a host's answer, say. */
  readonly actor?: Actor;
  /** The task that changed, as it was after the change. */
  readonly task: Omit<TaskView, "children">;
}

/** A change of a task. */
export interface TaskChanged extends TaskEvent {
  readonly type: Exclude<TaskEventType, "task.notified">;
}

/** People are told of what a task did. */
export interface TaskNotified extends TaskEvent {
  readonly type: "task.notified";
  readonly notification: PairingLinked;
}

/**
 * Something that is worth reading anew. A hint has no number and is not kept: whoever comes later lists anew, and
 * begins to watch before it does.
 */
export type EngineHint =
  | AppHint
  | CatalogHint
  | WidgetHint
  | NotificationHint
  | NewNotificationHint
  | DashboardHint
  | DriftHint
  | HealthHint
  | LostHints;

/** The host says something else of an app: state, version, an upgrade, or that it is installed. */
interface AppHint {
  readonly type: "app.changed";
  readonly appId: string;
}

/** The catalog has changed, in the apps that are shown. */
export interface CatalogHint {
  readonly type: "catalog.changed";
  /** At most 100 ids each. */
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  /** Whether every app that has changed is named. */
  readonly whole: boolean;
}

/** A query of a widget has come to another result than the one before it. */
interface WidgetHint {
  readonly type: "widget.changed";
  readonly appId: string;
  readonly widgetId: string;
}

/** Notifications were marked as read, by a person or because they say nothing true any more: the one named, or all. */
interface NotificationHint {
  readonly type: "notification.read";
  readonly id?: string;
}

/** There is a notification that is no change of a task; one that is comes as `task.notified`. */
interface NewNotificationHint {
  readonly type: "notification.added";
  readonly id: string;
}

/** Somebody has arranged the dashboard. */
interface DashboardHint {
  readonly type: "dashboard.changed";
}

/** A look for drift has come to other findings than the one before it, or to no end. */
interface DriftHint {
  readonly type: "drift.changed";
}

/** The engine is about to close, or another hook it lets come to its end before has ended. */
interface HealthHint {
  readonly type: "health.changed";
}

/** More has changed than is kept for a watcher that is slow: everything is worth reading anew. */
interface LostHints {
  readonly type: "hints.lost";
}

/** A stored notification. */
export type NotificationView = Notification & {
  /** Display name of the app, of a link of the one it ran on; absent where it is not known. */
  readonly appName?: string;
  /** Display name of the app that was linked; absent where it is not known. */
  readonly targetName?: string;
  /** Somebody has marked it as read, or it says nothing true any more. */
  readonly read: boolean;
};

/** A change in the history of a task. */
export type HistoryEntry = EngineEvent & {
  /** The event the task took in, e.g. `user.retry`. */
  readonly cause: string;
  /** Why it came to nothing, of a `task.dropped`. */
  readonly reason?: string;
};
