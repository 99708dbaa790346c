/** The rows a store holds, as the engine reads and writes them. */
import type { Code } from "../../core/codes/code.ts";
import type { Failure } from "../../core/codes/problems.ts";
import type { JsonObject } from "../../core/json/json.ts";
import type { EngineEvent, TaskEventType, TaskKind, TaskState, TaskView, WidgetSizeName } from "../api.ts";
import type { Actor } from "../audit/actor.ts";
import type { Deed } from "../audit/deed.ts";
import type { MachineEvent } from "../runtime/machine-event.ts";
import type { Notification } from "./environment.ts";

/** The part of a view the machine and the turn decide; a row's `facts`. */
export type StoredFacts = Pick<
  TaskView,
  | "state"
  | "label"
  | "title"
  | "doing"
  | "steps"
  | "commands"
  | "progress"
  | "marks"
  | "waitingFor"
  | "failure"
  | "result"
  | "revision"
  | "startedBy"
>;

export interface TaskRow {
  readonly id: string;
  readonly root: string;
  readonly parent: string | null;
  /** Unique under the parent; the task's own id for a root. */
  readonly name: string;
  readonly kind: TaskKind | "checkpoint";
  readonly appId: string;
  readonly hookId: string | null;
  /** The aim of a hook run as one comparable text. */
  readonly target: string | null;
  /** Held while the task is neither final nor FAILED; no two tasks hold the same. */
  readonly claim: string | null;
  readonly machine: string;
  readonly version: number;
  /** Turns taken; 0 before the first. */
  readonly rev: number;
  /** Persisted snapshot, JSON text; null before the first turn. */
  readonly snapshot: string | null;
  readonly facts: StoredFacts;
  /** UTC ms. */
  readonly created: number;
  /** UTC ms. */
  readonly updated: number;
  /** Unclean ends of the engine since the task last got on. */
  readonly crashCount: number;
  /** The open effect that can't reach the host at the moment; null when none is known not to. */
  readonly silent: string | null;
  /** Why the task can't be run; null when it can. */
  readonly quarantine: Failure | null;
}

/** The columns a task is shown from. */
export type ShownRow = Pick<
  TaskRow,
  | "id"
  | "root"
  | "parent"
  | "name"
  | "kind"
  | "appId"
  | "hookId"
  | "rev"
  | "facts"
  | "created"
  | "updated"
  | "quarantine"
>;

/** A task tree's rows, the root first. */
export type RootTree = readonly [root: ShownRow, ...below: ShownRow[]];

export interface RunRow {
  readonly taskId: string;
  readonly kind: TaskKind;
  readonly appId: string;
  readonly hookId: string | null;
  readonly target: string | null;
  readonly state: TaskState;
  /** UTC ms. */
  readonly created: number;
  /** UTC ms; the end of a run in a final state. */
  readonly updated: number;
}

export interface EffectRow {
  /** `<task>:<rev>.<k>`. */
  readonly id: string;
  readonly taskId: string;
  /** The action's name. */
  readonly name: string;
  readonly params: JsonObject;
  readonly state: "intent" | "done" | "cancelled";
  readonly note: JsonObject | null;
  /** UTC ms at which the intent was committed. */
  readonly intendedAt: number;
  /** It was open when the database was found to be an older copy: nobody knows what came of it in the lost time. */
  readonly isDoubtful?: true;
}

export interface TimerRow {
  readonly taskId: string;
  /** Holds the delay's, machine's and state's name. */
  readonly id: string;
  readonly event: MachineEvent;
  /** UTC ms. */
  readonly dueAt: number;
  /** ms; what remains is never more. */
  readonly delay: number;
  /** Stands still while the engine is down. */
  readonly active: boolean;
}

export type NotificationRow = RowOf<Notification>;

/** Of a link `id` is `<task>.<number>`, of an upgrade `upgrade.<app>.<version>`. */
type RowOf<Told> = Told extends Notification
  ? Omit<Told, "at"> & {
      /** UTC ms. */
      readonly at: number;
      /** UTC ms; null while nobody has read it. */
      readonly readAt: number | null;
    }
  : never;

/** A widget where a person put it, named as it was then. */
export interface TileRow {
  readonly appId: string;
  readonly appName: string;
  readonly widgetId: string;
  readonly title: string;
  readonly size: WidgetSizeName;
}

export interface MailRow {
  readonly id: number;
  readonly to: string;
  readonly event: MachineEvent;
}

/** A deed that was done, or refused. */
export interface AuditRow extends Deed {
  /** UTC ms. */
  readonly at: number;
  readonly appId: string | null;
  readonly taskId: string | null;
  /** The code it was refused with; null where it was done. */
  readonly refused: Code | null;
}

/** One entry of the event log: what came in, and the task as it was afterwards. */
export interface LogRow {
  /** UTC ms. */
  readonly at: number;
  readonly root: string;
  readonly taskId: string;
  /** The task's revision after the entry. */
  readonly rev: number;
  readonly type: TaskEventType;
  /** The machine event taken or dropped; for a first turn `{type: "xstate.init", input}`. */
  readonly event: MachineEvent;
  /** Why an event was dropped. */
  readonly reason?: string;
  /** Whoever sent the event from outside. */
  readonly actor?: Actor;
  /** SHA-256 of the snapshot's text after the entry, hex. */
  readonly digest: string;
  /** The task shown to people: of a checkpoint its hook task. */
  readonly task: EngineEvent["task"];
}

export interface LoggedRow extends LogRow {
  readonly seq: number;
}

/** A log entry without what it shows. */
export type TaskEventRow = Omit<LoggedRow, "task">;

export interface HookLogLine {
  /** Grows from line to line of a task. */
  readonly number: number;
  /** UTC ms. */
  readonly at: number;
  readonly line: string;
}
