import type { JsonObject } from "../src/core/json.ts";
import type { TaskFacts } from "../src/core/task-facts.ts";
import type { InstallContext } from "./install.ts";
import { isAtRest, lifecycleState, type StateValue, stateIs, stepOf, waitingForChild } from "./view-state.ts";

/** Progress at the start of each step, and what the step waits for. */
const STEPS: Readonly<Record<string, { readonly from: number; readonly waitsFor?: "host" | "app" }>> = {
  DIRECTORIES: { from: 1, waitsFor: "host" },
  BEFORE_HOOKS: { from: 5 },
  CREATING: { from: 15, waitsFor: "host" },
  STARTING: { from: 60, waitsFor: "app" },
  AFTER_HOOKS: { from: 70 },
  LINKING: { from: 90 },
};

/** An install as people see it. */
export function viewInstall(value: StateValue, context: InstallContext): TaskFacts {
  const state = lifecycleState(value);
  const step = stepOf(value, "RUNNING");
  const { from = 0, waitsFor } = STEPS[step ?? ""] ?? {};
  const asked = waitingForChild(context);
  return {
    kind: "install",
    state,
    label: `Install ${context.input.title}`,
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

function progressOf(step: string | null, from: number, context: InstallContext): number {
  if (step === "CREATING") return from + Math.floor((context.percent * 45) / 100);
  if (step === "AFTER_HOOKS" || step === "LINKING") {
    const { length } = context.input.children;
    return Math.max(from, 70 + Math.floor((Object.keys(context.ended).length * 29) / Math.max(1, length)));
  }
  return from;
}

/** What was and what was not done (decisions.md 3, "Cancel"). */
function resultOf({ input, ended, app, directories, shares }: InstallContext): JsonObject {
  const created = app === "created";
  return {
    app,
    directories: [...directories],
    shares: [...shares],
    done: [
      ...(created ? ["app.create"] : []),
      ...input.children.flatMap(({ id }) => (ended[id] === "COMPLETED" ? [id] : [])),
    ],
    notDone: [
      ...(created ? [] : ["app.create"]),
      ...input.children.flatMap(({ id }) => (ended[id] === "COMPLETED" ? [] : [id])),
    ],
  };
}
