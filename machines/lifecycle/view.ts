import type { TaskFacts, TaskKind, WaitingFacts } from "../../src/core/task/task-facts.ts";
import type { TaskResult } from "../../src/core/task/task-result.ts";
import { type ChildState, hasEnded, isAwaiting } from "../../src/core/task-states.ts";
import { readLeafState, readStep, type StateValue } from "../state-value.ts";
import { listUnendedChildren } from "./children.ts";
import type { LifecycleContext } from "./context.ts";

/** The title of a step, where its progress starts, and what it waits for. */
export interface Step {
  readonly title: string;
  readonly from: number;
  readonly waitsFor?: "host" | "app";
}

/** Parts of a view that differ between the lifecycles. */
interface OwnView {
  readonly kind: TaskKind;
  readonly label: string;
  readonly steps: Readonly<Record<string, Step>>;
  readonly progress: (step: string | null, from: number) => number;
  readonly result: () => TaskResult;
}

/** A lifecycle as people see it. */
export function viewLifecycle(value: StateValue, context: LifecycleContext, own: OwnView): TaskFacts {
  const state = readLeafState(value);
  const step = readStep(value, "RUNNING");
  const { title: doing, from = 0, waitsFor } = own.steps[step ?? ""] ?? {};
  const waitingFor = state === "RUNNING" ? describeWait(value, context, waitsFor) : null;
  return {
    kind: own.kind,
    state,
    label: own.label,
    ...(doing !== undefined && { doing }),
    way: { steps: Object.entries(own.steps).map(([id, { title }]) => ({ id, title })), at: step },
    progress: state === "COMPLETED" ? 100 : own.progress(step, from),
    marks: context.marks,
    ...(waitingFor && { waitingFor }),
    ...(context.failure !== null && state !== "COMPLETED" && { failure: context.failure }),
    ...(hasEnded(state) && { result: own.result() }),
  };
}

function describeWait(value: StateValue, context: LifecycleContext, waitsFor: Step["waitsFor"]): WaitingFacts | null {
  const { input, children, calling, appState } = context;
  const asking = input.children?.find(({ id }) => isAwaiting(children[id] ?? "PENDING"));
  if (asking !== undefined) return { kind: "person", detail: { child: asking.id } };
  if (waitsFor === "host" || (value === "CLOSING" && calling !== "nothing")) return { kind: "host" };
  if (waitsFor !== "app") return null;
  return { kind: "app", deadline: "runningDeadline", ...(appState !== null && { detail: { state: appState } }) };
}

/** Progress while children take their turns: from `start`, `span` more once all have ended, never below `from`. */
export function computeChildProgress(context: LifecycleContext, from: number, start: number, span: number): number {
  const all = context.input.children?.length ?? 0;
  const share = ((all - listUnendedChildren(context).length) * span) / Math.max(1, all);
  return Math.max(from, start + Math.floor(share));
}

/** Lists what was and what was not done: the host's call, then each child. */
export function reportWork({ input, children }: LifecycleContext, call: string, called: boolean) {
  const ids = (input.children ?? []).map(({ id }) => id);
  return {
    done: [...(called ? [call] : []), ...ids.filter((id) => children[id] === "COMPLETED")],
    notDone: [...(called ? [] : [call]), ...ids.filter((id) => children[id] !== "COMPLETED")],
  };
}

/** Lists what became of each child of a parent without calls of its own, by its id. */
export function reportChildren({ input, children }: LifecycleContext) {
  const ids = (input.children ?? []).map(({ id }) => id);
  const stateOf = (id: string) => children[id] ?? "PENDING";
  return {
    done: ids.filter((id) => stateOf(id) === "COMPLETED"),
    notDone: ids.filter((id) => stateOf(id) !== "COMPLETED"),
    failed: ids.filter((id) => FAILED.includes(stateOf(id))),
  };
}

/** States of a child that was begun and did not succeed. */
const FAILED: readonly ChildState[] = ["FAILED", "DISMISSED", "QUARANTINED"];
