import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type AnyMachineSnapshot, initialTransition, transition } from "xstate";
import { machines } from "../../../machines/index.ts";
import type { MachineEvent, RegisteredMachine } from "../../../src/engine/runtime/effect.ts";
import { nextTransition, type Transitioned } from "../../../src/engine/runtime/turn/transition.ts";
import { helperTask, household } from "../../support/machines/parent-child-machine.ts";
import { errand } from "../../support/machines/single-effect-machine.ts";

const all: readonly RegisteredMachine[] = [errand, household, helperTask, ...Object.values(machines)];

/** What a turn uses of a transition, or what it throws. */
function seen(step: () => Transitioned): unknown {
  try {
    const [snapshot, actions] = step();
    return [snapshot.value, snapshot.context, snapshot.status, actions.map(({ type, params }) => ({ type, params }))];
  } catch (error) {
    return String(error);
  }
}

describe("nextTransition", () => {
  test.each(all)(
    "gives what xstate's transition gives, whatever machine $id is told in whatever order",
    ({ machine }) => {
      const events = machine.events.map((type): MachineEvent => ({ type: String(type) }));
      fc.assert(
        fc.property(fc.array(fc.constantFrom(...events), { maxLength: 12 }), (sequence) => {
          let [snapshot]: [AnyMachineSnapshot, unknown] = initialTransition(machine, {});
          for (const event of sequence) {
            const before = snapshot;
            const theirs = () => transition(machine, before, event);
            expect(seen(() => nextTransition(machine, before, event))).toEqual(seen(theirs));
            try {
              [snapshot] = theirs();
            } catch {
              return;
            }
          }
        }),
        { numRuns: 60 },
      );
    },
  );
});
