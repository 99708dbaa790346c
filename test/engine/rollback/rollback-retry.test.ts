import { describe, expect } from "vitest";
import { it } from "../../support/engine/engine-test.ts";
import { settledTask } from "../../support/engine/engine-world.ts";
import { faultOf } from "../../support/engine/scripted-world.ts";
import { DATA, DEMO, instance, openInstalled, rollBack, update, upgrade } from "./rollback-world.ts";

describe("a failed rollback", () => {
  it("says that the version is back where the values could not be brought back", async () => {
    const world = await openInstalled();
    const { engine, host } = world;
    await update(engine, { name: "Bob" });
    const [, point] = [await upgrade(engine), (await engine.snapshots("demo")).at(-1)];
    host.script.endJob("app.update", { state: "FAILED", fault: faultOf("HOST_CALL_FAILED", "[EFAULT] no") });
    const { id, result } = await rollBack(engine, { snapshot: point?.id ?? "" });
    const back = { app: "rolledBack", done: ["app.rollback"], notDone: ["app.update", DATA] };
    expect([engine.task(id)?.state, result]).toEqual(["FAILED", expect.objectContaining(back)]);
    expect(instance(world)?.app).toMatchObject({ version: "1.0.0" });
    // The version is found to be back by the next attempt too.
    host.script.endJob("app.update", { state: "FAILED", fault: faultOf("HOST_CALL_FAILED", "[EFAULT] no") });
    await engine.retry(id);
    expect(await settledTask(engine, id)).toMatchObject({ state: "FAILED", result: back });
    await engine.retry(id);
    expect(await settledTask(engine, id)).toMatchObject({ state: "COMPLETED", result: { notDone: [] } });
  });

  it("shows no former answer a newer script asks for no more: nobody knows whether it was a password", async () => {
    const world = await openInstalled();
    const { engine, host } = world;
    const questions = DEMO.installation_questions.filter(({ key }) => key !== "password");
    const values = { demo: { name: "$QUESTION(name)" } };
    world.write({ demo: { ...DEMO, installation_questions: questions, app_values: values } });
    await engine.syncCatalog();
    expect(await update(engine, { name: "Bob" })).toMatchObject({ state: "COMPLETED" });
    const fault = faultOf("HOST_CALL_FAILED", "[EFAULT] none of old-swordfish and Ann");
    host.script.endJob("app.update", { state: "FAILED", fault });
    const task = await rollBack(engine);
    expect(task).toMatchObject({ state: "FAILED", failure: { message: "[EFAULT] none of ******** and Ann" } });
    expect(JSON.stringify([task, world.log])).not.toContain("swordfish");
  });

  it("stops an app once more that was started while it failed", async () => {
    const { engine, host } = await openInstalled();
    await upgrade(engine);
    host.script.refuse("pool.dataset.rename", faultOf("HOST_DATASET_BUSY", "busy", { retryable: true }), "yes");
    const { id } = await rollBack(engine);
    expect(engine.task(id)).toMatchObject({ state: "FAILED", failure: { message: expect.stringContaining("busy") } });
    await settledTask(engine, (await engine.startApp("demo")).id);
    await engine.retry(id);
    expect(await settledTask(engine, id)).toMatchObject({ state: "COMPLETED", result: { restored: [DATA] } });
  });
});

describe("a retry of a failed rollback", () => {
  it("is refused once a later task has changed the app, however the rollback had failed", async () => {
    const world = await openInstalled();
    const { engine, host } = world;
    await upgrade(engine);
    host.script.refuse("pool.snapshot.create", faultOf("HOST_CALL_FAILED", "[EFAULT] out of space"));
    const { id } = await rollBack(engine);
    expect(engine.task(id)).toMatchObject({ state: "FAILED", result: { app: "notRolledBack" } });
    const newer = await update(engine, { name: "Bob" });
    expect(newer).toMatchObject({ state: "COMPLETED" });
    await expect(engine.retry(id)).rejects.toMatchObject({ code: "TASK_ROLLBACK_OVERTAKEN", details: { taskId: id } });
    expect(instance(world)?.values["demo"]).toMatchObject({ name: "Bob" });
    expect(engine.task(id)).toMatchObject({ state: "FAILED" });
    await engine.dismiss(id);
  });

  it("is refused after an older task was retried meanwhile", async () => {
    const world = await openInstalled();
    const { engine, host } = world;
    await upgrade(engine);
    host.script.endJob("app.update", { state: "FAILED", fault: faultOf("HOST_CALL_FAILED", "[EFAULT] no") });
    const older = await update(engine, { name: "Bob" });
    expect(older).toMatchObject({ state: "FAILED" });
    host.script.refuse("pool.snapshot.create", faultOf("HOST_CALL_FAILED", "[EFAULT] out of space"));
    const { id } = await rollBack(engine);
    expect(engine.task(id)).toMatchObject({ state: "FAILED", result: { app: "notRolledBack" } });
    await engine.retry(older.id);
    expect(await settledTask(engine, older.id)).toMatchObject({ state: "COMPLETED" });
    await expect(engine.retry(id)).rejects.toMatchObject({ code: "TASK_ROLLBACK_OVERTAKEN" });
    expect(instance(world)?.app).toMatchObject({ version: "2.0.0" });
  });

  it("goes on where a later task came to change nothing, after a kill too", async () => {
    const world = await openInstalled();
    const { engine, host } = world;
    await upgrade(engine);
    host.script.endJob("app.rollback", { state: "FAILED", fault: faultOf("HOST_CALL_FAILED", "[EFAULT] no") });
    const { id } = await rollBack(engine);
    expect(engine.task(id)).toMatchObject({ state: "FAILED" });
    host.script.endJob("app.update", { state: "FAILED", fault: faultOf("HOST_CALL_FAILED", "[EFAULT] no") });
    expect(await update(engine, { name: "Bob" })).toMatchObject({ state: "FAILED", result: { app: "notUpdated" } });
    await settledTask(engine, (await engine.restartApp("demo")).id);
    const next = await world.crash();
    await next.engine.retry(id);
    expect(await settledTask(next.engine, id)).toMatchObject({ state: "COMPLETED", result: { version: "1.0.0" } });
  });
});
