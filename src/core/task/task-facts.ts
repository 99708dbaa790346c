import type { Failure } from "../codes/problems.ts";
import type { TaskState } from "../task-states.ts";
import type { Way } from "./steps.ts";
import type { TaskResult } from "./task-result.ts";
import type { Waiting } from "./waiting.ts";

/** Tasks about one app as a whole; at most one of them is at work on an app. */
export const LIFECYCLES = [
  "install",
  "upgrade",
  "update",
  "start",
  "stop",
  "restart",
  "uninstall",
  "rollback",
  "adopt",
] as const;
export type Lifecycle = (typeof LIFECYCLES)[number];

/** Every kind of task that is shown. */
export const TASK_KINDS = [...LIFECYCLES, "upgrade-all", "import", "hook", "link"] as const;
export type TaskKind = (typeof TASK_KINDS)[number];

/**
 * The part of a task's view only its machine knows; ids, times and children come from the row. The turn keeps `progress`
 * from running backwards and below 100 until COMPLETED.
 */
export interface TaskFacts {
  readonly kind: TaskKind | "checkpoint";
  readonly state: TaskState;
  readonly label: string;
  /** Its name whatever it does; the label where absent. */
  readonly title?: string;
  /** Its present work, in words; absent where it is at rest. */
  readonly doing?: string;
  /** Absent where it has no steps but its checkpoints. */
  readonly way?: Way;
  readonly progress: number;
  readonly marks: readonly string[];
  readonly waitingFor?: WaitingFacts;
  readonly failure?: Failure;
  readonly result?: TaskResult;
}

/** A wait as the machine knows it; the turn adds `since` (when `kind` or `deadline` last changed) and the time. */
export type WaitingFacts = Waiting & {
  /** Name of the delay whose running timer is the deadline. */
  readonly deadline?: string;
};
