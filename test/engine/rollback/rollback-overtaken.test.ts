import { describe, expect } from "vitest";
import { it } from "../../support/engine/engine-test.ts";
import { type EngineWorld, settledTask } from "../../support/engine/engine-world.ts";
import { addDirectory, faultOf } from "../../support/engine/scripted-world.ts";
import { DATA, instance, openInstalled, rollBack, update, upgrade } from "./rollback-world.ts";

const changes = ({ host }: Pick<EngineWorld, "host">) => host.script.changes().map(({ method }) => method);

/** The owner upgrades it on the host's own page. */
function upgradeOutside(world: Pick<EngineWorld, "host">, version: string): void {
  const demo = instance(world);
  if (demo !== undefined) demo.app = { ...demo.app, version };
}

describe("a rollback that went on in the time an older copy of the database lacks", () => {
  it.for(["app.rollback", "pool.dataset.rename"] as const)("is not repeated on newer data: %s", async (failed) => {
    const world = await openInstalled();
    const { engine, host } = world;
    await upgrade(engine);
    if (failed === "app.rollback")
      host.script.endJob(failed, { state: "FAILED", fault: faultOf("HOST_CALL_FAILED", "[EFAULT] no") });
    else host.script.refuse(failed, faultOf("HOST_DATASET_BUSY", "busy", { retryable: true }), "yes");
    const { id } = await rollBack(engine);
    expect(engine.task(id)).toMatchObject({ state: "FAILED" });
    const putBack = world.copy();
    await engine.retry(id);
    expect(await settledTask(engine, id)).toMatchObject({ state: "COMPLETED" });
    await upgrade(engine);
    addDirectory(host.script.world, `${DATA}/newest`);

    const older = await putBack();
    const before = changes(older).length;
    await older.engine.retry(id);
    expect(await settledTask(older.engine, id)).toMatchObject({
      state: "FAILED",
      failure: { code: "TASK_ROLLBACK_OVERTAKEN" },
      result: { restored: [], notDone: expect.arrayContaining([DATA]) },
    });
    expect(changes(older).slice(before)).toEqual(failed === "app.rollback" ? [] : ["app.stop"]);
    expect(instance(older)?.app).toMatchObject({ version: "2.0.0" });
    expect(older.host.script.world.paths.has(`${DATA}/newest`)).toBe(true);
    await older.engine.dismiss(id);
  });

  it("is not repeated where the version is the same", async () => {
    const world = await openInstalled();
    const { engine, host } = world;
    await upgrade(engine);
    host.script.refuse("pool.dataset.rename", faultOf("HOST_DATASET_BUSY", "busy", { retryable: true }), "yes");
    const { id } = await rollBack(engine);
    const putBack = world.copy();
    await engine.retry(id);
    await settledTask(engine, id);
    const older = await putBack();
    await older.engine.retry(id);
    const message = expect.stringContaining("after this copy of the database was made");
    expect(await settledTask(older.engine, id)).toMatchObject({
      state: "FAILED",
      failure: { code: "TASK_ROLLBACK_OVERTAKEN", message },
    });
  });
});

describe("an app that was upgraded on the host's own page while a rollback of it had failed", () => {
  it("keeps its data, whether its version went back", async () => {
    const world = await openInstalled();
    const { engine, host } = world;
    await upgrade(engine);
    host.script.refuse("pool.dataset.rename", faultOf("HOST_DATASET_BUSY", "busy", { retryable: true }), "yes");
    const { id } = await rollBack(engine);
    expect(engine.task(id)).toMatchObject({ state: "FAILED", result: { done: ["app.rollback", "app.update"] } });
    upgradeOutside(world, "2.0.0");
    await engine.retry(id);
    const message = `"demo" is at version 2.0.0, and its data would go back to 1.0.0`;
    expect(await settledTask(engine, id)).toMatchObject({
      state: "FAILED",
      failure: { code: "TASK_ROLLBACK_OVERTAKEN", message },
      result: { restored: [], setAside: [] },
    });
  });

  it.for([
    ["before anything of it", "pool.snapshot.create"],
    ["before its data", "pool.dataset.rename"],
  ] as const)("keeps its data where the version was to stay, %s", async ([_, failed]) => {
    const world = await openInstalled();
    const { engine, host } = world;
    const { id: point } = await update(engine, { name: "Ann" });
    expect(await engine.previewRollback("demo", { snapshot: point })).toMatchObject({ options: "kept" });
    host.script.refuse(failed, faultOf("HOST_DATASET_BUSY", "busy"), "yes");
    const { id } = await rollBack(engine, { snapshot: point });
    expect(engine.task(id)).toMatchObject({ state: "FAILED" });
    upgradeOutside(world, "2.0.0");
    await engine.retry(id);
    expect(await settledTask(engine, id)).toMatchObject({
      state: "FAILED",
      failure: { code: "TASK_ROLLBACK_OVERTAKEN" },
      result: { restored: [], setAside: [] },
    });
  });
});
