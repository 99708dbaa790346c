import { afterAll, describe, expect, it } from "vitest";
import { setup } from "xstate";
import { machines } from "../../machines/index.ts";
import { toJsonObject } from "../../src/core/json.ts";
import type { EffectHandler, RegisteredMachine } from "../../src/engine/effect.ts";
import { createEffects } from "../../src/engine/effects/effects.ts";
import { DEFAULT_TIMING } from "../../src/engine/timing.ts";
import { createHeldHandler, createTestFolder, createWorld } from "../support/runtime-world.ts";
import { SCENES } from "./scenes.ts";
import { walk } from "./walk.ts";

/** A child that does nothing: the path itself says how children end. */
const silent: RegisteredMachine = {
  id: "hook-task",
  version: 1,
  machine: setup({}).createMachine({ id: "silent", initial: "IDLE", states: { IDLE: {} } }),
  migrate: {},
  view: () => ({ kind: "hook", state: "PENDING", label: "", progress: 0, marks: [] }),
};

/** Every effect of the engine, never answered: the path itself says what came of them. */
function heldEffects(): Record<string, EffectHandler> {
  // Only the names and classes are used, so nothing of the scene is.
  const real = createEffects({ timing: DEFAULT_TIMING } as Parameters<typeof createEffects>[0]);
  return Object.fromEntries(Object.entries(real).map(([name, handler]) => [name, createHeldHandler(handler)]));
}

const folder = createTestFolder();
afterAll(() => folder.remove());

describe.each(SCENES.filter(({ machine }) => machine !== machines.checkpoint.machine))("$name", (scene) => {
  it("comes to the same end on the real runtime as on every shortest path", async () => {
    const isParent = scene.machine !== machines["hook-task"].machine;
    const registered = Object.values(machines).filter((one) => !isParent || one.id !== "hook-task");
    const world = createWorld({
      folder: folder.path,
      registry: isParent ? [...registered, silent] : registered,
      handlers: heldEffects(),
    });
    const kind = isParent ? "install" : "hook";
    for (const { events, end } of walk(scene)) {
      const input = toJsonObject(Object(scene.input));
      const { id } = world.runtime.start({ machine: scene.machine.id, input, kind, appId: "demo" });
      for (const event of events) world.runtime.send(id, Object(JSON.parse(JSON.stringify(event))));
      const row = world.store.task(id);
      expect(JSON.parse(row?.snapshot ?? "null").value).toEqual(JSON.parse(JSON.stringify(end.value)));
      expect(row?.quarantine).toBeNull();
    }
    await world.close();
  });
});
