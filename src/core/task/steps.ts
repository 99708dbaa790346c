/** How far a task is on its way. Pure. */
import type { TaskState } from "../task-states.ts";

/** The way of a task: its steps in order, and the one it is in; null before, between and after them. */
export type Way = {
  readonly steps: readonly { readonly id: string; readonly title: string }[];
  readonly at: string | null;
};

export const STEP_STATES = ["pending", "active", "done", "stopped"] as const;

/**
 * A step of a task. `stopped`: the task was in it when it failed or was given up. Times are ISO 8601 UTC, of the last
 * attempt; a step that had nothing to wait for has none.
 */
export type TaskStep = {
  readonly id: string;
  readonly title: string;
  readonly state: (typeof STEP_STATES)[number];
  readonly began?: string;
  readonly ended?: string;
};

/** The steps after a turn, from those before it; `now` is ISO 8601 UTC. */
export function advanceSteps(
  before: readonly TaskStep[],
  { steps, at }: Way,
  state: TaskState,
  now: string,
): readonly TaskStep[] {
  const current = steps.findIndex(({ id }) => id === at);
  return steps.map(({ id, title }, index): TaskStep => {
    const was = before.find((step) => step.id === id);
    const began = was?.began;
    const isAt = index === current;
    if (isAt) return { id, title, state: "active", began: was?.state === "active" ? (began ?? now) : now };
    if (index < current || state === "COMPLETED") return { id, title, state: "done", ...closeTimes(was, now) };
    if (current !== -1 || was === undefined || was.state === "pending") return { id, title, state: "pending" };
    return { id, title, state: was.state === "done" ? "done" : "stopped", ...closeTimes(was, now) };
  });
}

function closeTimes(was: TaskStep | undefined, now: string): Pick<TaskStep, "began" | "ended"> {
  return was?.began === undefined ? {} : { began: was.began, ended: was.ended ?? now };
}
