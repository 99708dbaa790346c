/** A failed update has the values the app had when it was asked for: they are not put over what came since. */
import { describe, expect } from "vitest";
import { it } from "../../support/engine/engine-test.ts";
import { type EngineWorld, settledTask } from "../../support/engine/engine-world.ts";
import { faultOf, makeInstance } from "../../support/engine/scripted-world.ts";
import { instance, openInstalled, rollBack, update, upgrade } from "../rollback/rollback-world.ts";

const FAULT = { state: "FAILED", fault: faultOf("HOST_CALL_FAILED", "[EFAULT] no") } as const;

/** An update to the name Bob that the host has failed at. */
async function failUpdate(world: EngineWorld, acted: boolean): Promise<string> {
  world.host.script.endJob("app.update", { ...FAULT, acted });
  const view = await update(world.engine, { name: "Bob" });
  expect(view.state).toBe("FAILED");
  return view.id;
}

const changes = ({ host }: EngineWorld) => host.script.changes().length;

const uninstall = async ({ engine }: EngineWorld) => settledTask(engine, (await engine.uninstall("demo")).id);

/** What a newer task does to the app. */
const NEWER: Readonly<Record<string, (world: EngineWorld) => Promise<unknown>>> = {
  upgrade: ({ engine }) => upgrade(engine),
  rollback: ({ engine }) => rollBack(engine),
  uninstall,
  update: ({ engine }) => update(engine, { name: "Cid" }),
  "uninstall and install": async (world) => {
    await uninstall(world);
    await settledTask(world.engine, (await world.engine.install("demo")).id);
  },
  adopt: async (world) => {
    await uninstall(world);
    world.host.script.world.instances.set(...makeInstance("demo", { demo: { name: "Eve" } }));
    await settledTask(world.engine, (await world.engine.adopt("demo")).id);
  },
};

describe("a failed update", () => {
  it.for(Object.keys(NEWER))("is not retried over a newer task of its app: %s", async (newer) => {
    const world = await openInstalled();
    const { engine } = world;
    if (newer === "rollback") await upgrade(engine);
    const id = await failUpdate(world, false);
    await NEWER[newer]?.(world);
    expect(engine.tasks()).toContainEqual(
      expect.objectContaining({ kind: newer.split(" ").at(-1), state: "COMPLETED", appId: "demo" }),
    );
    const [before, values] = [changes(world), instance(world)?.values];
    await expect(engine.retry(id)).rejects.toMatchObject({
      code: "TASK_UPDATE_OVERTAKEN",
      details: { taskId: id, appId: "demo" },
    });
    expect([changes(world), instance(world)?.values]).toEqual([before, values]);
    // Its way out is the one its advice names.
    await engine.dismiss(id);
    expect(engine.task(id)).toMatchObject({ state: "DISMISSED" });
  });

  it.for([false, true])("is retried where nothing but itself has changed its app, acted: %s", async (acted) => {
    const world = await openInstalled();
    const { engine } = world;
    const id = await failUpdate(world, acted);
    await settledTask(engine, (await engine.restartApp("demo")).id);
    await engine.retry(id);
    expect(await settledTask(engine, id)).toMatchObject({ state: "COMPLETED" });
    expect(instance(world)?.values).toMatchObject({ demo: { name: "Bob" } });
  });

  it("is retried where a newer task was refused all of what it asked the host for", async () => {
    const world = await openInstalled();
    const { engine, host } = world;
    const id = await failUpdate(world, false);
    host.script.endJob("app.upgrade", FAULT);
    const failed = await upgrade(engine);
    expect(failed.state).toBe("FAILED");
    await engine.dismiss(failed.id);
    await engine.retry(id);
    expect(await settledTask(engine, id)).toMatchObject({ state: "COMPLETED" });
  });
});
