/** A task as people see it: state, checkpoints, what it waits for, the lines of its script. */

import type { Failure } from "../../core/codes/problems.ts";
import type { TaskKind } from "../../core/task/task-facts.ts";
import type { TaskResult } from "../../core/task/task-result.ts";
import type { Waiting } from "../../core/task/waiting.ts";
import type { TaskState } from "../../core/task-states.ts";

/** A task as the activity center shows it. Times are ISO 8601 UTC. Holds no secret. */
export interface TaskView {
  readonly id: string;
  readonly kind: TaskKind;
  readonly appId: string;
  readonly hookId?: string;
  readonly label: string;
  /** Heading its row stands under in the plan of an install: "App customizations" for links and the installs they need. */
  readonly group?: string;
  readonly state: TaskState;
  readonly parent?: string;
  readonly children: readonly TaskView[];
  readonly checkpoints: readonly CheckpointView[];
  /** 0-100, never runs backwards; 100 only at the end. */
  readonly progress: number;
  readonly waitingFor?: WaitingFor;
  readonly failure?: Failure;
  /**
   * Grows whenever the state, what is waited for or the failure changes, and never otherwise: the number of the question
   * put to a person, which `retry` and `skip` name. 0 while the task is quarantined.
   */
  readonly revision: number;
  /** e.g. `skippedRequired`, `notRunning: CRASHED`, `overdue`, `notResumable`. */
  readonly marks: readonly string[];
  /** Of a lifecycle that has ended: what was and was not done. */
  readonly result?: TaskResult;
  readonly created: string;
  readonly updated: string;
}

export interface CheckpointView {
  readonly id: string;
  readonly message: string;
  readonly state: "REGISTERED" | "COMPLETED" | "SKIPPED" | "FAILED";
}

/**
 * What a task waits for: `kind` says whom or what, and which `detail` there is: the inputs asked for with the OAuth code
 * and address, the choices offered and what they are about, the part that asks, the app's state.
 */
export type WaitingFor = Waiting & {
  /** ISO 8601 UTC. */
  readonly since: string;
  /** ISO 8601 UTC. */
  readonly deadline?: string;
};

/** A line a hook's script wrote, its secrets masked. */
export interface LogLine {
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly line: string;
}
