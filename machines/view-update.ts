import type { TaskFacts } from "../src/core/task/task-facts.ts";
import type { UpdateContext } from "./update.ts";
import { isAtRest, lifecycleState, type StateValue, stepOf } from "./view-state.ts";

/** Progress at the start of each step. */
const STEPS: Readonly<Record<string, number>> = { SNAPSHOTS: 1, UPDATING: 10, OWNERSHIP: 80 };

/** An update as people see it. */
export function viewUpdate(value: StateValue, context: UpdateContext): TaskFacts {
  const state = lifecycleState(value);
  const step = stepOf(value, "RUNNING");
  const from = STEPS[step ?? ""] ?? 0;
  const updated = context.app === "updated";
  return {
    kind: "update",
    state,
    label: `Update ${context.input.title}`,
    progress:
      state === "COMPLETED" ? 100 : step === "UPDATING" ? from + Math.floor((context.percent * 70) / 100) : from,
    marks: context.marks,
    ...(state === "RUNNING" && { waitingFor: { kind: context.hostSilent ? "network" : "host" } }),
    ...(context.failure !== null && state !== "COMPLETED" && { failure: context.failure }),
    ...(isAtRest(state) && {
      result: {
        app: context.app,
        snapshots: [...context.snapshots],
        repaired: [...context.repaired],
        done: updated ? ["app.update"] : [],
        notDone: updated ? [] : ["app.update"],
      },
    }),
  };
}
