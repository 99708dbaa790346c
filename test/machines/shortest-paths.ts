import type { AnyMachineSnapshot, EventObject } from "xstate";
import { getShortestPaths } from "xstate/graph";
import type { MachineCase } from "./machine-cases.ts";

/** A reachable snapshot and the shortest events that lead there. */
export interface ShortestPath {
  readonly events: readonly EventObject[];
  readonly end: AnyMachineSnapshot;
}

/** Every snapshot reachable in a case, with the shortest events that lead there. */
export function findShortestPaths(machineCase: MachineCase): readonly ShortestPath[] {
  return getShortestPaths(machineCase.machine, {
    input: machineCase.input,
    events: [...machineCase.events],
    serializeState: (snapshot) => machineCase.same(snapshot as AnyMachineSnapshot),
    limit: 20_000,
  }).map((path) => ({
    events: path.steps.map(({ event }) => event as EventObject).filter(({ type }) => type !== "xstate.init"),
    end: path.state as AnyMachineSnapshot,
  }));
}
