/** A task as the run of a machine. */

import type { TaskEventType } from "./events.ts";

/** A task as the run of its machine. States are paths from the root, joined by dots: `ACTIVE.EXECUTING.SCRIPT`. */
export interface TaskTrace {
  /** Its machine, as `slipway diagram` draws it, and the version its snapshot is of. */
  readonly machine: string;
  readonly version: number;
  /** The innermost states it is in now; none before its first turn. */
  readonly active: readonly string[];
  /** A page of what happened, oldest first; what `watch` has pruned is gone here too. */
  readonly entries: readonly TraceEntry[];
  /** Sequence number the next page is read from; absent on the last one. */
  readonly next?: number;
}

export interface TraceEntry {
  readonly seq: number;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly type: TaskEventType;
  /** The event it took, or did not take (`task.dropped`), e.g. `user.retry`. */
  readonly cause: string;
  readonly reason?: string;
  /**
   * Of a turn: the innermost states it entered, in order, those it passed through included; empty where it stayed. Absent
   * where the present machine would have gone another way, or its beginning is no longer kept.
   */
  readonly states?: readonly string[];
}
