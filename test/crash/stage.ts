/** What the crash matrix plays: something that is done by engine processes which die on the way, and its end. */
import type { CrashPoint } from "../../src/engine/runtime/crash-points.ts";

/**
 * When a process dies: at a point by itself, or from outside some ms after it opens the engine, has opened it, or has begun a
 * hook or gone on with one.
 */
export type Death =
  | { readonly point: CrashPoint; readonly n: number }
  | { readonly after: "opening" | "ready" | "begun"; readonly ms: number };

/** How often an uncrashed run passes each point, and how long it works. */
export interface Measure {
  readonly passings: Partial<Record<CrashPoint, number>>;
  /** ms from the opened engine to the end; from the first hook's beginning where the program tells of it. */
  readonly workMs: number;
}

/** How a run went. */
export interface Outcome {
  /** What two runs are compared by, part by part. */
  readonly end: Readonly<Record<string, unknown>>;
  /** State of every task in the end. */
  readonly states: readonly string[];
  /** How many of the planned deaths came before the process was done. */
  readonly died: number;
  readonly measure: Measure;
  /** What must not have happened on the way, in words. */
  readonly faults: readonly string[];
}

/** A beginning that can be played again and again. */
export interface Stage {
  /** Plays it with a process that dies as said, one after the other, and one that ends. */
  play(deaths: readonly Death[]): Promise<Outcome>;
  /** Removes what it has on the disk. */
  strike(): Promise<void> | void;
}
