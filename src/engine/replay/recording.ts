/**
 * Recordings: what a machine of one version did with a real run's events, kept for ever. A build replays every one; a
 * recording of an older version must still load through the migrations and take its next event.
 */

import { transition } from "xstate";
import type { Json, JsonObject } from "../../core/json/json.ts";
import { readMessage } from "../../core/json/read-message.ts";
import type { MachineEvent, RegisteredMachine } from "../runtime/effect.ts";
import { restoreSnapshot } from "../runtime/turn/persist-snapshot.ts";
import { findFirstDifference, foldEvents, listEffects } from "./fold-events.ts";

/** One line of a recording. */
export interface RecordedStep {
  readonly event: MachineEvent;
  readonly snapshot: Json;
  readonly effects: readonly { readonly name: string; readonly params: JsonObject }[];
}

/** Folds events into the lines of a recording. */
export function record(registered: RegisteredMachine, events: readonly MachineEvent[]): readonly RecordedStep[] {
  return [...foldEvents(registered, events)].map(({ event, persisted, actions }) => ({
    event,
    snapshot: JSON.parse(persisted.text),
    effects: listEffects(actions),
  }));
}

/** Says how the present machine departs from a recording made by `version` of it; null when it does not. */
export function checkRecording(
  registered: RegisteredMachine,
  version: number,
  steps: readonly RecordedStep[],
): string | null {
  try {
    return version === registered.version ? compareSteps(registered, steps) : takeOver(registered, version, steps);
  } catch (error) {
    return readMessage(error);
  }
}

function compareSteps(registered: RegisteredMachine, steps: readonly RecordedStep[]): string | null {
  const events = steps.map(({ event }) => event);
  for (const [index, found] of record(registered, events).entries()) {
    const recorded = steps[index];
    const at = findFirstDifference(
      { snapshot: recorded?.snapshot ?? null, effects: recorded?.effects ?? [] },
      { snapshot: found.snapshot, effects: found.effects },
    );
    if (at !== null) return `step ${index + 1} (event "${found.event.type}") differs at ${at}`;
  }
  return null;
}

function takeOver(registered: RegisteredMachine, version: number, steps: readonly RecordedStep[]): string | null {
  for (const [index, { snapshot }] of steps.entries()) {
    const restored = restoreSnapshot(registered, version, JSON.stringify(snapshot));
    const next = steps[index + 1];
    if (next !== undefined) transition(registered.machine, restored, next.event);
  }
  return null;
}
