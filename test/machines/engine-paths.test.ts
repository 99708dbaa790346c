/** Every shortest path of every machine on the real runtime, each event from where it comes. */
import { existsSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { type EventObject, initialTransition, transition } from "xstate";
import { machines } from "../../machines/index.ts";
import type { RegisteredMachine } from "../../src/engine/runtime/effect.ts";
import { createTestFolder } from "../support/engine/runtime-world.ts";
import { createPathPlayer } from "../support/paths/path-player.ts";
import { MACHINE_CASES, type MachineCase } from "./machine-cases.ts";
import { findShortestPaths } from "./shortest-paths.ts";

const registry: Readonly<Record<string, RegisteredMachine>> = machines;
const folders: ReturnType<typeof createTestFolder>[] = [];
afterAll(() => {
  for (const folder of folders) folder.remove();
});

/** Thousands of commits whose durability is tested elsewhere. */
const MEMORY = "/dev/shm";

/** Where the machine alone comes to: a path's own end may be another snapshot that is the same to its case. */
function foldedEnd(machineCase: MachineCase, events: readonly EventObject[]): unknown {
  let [snapshot] = initialTransition(machineCase.machine, machineCase.input);
  for (const event of events) [snapshot] = transition(machineCase.machine, snapshot, event);
  return JSON.parse(JSON.stringify(machineCase.machine.getPersistedSnapshot(snapshot)));
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
      for (const { events } of findShortestPaths(machineCase)) {
        const { snapshot, quarantine } = await player.play(machineCase.input, events);
        expect(quarantine).toBeNull();
        expect(snapshot).toEqual(foldedEnd(machineCase, events));
      }
      const sentOnly = [...player.came].filter(([, how]) => how.size === 1 && how.has("sent")).map(([type]) => type);
      expect(sentOnly, "events no effect, person, clock or task ever brings").toEqual([]);
      await player.close();
    });
  },
);
