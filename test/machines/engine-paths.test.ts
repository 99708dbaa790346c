/** Every shortest path of every machine on the real runtime, each event from where it comes. */
import { existsSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { type EventObject, initialTransition, transition } from "xstate";
import { machines } from "../../machines/index.ts";
import type { RegisteredMachine } from "../../src/engine/runtime/effect.ts";
import { createTestFolder } from "../support/engine/runtime-world.ts";
import { createPathPlayer, type Played } from "../support/paths/path-player.ts";
import { MACHINE_CASES, type MachineCase } from "./machine-cases.ts";
import { findShortestPaths } from "./shortest-paths.ts";

const registry: Readonly<Record<string, RegisteredMachine>> = machines;
const folders: ReturnType<typeof createTestFolder>[] = [];
afterAll(() => {
  for (const folder of folders) folder.remove();
});

/** Thousands of commits whose durability is tested elsewhere. */
const MEMORY = "/dev/shm";

type Events = readonly EventObject[];

/** Where the machine alone comes to: a path's own end may be another snapshot that is the same to its case. */
function foldedEnd(machineCase: MachineCase, events: Events): unknown {
  let [snapshot] = initialTransition(machineCase.machine, machineCase.input);
  for (const event of events) [snapshot] = transition(machineCase.machine, snapshot, event);
  return JSON.parse(JSON.stringify(machineCase.machine.getPersistedSnapshot(snapshot)));
}

const toKey = (events: Events): string => JSON.stringify(events);

/** Paths that are not the beginning of another one: who plays these comes by all. */
function withoutBeginnings(paths: readonly Events[]): readonly Events[] {
  const beginnings = new Set(paths.filter(({ length }) => length > 0).map((events) => toKey(events.slice(0, -1))));
  return paths.filter((events) => !beginnings.has(toKey(events)));
}

describe.each(MACHINE_CASES.filter(({ machine }) => machine !== machines.checkpoint.machine))(
  "$name",
  (machineCase) => {
    it("comes to the same snapshot on every shortest path", async () => {
      const folder = createTestFolder(...(existsSync(MEMORY) ? [MEMORY] : []));
      folders.push(folder);
      const registered = registry[machineCase.machine.id];
      if (registered === undefined) throw new Error(`no machine "${machineCase.machine.id}"`);
      const player = createPathPlayer(folder.path, registered);
      const paths = findShortestPaths(machineCase).map(({ events }) => events);
      const played = new Map<string, Played>();
      for (const events of withoutBeginnings(paths)) {
        const states = await player.play(machineCase.input, events);
        for (const [count, state] of states.entries()) played.set(toKey(events.slice(0, count)), state);
      }
      for (const events of paths) {
        const { snapshot, quarantine } = played.get(toKey(events)) ?? {};
        expect(quarantine).toBeNull();
        expect(snapshot).toEqual(foldedEnd(machineCase, events));
      }
      const sentOnly = [...player.came].filter(([, how]) => how.size === 1 && how.has("sent")).map(([type]) => type);
      expect(sentOnly, "events no effect, person, clock or task ever brings").toEqual([]);
      await player.close();
    });
  },
);
