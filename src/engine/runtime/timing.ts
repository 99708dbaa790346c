/** Deadlines and pauses of the engine, all in ms; every one can be configured. */
export interface Timing {
  /** How long a person has for a hook's inputs (docs/decisions.md, section 3). */
  readonly inputDeadline: number;
  /** How long an app may take until it runs (docs/decisions.md, section 4). */
  readonly runningDeadline: number;
  /** First pause between two looks at an app's state; it grows by half up to `appPollMost`. */
  readonly appPoll: number;
  readonly appPollMost: number;
  /** Pause between two questions to a host that does not answer. */
  readonly hostRetry: number;
  /** Pause between two questions to an OAuth provider (docs/decisions.md, section 5). */
  readonly oauthPoll: number;
  /** How long an OAuth code is waited for, unless its answer says less. */
  readonly oauthDeadline: number;
  /** How long a link waits for its target's containers (docs/install-scripts.md, "The plan of links"). */
  readonly linkStart: number;
  /** Pause between two looks for drift that nothing else brings; 0: none is made but by request. */
  readonly driftEvery: number;
  /** Pause between what brings a look for drift (a start, the end of a task) and the look. */
  readonly driftSettle: number;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** Used where the embedder says nothing else. */
export const DEFAULT_TIMING: Timing = {
  inputDeadline: 24 * 60 * MINUTE,
  runningDeadline: 10 * MINUTE,
  appPoll: SECOND,
  appPollMost: 5 * SECOND,
  hostRetry: 5 * SECOND,
  oauthPoll: 2 * SECOND,
  oauthDeadline: 15 * MINUTE,
  linkStart: 3 * MINUTE,
  driftEvery: 60 * MINUTE,
  driftSettle: 30 * SECOND,
};
