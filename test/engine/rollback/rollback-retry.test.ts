import { describe, expect } from "vitest";
import { it } from "../../support/engine/engine-test.ts";
import { settledTask } from "../../support/engine/engine-world.ts";
import { faultOf } from "../../support/engine/scripted-world.ts";
import { instance, openInstalled, rollBack, update, upgrade } from "./rollback-world.ts";

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
    host.script.endJob("app.update", { state: "FAILED", fault: faultOf("HOST_CALL_FAILED", "[EFAULT] no") });
    const older = await update(engine, { name: "Bob" });
    expect(older).toMatchObject({ state: "FAILED" });
    await upgrade(engine);
    host.script.endJob("app.rollback", { state: "FAILED", fault: faultOf("HOST_CALL_FAILED", "[EFAULT] no") });
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
