/** The innermost states a machine's events lead it through, as xstate itself takes them. */
import { type AnyMachineSnapshot, getInitialMicrosteps, getMicrosteps } from "xstate";
import { foldEvent } from "../../../src/engine/replay/fold-events.ts";
import type { MachineEvent, RegisteredMachine } from "../../../src/engine/runtime/effect.ts";
import { restoreSnapshot } from "../../../src/engine/runtime/turn/persist-snapshot.ts";

/** Folds events from the first on; for each the states it entered, those it passed through included. */
export function enterStates(
  registered: RegisteredMachine,
  events: readonly MachineEvent[],
): readonly (readonly string[])[] {
  let text: string | null = null;
  let leaf = "";
  return events.map((event) => {
    const steps: readonly (readonly [AnyMachineSnapshot, unknown])[] =
      text === null
        ? getInitialMicrosteps(registered.machine, event["input"])
        : getMicrosteps(registered.machine, restoreSnapshot(registered, registered.version, text), event);
    text = foldEvent(registered, text, event).persisted.text;
    return steps.flatMap(([{ value }]) => {
      const before = leaf;
      leaf = readLeaf(value);
      return leaf === before ? [] : [leaf];
    });
  });
}

/** The path of the innermost state of a state value as xstate has it. */
export function readLeaf(value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value);
  return Object.entries(value)
    .map(([name, inside]) => `${name}.${readLeaf(inside)}`)
    .join();
}
