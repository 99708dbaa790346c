/** The states of a task, and what each group of them means. Nothing else in the house lists them. */

/** Every state, in the order a task comes to them. */
export const TASK_STATES = [
  "PENDING",
  "RUNNING",
  "AWAITING_INPUT",
  "AWAITING_RETRY",
  "COMPLETED",
  "SKIPPED",
  "FAILED",
  "DISMISSED",
  "CANCELLED",
] as const;

/** Where a task stands, as it is stored and served. */
export type TaskState = (typeof TASK_STATES)[number];

/** States nothing leads out of. */
export const FINAL_STATES = ["COMPLETED", "SKIPPED", "DISMISSED", "CANCELLED"] as const satisfies readonly TaskState[];

/** States in which nobody is at work: the final ones, and FAILED until somebody retries. */
export const ENDED_STATES = [...FINAL_STATES, "FAILED"] as const satisfies readonly TaskState[];

/** States in which a person is asked. */
const AWAITING_STATES = ["AWAITING_INPUT", "AWAITING_RETRY"] as const satisfies readonly TaskState[];

/** The end of a child as its parent hears it: its state, or why there is nobody to come to one. */
export type ChildState = TaskState | "REFUSED" | "QUARANTINED";

const final: ReadonlySet<string> = new Set(FINAL_STATES);
const ended: ReadonlySet<string> = new Set(ENDED_STATES);
const awaiting: ReadonlySet<string> = new Set(AWAITING_STATES);

/** Tells whether nothing leads out of the state. */
export function isFinal(state: TaskState): boolean {
  return final.has(state);
}

/** Tells whether nobody is at work on a task in this state: it is final, or FAILED until somebody retries. */
export function hasEnded(state: TaskState): boolean {
  return ended.has(state);
}

/** Tells whether a task in this state asks a person. */
export function isAwaiting(state: ChildState): boolean {
  return awaiting.has(state);
}

/** Tells whether a parent waits no longer for a child in this state: it has ended, never began, or can't be loaded. */
export function isChildOver(state: ChildState): boolean {
  return ended.has(state) || state === "REFUSED" || state === "QUARANTINED";
}
