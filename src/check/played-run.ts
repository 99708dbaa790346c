import type { TaskView } from "../engine/api.ts";

/** One thing a level let run: a task of the engine, or a part of one. */
export interface PlayedRun {
  readonly name: string;
  /** A task's state, when its world was left. */
  readonly state: string;
  /** 0: nothing it is a part of. */
  readonly depth: number;
  /** Ms since 1970. */
  readonly from: number;
  readonly ms: number;
}

/** Runs of one level that are told: crashing an app at every turn makes thousands. */
const MOST = 200;

/** Takes the runs of one level, as worlds end. */
export class PlayedRuns {
  readonly #runs: PlayedRun[] = [];

  /** Takes the tasks of a world, the newest first, as the engine lists them. */
  takeTasks(tasks: readonly TaskView[]): void {
    for (const task of tasks.toReversed()) this.#take(task, 0);
  }

  /** The runs in the order they were made, parts after what they are a part of. */
  list(): readonly PlayedRun[] {
    return this.#runs;
  }

  #take({ title, state, created, updated, children }: TaskView, depth: number): void {
    if (this.#runs.length === MOST) return;
    const from = Date.parse(created);
    this.#runs.push({ name: title, state, depth, from, ms: Date.parse(updated) - from });
    for (const child of children) this.#take(child, depth + 1);
  }
}
