import type { AnyMachineSnapshot, EventObject } from "xstate";
import { getShortestPaths } from "xstate/graph";
import type { Scene } from "./machine-cases.ts";

/** A reachable snapshot and the shortest events that lead there. */
export interface WalkedPath {
  readonly events: readonly EventObject[];
  readonly end: AnyMachineSnapshot;
}

/** Every snapshot reachable in a scene, with the shortest events that lead there. */
export function walk(deps: Scene): readonly WalkedPath[] {
  return getShortestPaths(deps.machine, {
    input: deps.input,
    events: [...deps.events],
    serializeState: (snapshot) => deps.same(snapshot as AnyMachineSnapshot),
    limit: 20_000,
  }).map((path) => ({
    events: path.steps.map(({ event }) => event as EventObject).filter(({ type }) => type !== "xstate.init"),
    end: path.state as AnyMachineSnapshot,
  }));
}
