import { TASK_STATES, type TaskState } from "../src/core/task-states.ts";

/** A state value as xstate stores it: a leaf's name, or the active child per state. */
export type StateValue = string | { readonly [state: string]: StateValue | undefined };

/** Tells whether the machine is in the state at this path from the root. */
export function isInState(value: StateValue, ...path: readonly string[]): boolean {
  let at: StateValue | undefined = value;
  for (const [index, name] of path.entries()) {
    if (at === undefined) return false;
    if (typeof at === "string") return at === name && index === path.length - 1;
    if (!(name in at)) return false;
    at = at[name];
  }
  return true;
}

/** The innermost state that is active in a compound one, or null outside of it. */
export function readStep(value: StateValue, state: string): string | null {
  return typeof value === "string" ? null : readInnermost(value[state]);
}

function readInnermost(value: StateValue | undefined): string | null {
  return typeof value === "object" ? readInnermost(Object.values(value)[0]) : (value ?? null);
}

/** The state as people see it where the machine names it so itself: every step under way is RUNNING. */
export function readLeafState(value: StateValue): TaskState {
  return TASK_STATES.find((state) => state === value) ?? "RUNNING";
}
