import { describe, expect, vi } from "vitest";
import { HostError } from "../../../src/engine/host-error.ts";
import { createSystemClock } from "../../../src/engine/system/clock.ts";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { type EngineWorldOptions, hookTask, settledTask } from "../../support/engine/engine-world.ts";
import { faultOf } from "../../support/engine/scripted-world.ts";

const VERSIONS = ["1.0.0", "2.0.0"];
const hook = (id: string, events: readonly unknown[], more = {}) => ({
  id,
  title: id,
  events,
  entrypoint: "run",
  scriptContent: `export async function run(ctx) { ctx.log(ctx.fromVersion + " -> " + ctx.toVersion); }`,
  ...more,
});

/** An app installed at the first of these versions although the others are there. */
async function installed(
  script: Record<string, unknown> = {},
  versions: readonly string[] = VERSIONS,
  engineSettings: NonNullable<EngineWorldOptions["engine"]> = {},
) {
  const offered = { train: "stable", title: "Demo", icon: "", versions: [...versions] };
  const world = await openWorld({
    catalog: { demo: script },
    host: { datasets: ["tank", "tank/apps"], catalog: { demo: { ...offered, versions: versions.slice(0, 1) } } },
    engine: engineSettings,
  });
  const { engine, host } = world;
  const { id } = await engine.install("demo");
  await settledTask(engine, id);
  host.script.world.catalog.set("demo", offered);
  return { world, engine, host };
}

const OWNED = {
  requirements: { locations: ["ApplicationsPerformance"], specifications: [], permissions: [], ports: [] },
  ensure_directories_exists: [
    {
      path: "$LOCATION(ApplicationsPerformance)/demo",
      owner: { user: "apps" },
      snapshot: { id: "data" },
    },
    { path: "$LOCATION(ApplicationsPerformance)/demo/sub", snapshot: { id: "data" } },
  ],
};

