import type { TaskState, WaitingFacts } from "../src/core/task/task-facts.ts";

/** A state value as xstate stores it: a leaf's name, or the active child per state. */
export type StateValue = string | { readonly [state: string]: StateValue | undefined };

/** Tells whether the machine is in the state at this path from the root. */
export function stateIs(value: StateValue, ...path: readonly string[]): boolean {
  let at: StateValue | undefined = value;
  for (const [index, name] of path.entries()) {
    if (at === undefined) return false;
    if (typeof at === "string") return at === name && index === path.length - 1;
    if (!(name in at)) return false;
    at = at[name];
  }
  return true;
}

/** The child of a compound state that is active, or null outside of it. */
export function stepOf(value: StateValue, state: string): string | null {
  if (typeof value === "string") return null;
  const inside = value[state];
  if (inside === undefined) return null;
  return typeof inside === "string" ? inside : (Object.keys(inside)[0] ?? null);
}

/** The state of an install, upgrade or update as people see it: every step under way is RUNNING. */
export function lifecycleState(value: StateValue): TaskState {
  switch (value) {
    case "PENDING":
    case "FAILED":
    case "COMPLETED":
    case "DISMISSED":
    case "CANCELLED":
      return value;
    default:
      return "RUNNING";
  }
}

/** Tells whether nothing of the lifecycle is under way, so that its result says what was done and what was left behind. */
export function isAtRest(state: TaskState): boolean {
  return state === "COMPLETED" || state === "FAILED" || state === "CANCELLED" || state === "DISMISSED";
}

/** A parent waits for a person while the child whose turn it is does. */
export function waitingForChild(context: {
  readonly childWaits: boolean;
  readonly turn: number;
  readonly input: { readonly children: readonly { readonly id: string }[] };
}): WaitingFacts | null {
  const child = context.input.children[context.turn];
  return context.childWaits && child !== undefined ? { kind: "person", detail: { child: child.id } } : null;
}
