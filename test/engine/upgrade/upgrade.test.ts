import { describe, expect } from "vitest";
import { HostError } from "../../../src/engine/host-error.ts";
import { it } from "../../support/engine/engine-test.ts";
import { hookTask, settledTask } from "../../support/engine/engine-world.ts";
import { faultOf } from "../../support/engine/scripted-world.ts";
import { installOldDemo, OWNED } from "./old-demo.ts";

const hook = (id: string, events: readonly unknown[], more = {}) => ({
  id,
  title: id,
  events,
  entrypoint: "run",
  scriptContent: `export async function run(ctx) { ctx.log(ctx.fromVersion + " -> " + ctx.toVersion); }`,
  ...more,
});

describe("an upgrade", () => {
  it("takes snapshots named by app, id and UTC time, upgrades, waits and completes", async () => {
    const { engine, host } = await installOldDemo(OWNED);
    const before = host.script.changes().length;
    const { id } = await engine.upgrade("demo");
    const view = await settledTask(engine, id);
    expect(view).toMatchObject({ kind: "upgrade", state: "COMPLETED", progress: 100, label: "Upgrade Demo" });
    expect(
      host.script
        .changes()
        .slice(before)
        .map(({ method }) => method),
    ).toEqual(["pool.snapshot.create", "pool.snapshot.create", "app.upgrade"]);
    expect(host.script.world.instances.get("demo")?.app.version).toBe("2.0.0");
    const [first] = host.script.world.snapshots;
    expect(first?.name).toMatch(/^platform-app-demo-data-\d{8}T\d{6}Z$/);
    expect(first?.properties).toEqual({
      "platform:purpose": "pre-upgrade",
      "platform:app": "demo",
      "platform:snapshot_id": "data",
      "platform:path": "/mnt/tank/apps/demo",
    });
  });

  it("chooses its hooks by both versions and never runs those with consent", async () => {
    const { engine, world } = await installOldDemo({
      hooks: [
        hook("always", ["onAfterUpgrade"]),
        hook("matching", [{ event: "onBeforeUpgrade", from: "<2", to: "^2" }]),
        hook("other", [{ event: "onBeforeUpgrade", from: ">=2" }]),
        hook("consented", ["onAfterInstall", "onAfterUpgrade"], { userOptional: {} }),
      ],
    });
    const { id } = await engine.upgrade("demo");
    const view = await settledTask(engine, id);
    expect(view.children.map(({ hookId, state }) => [hookId, state])).toEqual([
      ["matching", "COMPLETED"],
      ["always", "COMPLETED"],
    ]);
    expect(world.store.hookLog(hookTask(view, "always").id, 1)[0]?.line).toBe("1.0.0 -> 2.0.0");
  });

  it("compares CalVer versions with leading zeros dropped: 24.04.1 is 24.4.1", async () => {
    const { engine } = await installOldDemo(
      {
        hooks: [
          hook("due", [{ event: "onAfterUpgrade", from: "24.4.1", to: ">24.9 <25" }]),
          hook("not-due", [{ event: "onAfterUpgrade", from: "<24.4" }]),
        ],
      },
      ["24.04.1", "24.010.0-beta.01"],
    );
    const { id } = await engine.upgrade("demo");
    expect((await settledTask(engine, id)).children.map(({ hookId }) => hookId)).toEqual(["due"]);
  });

  it("starts a stopped app first", async () => {
    const { engine, host } = await installOldDemo();
    host.script.setAppState("demo", "STOPPED");
    const { id } = await engine.upgrade("demo");
    expect(await settledTask(engine, id)).toMatchObject({ state: "COMPLETED", marks: ["started"] });
    expect(host.script.changes().map(({ method }) => method)).toEqual(["app.create", "app.start", "app.upgrade"]);
  });

  it("that the host fails ends FAILED with the host's reason and both versions; a retry upgrades", async () => {
    const { engine, host } = await installOldDemo();
    host.script.endJob("app.upgrade", { state: "FAILED", fault: faultOf("HOST_CALL_FAILED", "[EFAULT] no") });
    const { id } = await engine.upgrade("demo");
    const failed = await settledTask(engine, id);
    expect(failed).toMatchObject({ state: "FAILED", failure: { message: "[EFAULT] no" } });
    expect(failed.failure?.context).toEqual(
      expect.arrayContaining([
        { label: "version before", value: "1.0.0" },
        { label: "version now", value: "1.0.0" },
      ]),
    );
    await engine.retry(id);
    expect((await settledTask(engine, id)).state).toBe("COMPLETED");
  });

  it("that was made says so where the host refuses to tell of the app afterwards", async () => {
    const { engine, host } = await installOldDemo();
    const { waitJob } = host;
    host.waitJob = async (...asked) => {
      const job = await waitJob(...asked);
      host.app = () => Promise.reject(new HostError(faultOf("HOST_PERMISSION", "not yours any more"), "yes"));
      return job;
    };
    const { id } = await engine.upgrade("demo");
    expect(await settledTask(engine, id)).toMatchObject({
      state: "FAILED",
      failure: { code: "HOST_PERMISSION" },
      result: { app: "upgraded", done: ["app.upgrade"] },
    });
  });

  it("offers no other values where the host refused an option of the call", async () => {
    const { engine, host } = await installOldDemo();
    const fields = [{ field: "options.app_version", message: "Version has no upgrade" }];
    const fault = faultOf("HOST_INVALID", "[EINVAL] options.app_version: Version has no upgrade", { fields });
    host.script.endJob("app.upgrade", { state: "FAILED", fault });
    const view = await settledTask(engine, (await engine.upgrade("demo")).id);
    expect(view).toMatchObject({ state: "FAILED", failure: { code: "HOST_INVALID" } });
    expect(view.failure?.context.map(({ label }) => label)).not.toContain("to try");
    expect((await engine.form("demo", "upgrade")).request).not.toHaveProperty("withValues");
  });

  it("that was never sent starts nothing again, and offers no other values", async () => {
    const { engine, host } = await installOldDemo();
    host.script.setApp("demo", { state: "STOPPED" });
    const fields = [{ field: "app_start.app_name", message: "no" }];
    host.script.endJob("app.start", { state: "FAILED", fault: faultOf("HOST_INVALID", "[EINVAL] no", { fields }) });
    const view = await settledTask(engine, (await engine.upgrade("demo")).id);
    expect(view).toMatchObject({ state: "FAILED", failure: { code: "HOST_INVALID" }, marks: [] });
    expect(view.failure?.context.map(({ label }) => label)).not.toContain("to try");
    expect(await host.app("demo")).toMatchObject({ state: "STOPPED" });
  });

  it("repairs ownership the host changed, after a snapshot", async () => {
    const { engine, host } = await installOldDemo(OWNED);
    const { paths } = host.script.world;
    paths.set("/mnt/tank/apps/demo", { type: "DIRECTORY", uid: 0, gid: 0 });
    const { id } = await engine.upgrade("demo");
    const view = await settledTask(engine, id);
    expect(view.result).toMatchObject({ repaired: ["/mnt/tank/apps/demo"] });
    expect(paths.get("/mnt/tank/apps/demo")).toMatchObject({ uid: 568, gid: 568 });
    const purposes = host.script.world.snapshots.map(({ properties }) => properties["platform:purpose"]);
    expect(purposes.toSorted()).toEqual(["ownership-repair", "pre-upgrade", "pre-upgrade"]);
    expect(host.script.world.datasets.get("tank/apps/demo")?.aclmode).toBe("PASSTHROUGH");
  });

  it("that can't repair all of it says what it has repaired, and of which it has set POSIX ACLs", async () => {
    const directories = ["a", "b"].map((path) => ({
      path: `$LOCATION(ApplicationsPerformance)/${path}`,
      owner: { user: "apps" },
    }));
    const { engine, host } = await installOldDemo({ ...OWNED, ensure_directories_exists: directories });
    const { datasets, paths } = host.script.world;
    const [a, b] = ["/mnt/tank/apps/a", "/mnt/tank/apps/b"];
    for (const path of [a, b]) paths.set(path, { type: "DIRECTORY", uid: 0, gid: 0 });
    for (const name of ["tank/apps/a", "tank/apps/b"]) datasets.delete(name);
    const { startJob } = host;
    host.startJob = async (call, requestId) => {
      if (call.method === "setOwner" && call.path === b)
        throw new HostError(faultOf("HOST_CALL_FAILED", "[EFAULT] no"), "yes");
      return startJob(call, requestId);
    };
    expect(await settledTask(engine, (await engine.update("demo")).id)).toMatchObject({
      state: "FAILED",
      result: { repaired: [a] },
      marks: [`posixAcl: ${a}`],
    });
  });

  it("that dies between two repairs finds its rollback snapshot again and takes no second one", async () => {
    const directories = ["x/a", "x/b"].map((path) => ({
      path: `$LOCATION(ApplicationsPerformance)/${path}`,
      owner: { user: "apps" },
    }));
    const { world, engine, host } = await installOldDemo({ ...OWNED, ensure_directories_exists: directories });
    const { datasets, paths, snapshots } = host.script.world;
    // On one dataset, whose snapshot both share.
    for (const name of ["a", "b"]) datasets.delete(`tank/apps/x/${name}`);
    const astray = ["/mnt/tank/apps/x/a", "/mnt/tank/apps/x/b"];
    for (const path of astray) paths.set(path, { type: "DIRECTORY", uid: 0, gid: 0 });
    const { startJob } = host;
    const second = Promise.withResolvers<void>();
    const afterDeath = Promise.withResolvers<void>();
    let repairs = 0;
    host.startJob = async (call, requestId) => {
      if (call.method === "setOwner") repairs += 1;
      if (call.method !== "setOwner" || repairs !== 2) return startJob(call, requestId);
      second.resolve();
      await afterDeath.promise;
      return startJob(call, requestId);
    };
    const { id } = await engine.update("demo");
    await second.promise;
    const { engine: next } = await world.crash();
    afterDeath.resolve();
    const view = await settledTask(next, id);
    expect(view).toMatchObject({ state: "COMPLETED", result: { repaired: astray } });
    expect(snapshots.map(({ properties }) => properties["platform:path"])).toEqual([astray.join(",")]);
  });

  it("never goes to an older version than the installed one", async () => {
    const { engine, host } = await installOldDemo({}, ["2.0.0", "2.1.0"]);
    host.upgradeTarget = async () => ({ version: "1.9.0", available: ["1.9.0"] });
    await expect(engine.upgrade("demo")).rejects.toMatchObject({ code: "HOST_UPGRADE_NONE" });
  });

  it("is rejected where nothing is newer, and where the app is not installed", async () => {
    const { engine, host } = await installOldDemo();
    host.script.world.catalog.set("demo", { train: "stable", title: "Demo", icon: "", versions: ["1.0.0"] });
    await expect(engine.upgrade("demo")).rejects.toMatchObject({ code: "HOST_UPGRADE_NONE" });
    host.script.world.instances.clear();
    await expect(engine.upgrade("demo")).rejects.toMatchObject({ code: "TASK_APP_NOT_INSTALLED" });
  });
});
