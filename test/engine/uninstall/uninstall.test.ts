import { setImmediate } from "node:timers/promises";
import { describe, expect } from "vitest";
import { it } from "../../support/engine/engine-test.ts";
import { settledTask } from "../../support/engine/engine-world.ts";
import { faultOf } from "../../support/engine/scripted-world.ts";
import { ALL, openInstalled, remove, secretOf } from "./uninstall-world.ts";

describe("an uninstall", () => {
  it("keeps data, answers and secrets, which a reinstall offers and uses", async () => {
    const { engine, host, removals } = await openInstalled();
    const before = secretOf({ host });
    const task = await remove(engine);
    expect(task).toMatchObject({
      kind: "uninstall",
      title: "Uninstall DEMO",
      state: "COMPLETED",
      marks: ["shareKept: media"],
      steps: [{ id: "DELETING", state: "done" }],
      result: { app: "uninstalled", removed: [], left: [], snapshots: [], answers: "kept", done: ["app.delete"] },
    });
    expect(host.script.changes().at(-1)?.params).toMatchObject({ method: "deleteApp", removeVolumes: false });
    expect(removals).toEqual([]);
    expect(await engine.app("demo")).toMatchObject({ installed: null });
    expect((await engine.form("demo")).mode).toBe("reinstall");
    await settledTask(engine, (await engine.install("demo")).id);
    expect(secretOf({ host })).toBe(before);
  });

  it("sends nothing once a person has insisted on its end, whatever the host answers later", async () => {
    const { engine, host } = await openInstalled();
    const { app } = host;
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    host.app = async (name) => {
      asked.resolve();
      await answer.promise;
      return app(name);
    };
    const { id } = await engine.uninstall("demo", ALL);
    await asked.promise;
    await engine.cancel(id);
    await engine.cancel(id);
    expect(await settledTask(engine, id)).toMatchObject({ state: "CANCELLED" });
    answer.resolve();
    await setImmediate();
    expect(host.script.changes().map(({ method }) => method)).not.toContain("app.delete");
    expect(await engine.app("demo")).toMatchObject({ installed: {} });
  });

  it("is as wanted where the app has gone by other means, and asks after a kill before it repeats", async () => {
    const world = await openInstalled();
    world.host.script.hold("app.delete");
    const { id } = await world.engine.uninstall("demo");
    await expect.poll(() => world.host.script.changes().at(-1)?.method).toBe("app.delete");
    await expect(world.engine.startApp("demo")).rejects.toMatchObject({
      code: "TASK_CONFLICT",
      details: { taskId: id },
    });
    const next = await world.crash();
    next.host.script.restart(true);
    expect(await settledTask(next.engine, id)).toMatchObject({ state: "COMPLETED", result: { app: "uninstalled" } });
    expect(next.host.script.changes().filter(({ method }) => method === "app.delete")).toHaveLength(1);
    await expect(next.engine.uninstall("demo")).rejects.toMatchObject({ code: "TASK_APP_NOT_INSTALLED" });
    await expect(next.engine.previewUninstall("nobody")).rejects.toMatchObject({ code: "TASK_APP_UNKNOWN" });
  });

  it("fails with what the host says, and is retried from there", async () => {
    const { engine, host } = await openInstalled();
    host.script.endJob("app.delete", { state: "FAILED", fault: faultOf("HOST_CALL_FAILED", "[EFAULT] no") });
    const failed = await remove(engine);
    expect(failed).toMatchObject({ state: "FAILED", result: { app: "notUninstalled", notDone: ["app.delete"] } });
    await engine.retry(failed.id);
    expect(await settledTask(engine, failed.id)).toMatchObject({ state: "COMPLETED" });
  });

  it("deletes no other app that has taken the name while the host was away", async () => {
    const { engine, host } = await openInstalled();
    const { app } = host;
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    host.app = async (name) => {
      asked.resolve();
      await answer.promise;
      return app(name);
    };
    const { id } = await engine.uninstall("demo");
    await asked.promise;
    host.script.setApp("demo", { appId: "somebody-elses" });
    answer.resolve();
    expect(await settledTask(engine, id)).toMatchObject({ state: "COMPLETED" });
    expect(host.script.changes().map(({ method }) => method)).not.toContain("app.delete");
    expect(host.script.world.instances.has("demo")).toBe(true);
  });

  it("turns pairings of others with it to not installed", async () => {
    const { engine } = await openInstalled();
    const pairing = async () => (await engine.app("other"))?.pairings.map(({ status }) => status);
    expect(await pairing()).toEqual(["installed"]);
    await remove(engine);
    // What the host said last is shown for a moment.
    await expect.poll(pairing).toEqual(["not installed"]);
  });
});
