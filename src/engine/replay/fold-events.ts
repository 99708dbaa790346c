/** A task's events folded from the start through a machine, as the turns did: through stored text at every step. */
import { initialTransition, transition } from "xstate";
import type { Json, JsonObject } from "../../core/json/json.ts";
import type { MachineEvent, RegisteredMachine } from "../runtime/effect.ts";
import { type PersistedSnapshot, persistSnapshot, restoreSnapshot } from "../runtime/turn/persist-snapshot.ts";
import { readActions, type TurnAction } from "../runtime/turn/turn-actions.ts";

export interface FoldedStep {
  readonly event: MachineEvent;
  readonly persisted: PersistedSnapshot;
  readonly actions: readonly TurnAction[];
}

/** Folds events one by one, the first of which starts the machine (`xstate.init`). Throws what the machine throws. */
export function* foldEvents(registered: RegisteredMachine, events: Iterable<MachineEvent>): Generator<FoldedStep> {
  let text: string | null = null;
  for (const event of events) {
    const step: FoldedStep = foldEvent(registered, text, event);
    text = step.persisted.text;
    yield step;
  }
}

/** Folds one event into a snapshot's text; null before the first event. */
export function foldEvent(registered: RegisteredMachine, text: string | null, event: MachineEvent): FoldedStep {
  const [snapshot, actions] =
    text === null
      ? initialTransition(registered.machine, event["input"])
      : transition(registered.machine, restoreSnapshot(registered, registered.version, text), event);
  return { event, persisted: persistSnapshot(registered, snapshot), actions: readActions(actions) };
}

/** The effects among the actions, as they are compared and recorded. */
export function listEffects(actions: readonly TurnAction[]): readonly { name: string; params: JsonObject }[] {
  return actions.flatMap((action) => (action.kind === "effect" ? [{ name: action.name, params: action.params }] : []));
}

/** Where two JSON values differ first, as a path from the root; null when they are equal. */
export function findFirstDifference(stored: Json | undefined, found: Json | undefined, at = "$"): string | null {
  if (Object.is(stored, found)) return null;
  if (typeof stored !== "object" || typeof found !== "object" || stored === null || found === null) return at;
  const left = new Map<string, Json>(Object.entries(stored));
  const right = new Map<string, Json>(Object.entries(found));
  for (const key of new Set([...left.keys(), ...right.keys()])) {
    const inside = findFirstDifference(left.get(key), right.get(key), `${at}.${key}`);
    if (inside !== null) return inside;
  }
  return Array.isArray(stored) === Array.isArray(found) ? null : at;
}
