/** The end of an engine in peace, as it is asked for and shown. */

/** How an engine is drained. */
export interface DrainRequest {
  /**
   * Ms hooks that can't go on where they are after a restart get to end (30,000; a day at most); nothing else is waited
   * for.
   */
  readonly deadlineMs?: number;
  /** Awaited before the engine closes, e.g. for a server to answer its last requests. */
  readonly beforeClose?: () => Promise<void>;
}

/** How a drain ended. */
export interface Drained {
  /** Tasks whose hooks were cut off at the deadline: they begin anew in the next life. */
  readonly beginAnew: readonly string[];
}

/** A drain under way; times are ISO 8601 UTC. */
export interface DrainStanding {
  readonly since: string;
  readonly deadline: string;
  /** Tasks whose hooks are let come to their end. */
  readonly waitsFor: readonly string[];
}
