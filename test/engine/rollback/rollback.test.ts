import { describe, expect } from "vitest";
import { HostError } from "../../../src/engine/host-error.ts";
import { it } from "../../support/engine/engine-test.ts";
import { settledTask } from "../../support/engine/engine-world.ts";
import { addDataset, addDirectory, faultOf } from "../../support/engine/scripted-world.ts";
import { DATA, instance, openInstalled, rollBack, update, upgrade } from "./rollback-world.ts";

describe("a rollback", () => {
  it("lists what tasks have noted and taken, the newest first, with the versions", async () => {
    const { engine, host } = await openInstalled();
    expect(await engine.snapshots("demo")).toEqual([]);
    const upgraded = await upgrade(engine);
    const updated = await update(engine, { name: "Bob" });
    const [before, after, ...more] = await engine.snapshots("demo");
    expect(before).toMatchObject({ id: updated.id, purpose: "pre-update", version: "2.0.0" });
    expect(after).toMatchObject({
      id: upgraded.id,
      purpose: "pre-upgrade",
      version: "1.0.0",
      toVersion: "2.0.0",
      datasets: [
        { name: expect.stringMatching(/^tank\/apps\/demo\/data@platform-app-demo-data-/), paths: [DATA], bytes: 0 },
        { name: expect.stringMatching(/^tank\/media\/films@/), paths: ["/mnt/tank/media/films"] },
      ],
    });
    expect(more).toEqual([]);
    // A snapshot nothing is noted of, as after the database was lost.
    const properties = { "platform:app": "demo", "platform:purpose": "ownership-repair", "platform:path": DATA };
    const name = "platform-app-demo-ownership-20250102T030405Z";
    await host.createSnapshot({ dataset: "tank/apps/demo/data", name, properties });
    await host.createSnapshot({ dataset: "tank/apps/demo/data", name: "of-a-person", properties: {} });
    expect((await engine.snapshots("demo")).at(-1)).toEqual({
      id: `tank/apps/demo/data@${name}`,
      purpose: "ownership-repair",
      at: "2025-01-02T03:04:05.000Z",
      datasets: [{ name: `tank/apps/demo/data@${name}`, paths: [DATA], bytes: 0 }],
    });
  });

  it("brings back version, values, answers, secrets and data, and puts the present aside", async () => {
    const world = await openInstalled();
    const { engine, host } = world;
    const values = instance(world)?.values;
    await upgrade(engine);
    await update(engine, { name: "Bob", password: "new-swordfish" });
    addDirectory(host.script.world, `${DATA}/new`);
    host.script.world.shares.push({ name: "Demo", path: `${DATA}/new` }, { name: "Films", path: "/mnt/tank/media" });
    const [, upgraded] = await engine.snapshots("demo");
    const preview = await engine.previewRollback("demo", { snapshot: upgraded?.id ?? "" });
    expect(preview).toMatchObject({
      name: "DEMO",
      version: { from: "2.0.0", to: "1.0.0" },
      options: "restored",
      volumes: "restored",
      restored: [
        {
          path: DATA,
          dataset: "tank/apps/demo/data",
          newer: [expect.stringContaining("@platform-app-demo")],
          shares: ["Demo"],
        },
      ],
      kept: [{ paths: ["/mnt/tank/media/films"], reason: expect.stringContaining("was there before the app") }],
    });
    expect(preview.impossible).toBeUndefined();

    const task = await rollBack(engine, { snapshot: upgraded?.id ?? "" });
    expect(task).toMatchObject({
      kind: "rollback",
      title: "Roll back DEMO",
      state: "COMPLETED",
      marks: [expect.stringContaining("notRestored: /mnt/tank/media/films"), expect.stringContaining("setAside: ")],
      result: {
        app: "rolledBack",
        version: "1.0.0",
        restored: [DATA],
        setAside: [expect.stringMatching(/^tank\/apps\/demo\/data-before-\d{8}T\d{6}Z$/)],
        snapshots: [expect.stringMatching(/^tank\/apps\/demo\/data@platform-app-demo-data-/)],
        notDone: [],
      },
    });
    expect(instance(world)?.app).toMatchObject({ version: "1.0.0", state: "RUNNING" });
    expect(instance(world)?.values).toEqual(values);
    const { paths } = host.script.world;
    const [aside = ""] = Object(task.result).setAside;
    expect([paths.has(`${DATA}/old`), paths.has(`${DATA}/new`)]).toEqual([true, false]);
    expect([paths.has(`/mnt/${aside}/old`), paths.has(`/mnt/${aside}/new`)]).toEqual([true, true]);
    // What the engine keeps fits what runs: an update begins with it.
    expect(await engine.revealAnswer("demo", "password")).toMatchObject({ value: "old-swordfish" });
    const form = await engine.form("demo", "options");
    expect(JSON.stringify(form)).toContain("Ann");
    // The present was noted, and its snapshot lies with what was put aside.
    const [present] = await engine.snapshots("demo");
    expect(present).toMatchObject({ id: task.id, purpose: "pre-rollback", version: "2.0.0" });
    expect(present?.datasets[0]?.name).toContain(`${aside}@`);
    expect(JSON.stringify([task, world.log])).not.toContain("swordfish");
  });

  it("goes forward again where the version is the same: a rollback of an update is undone by another", async () => {
    const world = await openInstalled();
    const { engine, host } = world;
    await update(engine, { name: "Bob" });
    addDirectory(host.script.world, `${DATA}/new`);
    const back = await rollBack(engine);
    expect(back).toMatchObject({ state: "COMPLETED", result: { app: "rolledBack", version: "1.0.0" } });
    expect(instance(world)?.values["demo"]).toMatchObject({ name: "Ann" });
    expect(host.script.done.map(({ method }) => method)).not.toContain("app.rollback");
    const forth = await rollBack(engine, { snapshot: back.id });
    expect(forth).toMatchObject({ state: "COMPLETED" });
    expect(instance(world)?.values["demo"]).toMatchObject({ name: "Bob" });
    expect(host.script.world.paths.has(`${DATA}/new`)).toBe(true);
    expect(Object(forth.result).setAside).not.toEqual(Object(back.result).setAside);
  });

  it("takes back what was added beside the old values, and answers that no value shows", async () => {
    const world = await openInstalled();
    const { engine } = world;
    const point = await update(engine, { name: "Ann" });
    expect(await engine.previewRollback("demo", { snapshot: point.id })).toMatchObject({ options: "kept" });
    const live = instance(world);
    if (live !== undefined) live.values = { ...live.values, demo: { ...Object(live.values["demo"]), debug: true } };
    expect(await rollBack(engine, { snapshot: point.id })).toMatchObject({ state: "COMPLETED" });
    expect(instance(world)?.values["demo"]).not.toHaveProperty("debug");
    const since = await update(engine, { note: "new" });
    expect(instance(world)?.values["demo"]).not.toHaveProperty("note");
    expect(await engine.previewRollback("demo", { snapshot: since.id })).toMatchObject({ options: "restored" });
    expect(await rollBack(engine, { snapshot: since.id })).toMatchObject({ state: "COMPLETED" });
    expect(JSON.stringify((await engine.form("demo", "options")).steps)).not.toContain('"new"');
  });

  it("changes nothing where no snapshot of the present can be taken, unless it is told to go on", async () => {
    const world = await openInstalled();
    const { engine, host } = world;
    await upgrade(engine);
    const changes = () => host.script.changes().map(({ method }) => method);
    const before = changes().length;
    host.script.refuse("pool.snapshot.create", faultOf("HOST_CALL_FAILED", "[EFAULT] out of space"));
    const task = await rollBack(engine);
    expect(task).toMatchObject({ state: "FAILED", failure: { message: "[EFAULT] out of space" } });
    // By this the page offers to go on without.
    expect(task.steps[0]).toMatchObject({ id: "SNAPSHOTS", state: "stopped" });
    expect(changes().slice(before)).toEqual(["pool.snapshot.create"]);
    await engine.dismiss(task.id);
    host.script.refuse("pool.snapshot.create", faultOf("HOST_CALL_FAILED", "[EFAULT] out of space"));
    expect(await rollBack(engine, { withoutSnapshot: true })).toMatchObject({
      state: "COMPLETED",
      marks: [
        expect.stringContaining("notRestored"),
        `notSnapshotted: ${DATA}: [EFAULT] out of space`,
        expect.stringContaining("setAside: "),
      ],
      result: { restored: [DATA], snapshots: [] },
    });
  });

  it("stops where the host says of a snapshot it does not show that it is there already", async () => {
    const world = await openInstalled();
    const { engine, host } = world;
    await upgrade(engine);
    host.createSnapshot = async () => {
      throw new HostError(faultOf("HOST_EXISTS", "[EEXIST] it is there"), "yes");
    };
    expect(await rollBack(engine)).toMatchObject({ state: "FAILED", failure: { message: "[EEXIST] it is there" } });
  });

  it("never restores a location, what another app uses, what holds other datasets, or what it has not made", async () => {
    const world = await openInstalled();
    const { engine, host } = world;
    await upgrade(engine);
    const whyNot = async () => (await engine.previewRollback("demo")).kept.map(({ reason }) => reason);
    host.script.setApp("other", { mounts: [{ hostPath: `${DATA}/shared`, containerPath: "/x" }] });
    expect(await whyNot()).toContainEqual(expect.stringContaining('"OTHER" uses it'));
    host.script.setApp("other", { mounts: [] });
    addDataset(host.script.world, "tank/apps/demo/data/inner", "NFSV4");
    expect(await whyNot()).toContainEqual(expect.stringContaining("other datasets lie in"));
    host.script.world.datasets.delete("tank/apps/demo/data/inner");
    host.script.world.paths.delete(`${DATA}/inner`);
    // It begins to be used after the look at the request: the effect looks again.
    const release = host.script.hold("app.stop");
    const { id } = await engine.rollback("demo");
    await expect.poll(() => host.script.calls.at(-1)?.method === "core.get_jobs").toBe(true);
    host.script.setApp("other", { mounts: [{ hostPath: DATA, containerPath: "/x" }] });
    release();
    expect(await settledTask(engine, id)).toMatchObject({
      state: "FAILED",
      failure: { code: "HOST_DIRECTORY_BLOCKED" },
      result: { restored: [], notDone: [DATA] },
    });
    host.script.setApp("other", { mounts: [] });
    await engine.retry(id);
    expect(await settledTask(engine, id)).toMatchObject({ state: "COMPLETED", result: { restored: [DATA] } });
  });

  it("is refused while another task works on the app, of what nobody knows, and where there is no way back", async () => {
    const { engine, host } = await openInstalled();
    await expect(engine.rollback("demo")).rejects.toMatchObject({ code: "TASK_SNAPSHOT_UNKNOWN" });
    await expect(engine.rollback("nobody")).rejects.toMatchObject({ code: "TASK_APP_UNKNOWN" });
    const isOffered = async () =>
      (await engine.app("demo"))?.installed?.lifecycles.some(({ lifecycle }) => lifecycle === "rollback");
    expect(await isOffered()).toBe(false);
    await upgrade(engine);
    expect(await isOffered()).toBe(true);
    await expect(engine.rollback("demo", { snapshot: "other" })).rejects.toMatchObject({
      code: "TASK_SNAPSHOT_UNKNOWN",
    });
    const release = host.script.hold("app.stop");
    const { id: taskId } = await engine.stopApp("demo");
    await expect(engine.rollback("demo")).rejects.toMatchObject({ code: "TASK_CONFLICT", details: { taskId } });
    release();
    await settledTask(engine, taskId);
    const known = host.script.world.instances.get("demo");
    if (known !== undefined) known.former = [];
    await expect(engine.rollback("demo")).rejects.toMatchObject({
      code: "TASK_ROLLBACK_IMPOSSIBLE",
      message: expect.stringContaining("the host keeps no version 1.0.0"),
    });
  });

  it("starts the restored app once more where it did not come up", async () => {
    const world = await openInstalled();
    const { engine, host } = world;
    await upgrade(engine);
    const start = host.script.hold("app.start");
    const { id } = await engine.rollback("demo");
    await expect.poll(() => host.script.calls.some(({ method }) => method === "app.start")).toBe(true);
    host.script.world.deployingFor = 1e6;
    start();
    await expect.poll(() => engine.task(id)?.waitingFor?.kind).toBe("app");
    host.script.setAppState("demo", "CRASHED");
    expect(await settledTask(engine, id)).toMatchObject({
      state: "FAILED",
      failure: { code: "TASK_APP_NOT_RUNNING" },
      result: { app: "rolledBack", restored: [DATA], notDone: [] },
    });
    host.script.world.deployingFor = 0;
    await engine.retry(id);
    expect(await settledTask(engine, id)).toMatchObject({ state: "COMPLETED" });
    expect(instance(world)?.app.state).toBe("RUNNING");
  });

  it("moves no dataset of an app that was started while it is restored", async () => {
    const { engine, host } = await openInstalled();
    await upgrade(engine);
    const { cloneSnapshot } = host;
    host.cloneSnapshot = async (...clone) => {
      host.script.setAppState("demo", "RUNNING");
      await cloneSnapshot(...clone);
    };
    const { id } = await engine.rollback("demo");
    const refused = { state: "FAILED", failure: { message: expect.stringContaining("is RUNNING: a retry stops it") } };
    expect(await settledTask(engine, id)).toMatchObject(refused);
    expect(host.script.calls.map(({ method }) => method)).not.toContain("pool.dataset.rename");
    await engine.retry(id);
    expect(await settledTask(engine, id)).toMatchObject({ state: "COMPLETED", result: { restored: [DATA] } });
  });

  it("leaves data it has put aside, and the answers that fit it, to a later uninstall's word", async () => {
    const { engine } = await openInstalled();
    await upgrade(engine);
    const [point] = await engine.snapshots("demo");
    expect(await rollBack(engine, { snapshot: point?.id ?? "" })).toMatchObject({ state: "COMPLETED" });
    const { id } = await engine.uninstall("demo", { keepData: false });
    const { state, marks } = await settledTask(engine, id);
    expect([state, ...marks]).toEqual([
      "COMPLETED",
      "kept: /mnt/tank/media/films: it was there before the app",
      expect.stringMatching(/^notRemoved: the dataset tank\/apps\/demo\/data-before-\w+: a rollback has put it aside$/),
    ]);
    expect((await engine.form("demo")).mode).toBe("reinstall");
  });

  it("takes a link made since for undone", async () => {
    const { engine } = await openInstalled();
    const statusOf = async () => (await engine.app("demo"))?.pairings.map(({ status }) => status);
    await upgrade(engine);
    await settledTask(engine, (await engine.runAction("demo", "connect")).id);
    expect(await statusOf()).toEqual(["connected"]);
    await rollBack(engine);
    expect(await statusOf()).toEqual(["installed"]);
  });
});
