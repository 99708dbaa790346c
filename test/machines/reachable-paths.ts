/**
 * Where a task can come through callers, host and clock: results only of effects it asked for and that are open,
 * deadlines only that run, news only of children that have not ended, nothing twice that comes once. The machine alone
 * takes more than that.
 */
import { type AnyMachineSnapshot, initialTransition, transition } from "xstate";
import { machines } from "../../machines/index.ts";
import { listUnendedChildren } from "../../machines/lifecycle/children.ts";
import { hasEnded } from "../../src/core/task-states.ts";
import type { RegisteredMachine } from "../../src/engine/runtime/effect.ts";
import { readActions } from "../../src/engine/runtime/turn/turn-actions.ts";
import { ORIGINS } from "../support/engine/event-origins.ts";
import type { CaseEvent, MachineCase } from "./machine-cases.ts";

const registry: Readonly<Record<string, RegisteredMachine>> = machines;

/** Where a task stands, and what is under way around it. */
interface Moment {
  readonly snapshot: AnyMachineSnapshot;
  readonly open: ReadonlySet<string>;
  readonly timers: ReadonlySet<string>;
  /** The script of the open run has begun. */
  readonly begun: boolean;
  /** Inputs nobody has given yet; null until they were asked for. What was given is never asked for again. */
  readonly left: readonly string[] | null;
  /** Children that were told to end; they do in the same stretch, before anything else can come. */
  readonly ending: readonly string[];
  /** The parent has heard of the end, or has told this task to end: it tells it nothing more. */
  readonly parentIsDone: boolean;
  readonly path: ReachablePath;
}

/** Effects whose end changes nothing, and events that only end an effect. */
const PASSING = ["hook.answer", "oauth.ended"];

/** What comes to a task, one after the other, and how `MachineCase.same` tells where it is then. */
export interface ReachablePath {
  readonly start: string;
  readonly steps: readonly { readonly event: CaseEvent; readonly same: string }[];
}

/** Effects that end by themselves before anything else can come. */
const INSTANT = ["hook.collectInputs", "notify.linked", "policies.keep"];

/** The shortest path to every place a task can come to, and one by way of every deadline. */
export function findReachablePaths(machineCase: MachineCase): readonly ReachablePath[] {
  const first = begin(machineCase);
  const seen = new Set([keyOf(machineCase, first)]);
  const fired = new Set<string>();
  const paths = [first.path];
  const queue = [first];
  for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
    for (const event of machineCase.events) {
      const next = comes(at, event) ? step(machineCase, at, event) : null;
      if (next === null) continue;
      const isNew = !seen.has(keyOf(machineCase, next));
      if (isNew) queue.push(next);
      if (isNew || (event.type.startsWith("xstate.after.") && !fired.has(event.type))) paths.push(next.path);
      seen.add(keyOf(machineCase, next));
      fired.add(event.type);
    }
  }
  return paths;
}

/** The first event of a path that nobody brings where the path has come to; null when all can come. */
export function findFirstUnreachable(machineCase: MachineCase, events: readonly CaseEvent[]): CaseEvent | null {
  let at = begin(machineCase);
  for (const event of events) {
    if (!comes(at, event)) return event;
    at = step(machineCase, at, event);
  }
  return null;
}

/** Without those that are the beginning of another. */
export function longestPaths(paths: readonly ReachablePath[]): readonly ReachablePath[] {
  const begun = new Set(paths.flatMap(({ steps }) => steps.map((_, at) => pathKey(steps.slice(0, at)))));
  return paths.filter(({ steps }) => !begun.has(pathKey(steps)));
}

function pathKey(steps: ReachablePath["steps"]): string {
  return JSON.stringify(steps.map(({ event }) => event));
}

function keyOf(
  machineCase: MachineCase,
  { snapshot, open, timers, begun, left, ending, parentIsDone }: Moment,
): string {
  const around = [[...open].sort(), [...timers].sort(), begun, left, ending, parentIsDone];
  return JSON.stringify([machineCase.same(snapshot), around]);
}

function begin(machineCase: MachineCase): Moment {
  const [snapshot, actions] = initialTransition(machineCase.machine, machineCase.input);
  const nothing: Moment = {
    snapshot,
    open: new Set(machineCase.machine.id === "checkpoint" ? ["hook.run"] : []),
    timers: new Set(),
    begun: machineCase.machine.id === "checkpoint",
    left: null,
    ending: [],
    parentIsDone: false,
    path: { start: machineCase.same(snapshot), steps: [] },
  };
  return heed(nothing, snapshot, actions);
}

