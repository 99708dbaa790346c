import { type AnyActorScope, type AnyMachineSnapshot, type AnyStateMachine, createActor } from "xstate";
import type { MachineEvent } from "../effect.ts";

/** A transition's outcome: the next snapshot, and the actions it asks for, none executed. */
export type Transitioned = readonly [
  AnyMachineSnapshot,
  readonly { readonly type: string; readonly params?: unknown }[],
];

const scopes = new WeakMap<AnyStateMachine, Omit<AnyActorScope, "actionExecutor">>();

/**
 * `transition()` of xstate with one inert actor per machine instead of one per call, which is two thirds of its time
 * (`npm run bench:turn`). The actor is never started; our machines neither spawn nor look at `self`, so nothing of one
 * call is seen by the next. test/engine/runtime/transition.test.ts holds that both give the same.
 */
export function nextTransition(
  machine: AnyStateMachine,
  snapshot: AnyMachineSnapshot,
  event: MachineEvent,
): Transitioned {
  const actions: { type: string; params?: unknown }[] = [];
  const scope = { ...inertScope(machine), actionExecutor: (action: (typeof actions)[number]) => actions.push(action) };
  return [machine.transition(snapshot, event, scope), actions];
}

function inertScope(machine: AnyStateMachine): Omit<AnyActorScope, "actionExecutor"> {
  const known = scopes.get(machine);
  if (known !== undefined) return known;
  const self = createActor(machine);
  const scope = {
    self,
    system: self.system,
    id: "",
    sessionId: "",
    defer: () => {},
    logger: () => {},
    stopChild: () => {},
    emit: () => {},
  };
  scopes.set(machine, scope);
  return scope;
}
