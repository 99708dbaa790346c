/** A task as people see it: state, checkpoints, what it waits for, the lines of its script. */

import type { Failure } from "../../core/codes/problems.ts";
import type { Command } from "../../core/task/commands.ts";
import type { Remark } from "../../core/task/remarks.ts";
import type { TaskStep } from "../../core/task/steps.ts";
import type { TaskKind } from "../../core/task/task-facts.ts";
import type { TaskResult } from "../../core/task/task-result.ts";
import type { Waiting } from "../../core/task/waiting.ts";
import type { TaskState } from "../../core/task-states.ts";
import type { Actor } from "../audit/actor.ts";

/** A task as the activity center shows it. Times are ISO 8601 UTC. Holds no secret. */
export interface TaskView {
  readonly id: string;
  readonly kind: TaskKind;
  /** Empty where it is about no single app: upgrades of several. */
  readonly appId: string;
  /** Display name of the app; absent where it is not known. */
  readonly appName?: string;
  readonly hookId?: string;
  /** Its name, while a hook is at work what that does. */
  readonly label: string;
  /** Its name, whatever it does. */
  readonly title: string;
  /** Its present work, in words; absent where it is at rest. */
  readonly doing?: string;
  /** Heading its row stands under in the plan of an install: "App customizations" for links and the installs they need. */
  readonly group?: string;
  readonly state: TaskState;
  readonly parent?: string;
  readonly children: readonly TaskView[];
  readonly checkpoints: readonly CheckpointView[];
  /** The steps of a lifecycle, in order; empty for hooks and links, whose steps are their checkpoints. */
  readonly steps: readonly TaskStep[];
  /**
   * The commands this very task takes from a person now, as its machine says: `input`, `retry`, `skip`, `cancel`,
   * `dismiss`. A retry of a part of a plan that is still at work is refused all the same (`TASK_CONFLICT`).
   */
  readonly commands: readonly Command[];
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
  /** The marks in the same order, taken apart and explained. */
  readonly remarks: readonly Remark[];
  /** Of a lifecycle that has ended: what was and was not done. */
  readonly result?: TaskResult;
  /** Whoever asked for it; absent of the parts of another task. */
  readonly startedBy?: Actor;
  readonly created: string;
  readonly updated: string;
}

export interface CheckpointView {
  readonly id: string;
  readonly message: string;
  readonly state: "REGISTERED" | "COMPLETED" | "SKIPPED" | "FAILED";
  /** Why its hook waits at it for a person; the hook's own `failure` has the context. */
  readonly failure?: Pick<Failure, "code" | "message">;
  readonly created: string;
  /** Of its state or its message. */
  readonly updated: string;
}

/**
 * The wait of a task: `kind` says for whom or what, and which `detail` there is: the inputs asked for with the OAuth
 * code and address, the choices offered and what they are about, the part that asks, the app's state.
 */
export type WaitingFor = Waiting & {
  /** ISO 8601 UTC. */
  readonly since: string;
  /** ISO 8601 UTC. */
  readonly deadline?: string;
};

/** A line a hook's script wrote, its secrets masked. */
export interface LogLine {
  /** Grows from line to line: `before` of the page of older lines. */
  readonly number: number;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly line: string;
}
