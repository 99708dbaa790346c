/** Every shortest path of every machine on the real runtime, each event from where it comes in life. */
import { existsSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { type EventObject, initialTransition, transition } from "xstate";
import { machines } from "../../machines/index.ts";
import type { RegisteredMachine } from "../../src/engine/runtime/effect.ts";
import { createTestFolder } from "../support/engine/runtime-world.ts";
import { createPathPlayer } from "../support/paths/path-player.ts";
import { SCENES, type Scene } from "./machine-cases.ts";
import { walk } from "./shortest-paths.ts";

const registry: Readonly<Record<string, RegisteredMachine>> = machines;
const folders: ReturnType<typeof createTestFolder>[] = [];
afterAll(() => {
  for (const folder of folders) folder.remove();
});

/** Thousands of commits whose durability is tested elsewhere. */
const MEMORY = "/dev/shm";

/** Where the machine alone comes to: a walked path's own end may be another snapshot that is the same to its scene. */
function foldedEnd(deps: Scene, events: readonly EventObject[]): unknown {
  let [snapshot] = initialTransition(deps.machine, deps.input);
  for (const event of events) [snapshot] = transition(deps.machine, snapshot, event);
  return JSON.parse(JSON.stringify(deps.machine.getPersistedSnapshot(snapshot)));
}

describe.each(SCENES.filter(({ machine }) => machine !== machines.checkpoint.machine))("$name", (deps) => {
  it("comes to the same snapshot on every shortest path", async () => {
    const folder = createTestFolder(...(existsSync(MEMORY) ? [MEMORY] : []));
    folders.push(folder);
    const registered = registry[deps.machine.id];
    if (registered === undefined) throw new Error(`no machine "${deps.machine.id}"`);
    const player = createPathPlayer(folder.path, registered);
    for (const { events } of walk(deps)) {
      const { snapshot, quarantine } = await player.play(deps.input, events);
      expect(quarantine).toBeNull();
      expect(snapshot).toEqual(foldedEnd(deps, events));
    }
    const sentOnly = [...player.came].filter(([, how]) => how.size === 1 && how.has("sent")).map(([type]) => type);
    expect(sentOnly, "events no effect, person, clock or task ever brings").toEqual([]);
    await player.close();
  });
});
