import { describe, expect, it } from "vitest";
import { type AnyMachineSnapshot, type AnyStateNode, type EventObject, initialTransition, transition } from "xstate";
import { machines } from "../../machines/index.ts";
import { MACHINE_CASES, type MachineCase } from "./machine-cases.ts";
import { findShortestPaths } from "./shortest-paths.ts";

function leaves(node: AnyStateNode): readonly string[] {
  const children = Object.values(node.states);
  if (node.type === "history") return [];
  return children.length === 0 ? [node.id] : children.flatMap(leaves);
}

function persisted(machineCase: MachineCase, snapshot: AnyMachineSnapshot): unknown {
  return JSON.parse(JSON.stringify(machineCase.machine.getPersistedSnapshot(snapshot)));
}

/** Leaf states that are only passed through: they are never where a turn ends. */
function isTransient(node: AnyStateNode): boolean {
  return (node.always ?? []).some(({ guard }) => guard === undefined);
}

const isOutside = ({ type }: EventObject) => type.startsWith("user.") || type.startsWith("xstate.after.");

/**
 * What ends a wait. A checkpoint is no task of its own: where no person is asked its script goes on, and the script's
 * running time is a timer of the hook task, whose own paths are here too.
 */
const endsWaits = ({ machine }: MachineCase) =>
  machine.id === "checkpoint"
    ? (event: EventObject) => isOutside(event) || event.type.startsWith("script.")
    : isOutside;

describe.each(MACHINE_CASES)("$name", (machineCase) => {
  const paths = findShortestPaths(machineCase);

  it("ends the same when it is restored from JSON after every step", () => {
    for (const { events } of paths) {
      let [kept] = initialTransition(machineCase.machine, machineCase.input);
      let [stored] = initialTransition(machineCase.machine, machineCase.input);
      for (const event of events) {
        const text = JSON.stringify(machineCase.machine.getPersistedSnapshot(stored));
        const restored = machineCase.machine.restoreSnapshot(JSON.parse(text) as never, {} as never);
        [stored] = transition(machineCase.machine, restored, event);
        [kept] = transition(machineCase.machine, kept, event);
      }
      expect(persisted(machineCase, stored)).toEqual(persisted(machineCase, kept));
    }
  });

  it("never rests in a state that no person and no timer leads out of", () => {
    const outside = machineCase.events.filter(endsWaits(machineCase));
    const hangs = paths.filter(({ end }) => !canEnd(machineCase, end, outside));
    expect(hangs.map(({ end }) => end.value)).toEqual([]);
  });

  it("a person's cancel is taken in every state that is not final", () => {
    const isCheckpoint = machineCase.machine.id === "checkpoint";
    const deaf = paths.filter(({ end }) => end.status !== "done" && !end.can({ type: "user.cancel" }));
    expect(isCheckpoint ? [] : deaf.map(({ end }) => end.value)).toEqual([]);
  });

  it("leaves every state in which a person is asked by what the person answers", () => {
    const registered = Object.values(machines).find(({ machine }) => machine === machineCase.machine);
    const asks = paths.filter(({ end }) => {
      const view = registered?.view({ value: end.value, context: JSON.parse(JSON.stringify(end.context)) });
      return view?.state === "FAILED" || view?.state.startsWith("AWAITING_") === true;
    });
    const stays = asks.filter(({ end }) =>
      machineCase.events.every((event) => {
        if (!event.type.startsWith("user.")) return true;
        const [next] = transition(machineCase.machine, end, event);
        return JSON.stringify(next.value) === JSON.stringify(end.value);
      }),
    );
    expect(stays.map(({ end }) => end.value)).toEqual([]);
  });

  it("gives effects JSON parameters only", () => {
    for (const { events } of paths) {
      let [snapshot, actions] = initialTransition(machineCase.machine, machineCase.input);
      for (const event of events) {
        [snapshot, actions] = transition(machineCase.machine, snapshot, event);
        for (const { params } of actions) expect(JSON.parse(JSON.stringify(params ?? {}))).toEqual(params ?? {});
      }
    }
  });

  it("final states are COMPLETED, SKIPPED, CANCELLED and DISMISSED; every state it can rest in is shown", () => {
    const registered = Object.values(machines).find(({ machine }) => machine === machineCase.machine);
    for (const { end } of paths) {
      const facts = registered?.view({ value: end.value, context: JSON.parse(JSON.stringify(end.context)) });
      expect(facts?.progress).toBeGreaterThanOrEqual(0);
      expect(facts?.progress).toBeLessThanOrEqual(100);
      expect(JSON.parse(JSON.stringify(facts))).toEqual(facts);
      expect(end.status === "done").toBe(
        ["COMPLETED", "SKIPPED", "CANCELLED", "DISMISSED"].includes(facts?.state ?? ""),
      );
    }
  });
});

/** A final state can be reached by a person's decisions and timers alone. */
function canEnd(machineCase: MachineCase, from: AnyMachineSnapshot, events: readonly EventObject[]): boolean {
  const seen = new Set<string>([machineCase.same(from)]);
  const queue = [from];
  for (let snapshot = queue.shift(); snapshot !== undefined; snapshot = queue.shift()) {
    if (snapshot.status === "done") return true;
    for (const event of events) {
      const [next] = transition(machineCase.machine, snapshot, event);
      if (seen.has(machineCase.same(next))) continue;
      seen.add(machineCase.same(next));
      queue.push(next);
    }
  }
  return false;
}

describe("every machine", () => {
  it.each(Object.values(machines))("$id: every state is reached in some case", ({ machine }) => {
    const reached = new Set(
      MACHINE_CASES.filter((machineCase) => machineCase.machine === machine).flatMap((machineCase) =>
        findShortestPaths(machineCase).flatMap(({ end }) => end._nodes.map(({ id }: AnyStateNode) => id)),
      ),
    );
    const missing = leaves(machine.root).filter((id) => {
      const node = machine.getStateNodeById(id);
      return !isTransient(node) && !reached.has(id);
    });
    expect(missing).toEqual([]);
  });

  it.each(Object.values(machines))("$id: every state and every transition says what it is", ({ machine }) => {
    const undescribed: string[] = [];
    const visit = (node: AnyStateNode) => {
      if (node !== machine.root && node.description === undefined) undescribed.push(node.id);
      for (const transitions of node.transitions.values()) {
        for (const one of transitions)
          if (one.description === undefined) undescribed.push(`${node.id} on ${one.eventType}`);
      }
      for (const one of node.always ?? []) if (one.description === undefined) undescribed.push(`${node.id} always`);
      for (const below of Object.values(node.states)) visit(below);
    };
    visit(machine.root);
    expect(undescribed).toEqual([]);
  });
});