describe("an upgrade", () => {
  it("takes snapshots named by app, id and UTC time, upgrades, waits and completes", async () => {
    const { engine, host } = await installed(OWNED);
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
    const { engine, world } = await installed({
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
    const { engine } = await installed(
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
    const { engine, host } = await installed();
    host.script.setAppState("demo", "STOPPED");
    const { id } = await engine.upgrade("demo");
    expect(await settledTask(engine, id)).toMatchObject({ state: "COMPLETED", marks: ["started"] });
    expect(host.script.changes().map(({ method }) => method)).toEqual(["app.create", "app.start", "app.upgrade"]);
  });

  it("that the host fails ends FAILED with the host's reason and both versions; a retry upgrades", async () => {
    const { engine, host } = await installed();
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
    const { engine, host } = await installed();
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

  it("repairs ownership the host changed, after a snapshot", async () => {
    const { engine, host } = await installed(OWNED);
    const { paths } = host.script.world;
    paths.set("/mnt/tank/apps/demo", { realpath: "/mnt/tank/apps/demo", type: "DIRECTORY", uid: 0, gid: 0 });
    const { id } = await engine.upgrade("demo");
    const view = await settledTask(engine, id);
    expect(view.result).toMatchObject({ repaired: ["/mnt/tank/apps/demo"] });
    expect(paths.get("/mnt/tank/apps/demo")).toMatchObject({ uid: 568, gid: 568 });
    const purposes = host.script.world.snapshots.map(({ properties }) => properties["platform:purpose"]);
    expect(purposes.toSorted()).toEqual(["ownership-repair", "pre-upgrade", "pre-upgrade"]);
    expect(host.script.world.datasets.get("tank/apps/demo")?.aclmode).toBe("PASSTHROUGH");
  });

  it("that dies between two repairs finds its rollback snapshot again and takes no second one", async () => {
    const directories = ["x/a", "x/b"].map((path) => ({
      path: `$LOCATION(ApplicationsPerformance)/${path}`,
      owner: { user: "apps" },
    }));
    const { world, engine, host } = await installed({ ...OWNED, ensure_directories_exists: directories });
    const { datasets, paths, snapshots } = host.script.world;
    // On one dataset, whose snapshot both share.
    for (const name of ["a", "b"]) datasets.delete(`tank/apps/x/${name}`);
    const astray = ["/mnt/tank/apps/x/a", "/mnt/tank/apps/x/b"];
    for (const path of astray) paths.set(path, { realpath: path, type: "DIRECTORY", uid: 0, gid: 0 });
    const { startJob } = host;
    const second = Promise.withResolvers<void>();
    const afterDeath = Promise.withResolvers<void>();
    let repairs = 0;
    host.startJob = async (call, requestId) => {
      if (call.method === "filesystem.setacl") repairs += 1;
      if (call.method !== "filesystem.setacl" || repairs !== 2) return startJob(call, requestId);
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
    const { engine, host } = await installed({}, ["2.0.0", "2.1.0"]);
    host.upgradeTarget = async () => ({ version: "1.9.0", available: ["1.9.0"] });
    await expect(engine.upgrade("demo")).rejects.toMatchObject({ code: "HOST_UPGRADE_NONE" });
  });

  it("is rejected where nothing is newer, and where the app is not installed", async () => {
    const { engine, host } = await installed();
    host.script.world.catalog.set("demo", { train: "stable", title: "Demo", icon: "", versions: ["1.0.0"] });
    await expect(engine.upgrade("demo")).rejects.toMatchObject({ code: "HOST_UPGRADE_NONE" });
    host.script.world.instances.clear();
    await expect(engine.upgrade("demo")).rejects.toMatchObject({ code: "TASK_APP_NOT_INSTALLED" });
  });
});

describe("an update", () => {
  const script = {
    ...OWNED,
    installation_questions: [
      { question: "Port?", type: "number", key: "port", default: 8080 },
      { question: "Token?", type: "password", key: "token", default: "$RANDOM_STRING(20)", installonly: true },
    ],
    app_values: {
      network: { web_port: "$QUESTION(port)" },
      demo: { token: "$QUESTION(token)", secret: "$RANDOM_STRING(16)", list: ["a"] },
    },
  };

  it("merges the answers deeply into the live configuration and keeps what was generated", async () => {
    const { engine, host } = await installed(script);
    const instance = host.script.world.instances.get("demo");
    if (instance === undefined) throw new Error("not installed");
    const before = instance.values["demo"];
    instance.values = {
      ...instance.values,
      network: { ...Object(instance.values["network"]), host_network: true },
      labels: ["kept"],
    };
    const { id } = await engine.update("demo", { answers: { port: 9090 } });
    const view = await settledTask(engine, id);
    expect(view).toMatchObject({
      kind: "update",
      state: "COMPLETED",
      result: { app: "updated", done: ["app.update"] },
    });
    expect(instance.values).toEqual({
      network: { web_port: 9090, host_network: true },
      demo: before,
      labels: ["kept"],
    });
    const update = host.script.calls.find(({ method }) => method === "app.update");
    expect(Object.keys(Object(Object(update?.params).values))).toEqual(["network", "demo"]);
    const again = await engine.update("demo", {});
    await settledTask(engine, again.id);
    expect(Object(instance.values["network"]).web_port).toBe(9090);
  });

  it("takes a snapshot of its own where another did in the same second, named one second later", async () => {
    const { engine, host } = await installed(script, VERSIONS, {
      clock: { ...createSystemClock(), now: () => Date.UTC(2026, 0, 1) },
    });
    for (const port of [9090, 9091]) await settledTask(engine, (await engine.update("demo", { answers: { port } })).id);
    const names = host.script.world.snapshots.map(({ name }) => name);
    expect(names.filter((name) => name.startsWith("platform-app-demo-data-"))).toEqual([
      "platform-app-demo-data-20260101T000000Z",
      "platform-app-demo-data-20260101T000000Z",
      "platform-app-demo-data-20260101T000001Z",
      "platform-app-demo-data-20260101T000001Z",
    ]);
  });

  it("keeps the newest three snapshots of an entry", async () => {
    let at = Date.UTC(2026, 0, 1);
    const { engine, host } = await installed(script);
    const { snapshots } = host.script.world;
    for (let n = 0; n < 5; n += 1) {
      at += 60_000;
      const stamp = new Date(at).toISOString().replaceAll(/[-:]|\.\d+/g, "");
      snapshots.push({
        dataset: "tank/apps/demo",
        name: `platform-app-demo-data-${stamp}`,
        properties: { "platform:app": "demo", "platform:snapshot_id": "data" },
      });
    }
    snapshots.push({ dataset: "tank/apps/demo", name: "by-hand", properties: {} });
    const { id } = await engine.update("demo", {});
    const view = await settledTask(engine, id);
    const names = snapshots.filter(({ dataset }) => dataset === "tank/apps/demo").map(({ name }) => name);
    expect(names).toHaveLength(4);
    expect(names).toContain("by-hand");
    expect(names).toContain(String(Object(view.result).snapshots[0]).split("@")[1]);
  });

  it("keeps the snapshot it took where the clock was set back, so that older ones bear later names", async () => {
    const { engine, host } = await installed(script);
    const { snapshots } = host.script.world;
    for (const day of [1, 2, 3]) {
      snapshots.push({
        dataset: "tank/apps/demo",
        name: `platform-app-demo-data-2999010${day}T000000Z`,
        properties: { "platform:app": "demo", "platform:snapshot_id": "data" },
      });
    }
    const view = await settledTask(engine, (await engine.update("demo")).id);
    const [taken] = Object(view.result).snapshots;
    expect(snapshots.map(({ dataset, name }) => `${dataset}@${name}`)).toContain(taken);
  });

  it("goes on where the host keeps an old snapshot, and says which", async () => {
    const { engine, host } = await installed(script);
    const old = (day: number) => ({
      dataset: "tank/apps/demo",
      name: `platform-app-demo-data-2020010${day}T000000Z`,
      properties: { "platform:app": "demo", "platform:snapshot_id": "data" },
    });
    host.script.world.snapshots.push(old(1), old(2), old(3), old(4));
    host.script.refuse("pool.snapshot.delete", faultOf("HOST_CALL_FAILED", "[EINVAL] it has dependent clones"));
    const { id } = await engine.update("demo");
    expect(await settledTask(engine, id)).toMatchObject({
      state: "COMPLETED",
      marks: [`notDeleted: tank/apps/demo@${old(1).name}: [EINVAL] it has dependent clones`],
    });
    expect(host.script.world.snapshots).not.toContainEqual(old(2));
  });

  const grown = (more: readonly Record<string, unknown>[]) => ({
    ...script,
    script: { version: "1.1.0" },
    ensure_directories_exists: [...script.ensure_directories_exists, ...more],
  });
  const COVERS = {
    path: "$LOCATION(ApplicationsPerformance)/demo-covers/new",
    owner: { user: "apps" },
    network_share: true,
  };

  it("creates the directories its new values need as an install does, and leaves existing ones untouched", async () => {
    const { engine, host, world } = await installed(script);
    const { paths, shares, datasets } = host.script.world;
    const old = "/mnt/tank/apps/old";
    paths.set(old, { realpath: old, type: "DIRECTORY", uid: 0, gid: 0 });
    world.write({ demo: grown([COVERS, { path: "$LOCATION(ApplicationsPerformance)/old", network_share: true }]) });
    await engine.syncCatalog();
    const before = host.script.changes().length;
    const { id } = await engine.update("demo");
    expect(await settledTask(engine, id)).toMatchObject({
      state: "COMPLETED",
      result: { directories: ["/mnt/tank/apps/demo-covers", "/mnt/tank/apps/demo-covers/new"], shares: ["new"] },
    });
    const methods = host.script.changes().map(({ method }) => method);
    expect(methods.slice(before).filter((method) => !method.startsWith("pool.snapshot"))).toEqual([
      "pool.dataset.create",
      "pool.dataset.create",
      "filesystem.setacl",
      "sharing.smb.create",
      "app.update",
    ]);
    expect(datasets.has("tank/apps/demo-covers/new")).toBe(true);
    expect(shares.map(({ path }) => path)).toEqual(["/mnt/tank/apps/demo-covers/new"]);
    expect(paths.get(old)).toMatchObject({ uid: 0 });
  });

  it("that dies between a new directory and its owner goes on with both", async () => {
    const { engine, host, world } = await installed(script);
    world.write({ demo: grown([COVERS]) });
    await engine.syncCatalog();
    const owned = () => host.script.changes().filter(({ method }) => method === "filesystem.setacl").length;
    const before = owned();
    const release = host.script.hold("filesystem.setacl");
    const { id } = await engine.update("demo");
    await vi.waitUntil(() => owned() === before + 1, { timeout: 20_000 });
    const { engine: next } = await world.crash();
    release();
    expect(await settledTask(next, id)).toMatchObject({
      state: "COMPLETED",
      result: { directories: ["/mnt/tank/apps/demo-covers", "/mnt/tank/apps/demo-covers/new"], shares: ["new"] },
    });
    expect(host.script.changes().filter(({ method }) => method === "pool.dataset.create")).toHaveLength(4);
  });

  it("tried again after a directory's owner was refused gives it owner and share", async () => {
    const { engine, host, world } = await installed(script);
    world.write({ demo: grown([COVERS]) });
    await engine.syncCatalog();
    host.script.endJob("filesystem.setacl", { state: "FAILED", fault: faultOf("HOST_CALL_FAILED", "[EFAULT] no") });
    const { id } = await engine.update("demo");
    expect((await settledTask(engine, id)).state).toBe("FAILED");
    await engine.retry(id);
    expect(await settledTask(engine, id)).toMatchObject({ state: "COMPLETED", result: { shares: ["new"] } });
    const { uid } = host.script.world.paths.get("/mnt/tank/apps/demo-covers/new") ?? {};
    expect(uid).toBe(568);
  });

  it("never goes to an older script", async () => {
    const { engine, world } = await installed({ ...script, script: { version: "1.2.0" } });
    world.write({ demo: { ...script, script: { version: "1.1.9", updateCompatibility: "*" } } });
    await engine.syncCatalog();
    await expect(engine.update("demo")).rejects.toMatchObject({
      code: "TASK_UPDATE_INCOMPATIBLE",
      message: 'script 1.1.9 of "demo" is older than the installed 1.2.0',
    });
  });

  it("takes no installonly answer", async () => {
    const { engine, host } = await installed(script);
    const before = host.script.changes().length;
    await expect(engine.update("demo", { answers: { token: "anew" } })).rejects.toMatchObject({
      code: "ANSWER_INSTALLONLY",
      details: { problems: [{ path: ["answers", "token"] }] },
    });
    expect(host.script.changes()).toHaveLength(before);
  });

  it("to a script whose updateCompatibility does not admit the installed one is rejected", async () => {
    const { engine, world } = await installed(script);
    world.write({ demo: { ...script, script: { version: "2.0.0" } } });
    await engine.syncCatalog();
    await expect(engine.update("demo")).rejects.toMatchObject({ code: "TASK_UPDATE_INCOMPATIBLE" });
    world.write({ demo: { ...script, script: { version: "2.0.0", updateCompatibility: ">=1" } } });
    await engine.syncCatalog();
    const { id } = await engine.update("demo");
    expect((await settledTask(engine, id)).state).toBe("COMPLETED");
  });
});
