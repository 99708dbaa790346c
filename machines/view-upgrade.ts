import type { JsonObject } from "../src/core/json.ts";
import type { TaskFacts } from "../src/core/task-facts.ts";
import type { UpgradeContext } from "./upgrade.ts";
import { isAtRest, lifecycleState, type StateValue, stateIs, stepOf, waitingForChild } from "./view-state.ts";

/** Progress at the start of each step, and what the step waits for. */
const STEPS: Readonly<Record<string, { readonly from: number; readonly waitsFor?: "host" | "app" }>> = {
  SNAPSHOTS: { from: 1, waitsFor: "host" },
  BEFORE_HOOKS: { from: 5 },
  WAKING: { from: 15, waitsFor: "host" },
  UPGRADING: { from: 20, waitsFor: "host" },
  STARTING: { from: 60, waitsFor: "app" },
  OWNERSHIP: { from: 70, waitsFor: "host" },
  AFTER_HOOKS: { from: 75 },
};

/** An upgrade as people see it. */
export function viewUpgrade(value: StateValue, context: UpgradeContext): TaskFacts {
  const state = lifecycleState(value);
  const step = stepOf(value, "RUNNING");
  const { from = 0, waitsFor } = STEPS[step ?? ""] ?? {};
  const asked = waitingForChild(context);
  return {
    kind: "upgrade",
    state,
    label: `Upgrade ${context.input.title}`,
    progress: state === "COMPLETED" ? 100 : progressOf(step, from, context),
    marks: context.marks,
    ...(waitsFor === "host" && { waitingFor: { kind: "host" } }),
    ...(waitsFor === "app" && {
      waitingFor: {
        kind: "app",
        deadline: "runningDeadline",
        ...(context.appState !== null && { detail: { state: context.appState } }),
      },
    }),
    ...(stateIs(value, "CLOSING", "HOST") && { waitingFor: { kind: "host" } }),
    ...(state === "RUNNING" && asked && { waitingFor: asked }),
    ...(state === "RUNNING" && context.hostSilent && { waitingFor: { kind: "network" } }),
    ...(context.failure !== null && state !== "COMPLETED" && { failure: context.failure }),
    ...(isAtRest(state) && { result: resultOf(context) }),
  };
}

function progressOf(step: string | null, from: number, context: UpgradeContext): number {
  if (step === "UPGRADING") return from + Math.floor((context.percent * 40) / 100);
  if (step === "AFTER_HOOKS") {
    const { length } = context.input.children;
    return Math.max(from, 75 + Math.floor((Object.keys(context.ended).length * 24) / Math.max(1, length)));
  }
  return from;
}

/** What was and what was not done (decisions.md 3, "Cancel"). */
function resultOf({ input, ended, app, snapshots, repaired }: UpgradeContext): JsonObject {
  const upgraded = app === "upgraded";
  return {
    app,
    snapshots: [...snapshots],
    repaired: [...repaired],
    done: [
      ...(upgraded ? ["app.upgrade"] : []),
      ...input.children.flatMap(({ id }) => (ended[id] === "COMPLETED" ? [id] : [])),
    ],
    notDone: [
      ...(upgraded ? [] : ["app.upgrade"]),
      ...input.children.flatMap(({ id }) => (ended[id] === "COMPLETED" ? [] : [id])),
    ],
  };
}
