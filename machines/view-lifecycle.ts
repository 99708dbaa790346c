import type { Failure } from "../src/core/codes/problems.ts";
import type { JsonObject } from "../src/core/json/json.ts";
import type { TaskFacts } from "../src/core/task/task-facts.ts";
import { isAtRest, lifecycleState, type StateValue, stateIs, stepOf, waitingForChild } from "./view-state.ts";

/** Where a step's progress starts, and what it waits for. */
export interface Step {
  readonly from: number;
  readonly waitsFor?: "host" | "app";
}

/** What a lifecycle with hooks knows, whichever it is. */
interface LifecycleContext {
  readonly input: { readonly title: string; readonly children: readonly { readonly id: string }[] };
  readonly turn: number;
  readonly childWaits: boolean;
  readonly ended: Readonly<Record<string, string>>;
  readonly appState: string | null;
  readonly hostSilent: boolean;
  readonly failure: Failure | null;
  readonly marks: readonly string[];
}

/** What differs between an install and an upgrade. */
interface OwnView {
  readonly kind: "install" | "upgrade";
  readonly label: string;
  readonly steps: Readonly<Record<string, Step>>;
  readonly progress: (step: string | null, from: number) => number;
  readonly result: () => JsonObject;
}

/** A lifecycle with hooks as people see it. */
export function viewLifecycle(value: StateValue, context: LifecycleContext, own: OwnView): TaskFacts {
  const state = lifecycleState(value);
  const step = stepOf(value, "RUNNING");
  const { from = 0, waitsFor } = own.steps[step ?? ""] ?? {};
  const asked = waitingForChild(context);
  return {
    kind: own.kind,
    state,
    label: own.label,
    progress: state === "COMPLETED" ? 100 : own.progress(step, from),
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
    ...(isAtRest(state) && { result: own.result() }),
  };
}

/** Progress while children take their turns: from `start`, `span` more once all have ended, never below `from`. */
export function childProgress(
  { input, ended }: Pick<LifecycleContext, "input" | "ended">,
  from: number,
  start: number,
  span: number,
): number {
  const share = (Object.keys(ended).length * span) / Math.max(1, input.children.length);
  return Math.max(from, start + Math.floor(share));
}

/** What was and what was not done: the host's call, then each child (docs/decisions.md, section 3, "Cancel"). */
export function workDone({ input, ended }: Pick<LifecycleContext, "input" | "ended">, call: string, called: boolean) {
  const children = input.children.map(({ id }) => id);
  return {
    done: [...(called ? [call] : []), ...children.filter((id) => ended[id] === "COMPLETED")],
    notDone: [...(called ? [] : [call]), ...children.filter((id) => ended[id] !== "COMPLETED")],
  };
}