function step(machineCase: MachineCase, at: Moment, event: CaseEvent): Moment {
  const [snapshot, actions] = transition(machineCase.machine, at.snapshot, event);
  const { type } = event;
  const ends = ORIGINS.find((origin) => origin.ends && origin.events.test(type))?.effects ?? [];
  const source = type === "oauth.granted" ? "hook.authorize" : ends.find((name) => at.open.has(name));
  return heed(
    {
      ...at,
      open: new Set([...at.open].filter((name) => name !== source)),
      timers: new Set([...at.timers].filter((id) => id !== type)),
      begun: at.begun || type === "run.started",
      left: leftAfter(at.left, event),
      ending: type === "child.changed" ? at.ending.filter((id) => id !== event["from"]) : at.ending,
      parentIsDone: at.parentIsDone || type === "parent.cancel",
      path: { ...at.path, steps: [...at.path.steps, { event, same: machineCase.same(snapshot) }] },
    },
    snapshot,
    actions,
  );
}

/** What a turn asks for. */
function heed(at: Moment, snapshot: AnyMachineSnapshot, actions: Parameters<typeof readActions>[0]): Moment {
  const open = new Set(at.open);
  const timers = new Set(at.timers);
  const ending = [...at.ending];
  let { begun, parentIsDone } = at;
  for (const action of readActions(actions)) {
    if (action.kind === "cancel" && action.name === null) open.clear();
    if (action.kind === "cancel" && action.name !== null) open.delete(action.name);
    if (action.kind === "timer") timers.add(action.id);
    if (action.kind === "clear") timers.delete(action.id);
    if (action.kind === "effect" && !PASSING.includes(action.name)) open.add(action.name);
    if (action.kind === "effect" && action.name === "hook.run") begun = false;
    if (action.kind === "tell" && action.event.type === "parent.cancel") ending.push(action.to);
  }
  const view = registry[snapshot.machine.id]?.view({ value: snapshot.value, context: snapshot.context });
  // Of a checkpoint nobody is told.
  parentIsDone ||= view !== undefined && view.kind !== "checkpoint" && hasEnded(view.state);
  return { ...at, snapshot, open, timers, ending, begun, parentIsDone };
}

function leftAfter(left: Moment["left"], event: CaseEvent): Moment["left"] {
  const given = givenBy(event);
  if (given !== null) return (left ?? []).filter((id) => !given.includes(id));
  return askedBy(event) ?? left;
}

function givenBy({ type, given, input }: CaseEvent): readonly unknown[] | null {
  if (type === "oauth.granted") return [input];
  return type === "user.input" && Array.isArray(given) ? given : null;
}

/** The inputs found missing; null where the event says nothing of them. */
export function askedBy({ type, missing }: CaseEvent): readonly string[] | null {
  if (type === "inputs.complete") return [];
  return type === "inputs.missing" && Array.isArray(missing) ? missing.map(({ id }) => String(id)) : null;
}

function comes(at: Moment, event: CaseEvent): boolean {
  const { snapshot, open, timers, ending, left, parentIsDone } = at;
  const { type } = event;
  if (snapshot.status !== "active" || /^(engine|task)\./.test(type) || PASSING.includes(type)) return false;
  // the engine is not started again here; where it leads, a decision about a request leads too
  if (type === "run.delayed") return false;
  const endsChild = type === "child.changed" && event["state"] === "COMPLETED";
  if (ending.length > 0) return endsChild && event["from"] === ending[0];
  const instant =
    INSTANT.find((name) => open.has(name)) ?? (open.has("hook.run") && !at.begun ? "hook.run" : undefined);
  if (instant === "hook.run" && type !== "run.started") return false;
  if (type === "run.started" && at.begun) return false;
  const origin = ORIGINS.find(({ events }) => events.test(type));
  if (instant !== undefined && origin?.effects.includes(instant) !== true) return false;
  if (origin !== undefined) {
    const asked = askedBy(event);
    const isAsked = asked === null || left === null || JSON.stringify(asked) === JSON.stringify(left);
    return isAsked && origin.effects.some((name) => open.has(name));
  }
  if (type.startsWith("xstate.after.")) return timers.has(type);
  if (type.startsWith("child.")) {
    return endsChild && listUnendedChildren(snapshot.context).some(({ id }) => id === event["from"]);
  }
  if (type.startsWith("parent.")) return !parentIsDone && snapshot.can(event);
  return snapshot.can(event);
}
