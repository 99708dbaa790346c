import { setImmediate } from "node:timers/promises";
import { describe, expect } from "vitest";
import type { Engine, UninstallRequest } from "../../../src/engine/api.ts";
import { HostError } from "../../../src/engine/host-error.ts";
import type { FolderRemoval } from "../../../src/engine/ports/folders.ts";
import { NO_FOLDERS } from "../../../src/engine/system/no-folders.ts";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { type EngineWorld, settledTask } from "../../support/engine/engine-world.ts";
import { addDirectory, addLink, faultOf } from "../../support/engine/scripted-world.ts";
import { on, rawHook } from "../../support/scripts/scripts.ts";

const LOCATION = "$LOCATION(ApplicationsPerformance)";
const DEMO = {
  requirements: { locations: ["ApplicationsPerformance", "Media"], specifications: [], permissions: [], ports: [] },
  installation_questions: [{ question: "Name?", type: "text", key: "name", default: "Ann" }],
  ensure_directories_exists: [
    { path: "$LOCATION(Media)", network_share: true },
    { path: "$LOCATION(Media)/films" },
    { path: `${LOCATION}/demo`, owner: { user: "apps" } },
    { path: `${LOCATION}/demo/data`, snapshot: { id: "data" } },
    { path: `${LOCATION}/plain` },
  ],
  app_values: { demo: { name: "$QUESTION(name)", secret: "$RANDOM_STRING(20)" } },
};

/** Not installed; its directory lies in one that demo makes. */
const LATE = {
  requirements: DEMO.requirements,
  ensure_directories_exists: [{ path: `${LOCATION}/plain/inside` }],
};

type Removed = Awaited<ReturnType<NonNullable<typeof NO_FOLDERS.remove>>>;

interface Removing {
  readonly removals: FolderRemoval[];
  end: Removed | ((removal: FolderRemoval) => Promise<Removed>);
}

/** Demo is installed beside other, on a host with the films of the owner; what is removed is only noted. */
async function openInstalled(): Promise<EngineWorld & Removing> {
  const removing: Removing = { removals: [], end: { ok: true, isKept: false } };
  const remove = async (removal: FolderRemoval) => {
    removing.removals.push(removal);
    await removal.prove();
    return typeof removing.end === "function" ? removing.end(removal) : removing.end;
  };
  const world = await openWorld({
    catalog: { demo: DEMO, other: { hooks: [rawHook({ conditions: [on("demo")] })] }, late: LATE },
    host: { datasets: ["tank", "tank/apps", "tank/media"] },
    engine: { folders: { ...NO_FOLDERS, remove } },
  });
  addDirectory(world.host.script.world, "/mnt/tank/media/films");
  for (const app of ["demo", "other"]) await settledTask(world.engine, (await world.engine.install(app)).id);
  return Object.assign(removing, world);
}

const remove = async (engine: Engine, request?: UninstallRequest) =>
  settledTask(engine, (await engine.uninstall("demo", request)).id);
const secretOf = ({ host }: Pick<EngineWorld, "host">) =>
  Object(host.script.world.instances.get("demo")?.values["demo"]).secret;
const ALL = { keepData: false };

/** Locks what demo's tasks have made as datasets; the host may show the folder of the outer one, empty. */
function lockDemo({ datasets, paths }: EngineWorld["host"]["script"]["world"], isShown: boolean): void {
  for (const name of ["tank/apps/demo", "tank/apps/demo/data"]) {
    const dataset = datasets.get(name);
    if (dataset !== undefined) datasets.set(name, { ...dataset, mountpoint: null });
    if (!isShown || name.endsWith("data")) paths.delete(`/mnt/${name}`);
  }
}

describe("an uninstall", () => {
  it("keeps data, answers and secrets, which a reinstall offers and uses", async () => {
    const { engine, host, removals } = await openInstalled();
    const before = secretOf({ host });
    const task = await remove(engine);
    expect(task).toMatchObject({
      kind: "uninstall",
      title: "Uninstall DEMO",
      state: "COMPLETED",
      steps: [{ id: "DELETING", state: "done" }],
      result: { app: "uninstalled", removed: [], left: [], snapshots: [], answers: "kept", done: ["app.delete"] },
    });
    expect(host.script.changes().at(-1)?.params).toMatchObject({ method: "app.delete", removeVolumes: false });
    expect(removals).toEqual([]);
    expect(await engine.app("demo")).toMatchObject({ installed: null });
    expect((await engine.form("demo")).mode).toBe("reinstall");
    await settledTask(engine, (await engine.install("demo")).id);
    expect(secretOf({ host })).toBe(before);
  });

  it("removes what its tasks have made, the innermost first, after a snapshot, and forgets what fits it", async () => {
    const { engine, host, removals } = await openInstalled();
    const before = secretOf({ host });
    host.script.world.shares.push({ name: "plain", path: "/mnt/tank/apps/plain" });
    const task = await remove(engine, ALL);
    expect(task).toMatchObject({
      state: "COMPLETED",
      marks: ["snapshotCoversLocation: uninstall", "shareLeft: plain"],
      result: {
        app: "uninstalled",
        emptied: ["/mnt/tank/apps/demo/data", "/mnt/tank/apps/demo"],
        removed: ["/mnt/tank/apps/plain"],
        left: [],
        answers: "forgotten",
      },
    });
    expect(removals.map(({ root, path, keepsItself, kept }) => ({ root, path, keepsItself, kept }))).toEqual([
      { root: "/mnt/tank/apps", path: "demo/data", keepsItself: true, kept: [".zfs"] },
      { root: "/mnt/tank/apps", path: "plain", keepsItself: false, kept: [] },
      { root: "/mnt/tank/apps", path: "demo", keepsItself: true, kept: [".zfs", "data"] },
    ]);
    for (const { proof, root, path } of removals)
      expect(host.script.world.paths.has(`${root}/${path}/${proof}`)).toBe(true);
    const taken = host.script.world.snapshots.map(({ dataset, properties }) => [
      dataset,
      properties["platform:purpose"],
      properties["platform:path"],
    ]);
    expect(taken).toEqual([
      ["tank/apps/demo", "pre-uninstall", "/mnt/tank/apps/demo"],
      ["tank/apps/demo/data", "pre-uninstall", "/mnt/tank/apps/demo/data"],
      ["tank/apps", "pre-uninstall", "/mnt/tank/apps/plain"],
    ]);
    const calls = host.script.calls.map(({ method }) => method);
    expect(calls.lastIndexOf("pool.snapshot.create")).toBeGreaterThan(calls.lastIndexOf("app.delete"));
    expect((await engine.form("demo")).mode).toBe("install");
    await settledTask(engine, (await engine.install("demo")).id);
    expect(secretOf({ host })).not.toBe(before);
  });

  it("leaves no secret it forgets in the plans of tasks that are over, its own among them", async () => {
    const { engine, host, store } = await openInstalled();
    const secret = String(secretOf({ host }));
    const { id } = await engine.stopApp("demo");
    await settledTask(engine, id);
    const plans = () => store.rootTrees().map(([root]) => JSON.stringify(store.plan(root.id)));
    expect(plans().filter((plan) => plan.includes(secret))).toHaveLength(2);
    store.keepSecrets(id, { "input:x:y": { value: "typed", secret: true } });
    await remove(engine, ALL);
    expect(plans().filter((plan) => plan.includes(secret) || plan.includes("Ann"))).toEqual([]);
    expect(store.secrets(id)).toEqual({});
    expect((await engine.task(id))?.state).toBe("COMPLETED");
  });

  it("names each path before, with why it stays", async () => {
    const { engine, host } = await openInstalled();
    host.script.setApp("other", { mounts: [{ hostPath: "/mnt/tank/apps/plain/x", containerPath: "/x" }] });
    expect(await engine.previewUninstall("demo", ALL)).toMatchObject({
      appId: "demo",
      name: "DEMO",
      keepData: false,
      removesVolumes: true,
      answers: "kept",
      links: [],
      directories: [
        { path: "/mnt/tank/apps/demo/data", fate: "removed" },
        { path: "/mnt/tank/media/films", fate: "kept", reason: "it was there before the app" },
        { path: "/mnt/tank/apps/plain", fate: "kept", reason: '"OTHER" uses it' },
        { path: "/mnt/tank/apps/demo", fate: "removed" },
      ],
    });
    const kept = await engine.previewUninstall("demo");
    expect(kept).toMatchObject({ keepData: true, removesVolumes: false, answers: "kept" });
    expect(kept.directories.map(({ fate, reason }) => [fate, reason])).toEqual(Array(4).fill(["kept", undefined]));
    const task = await remove(engine, ALL);
    expect(task.result).toMatchObject({ emptied: ["/mnt/tank/apps/demo/data", "/mnt/tank/apps/demo"], removed: [] });
  });

  it("removes nothing but what was shown: more is refused, what was locked then stays", async () => {
    const { engine, host, write, removals } = await openInstalled();
    const agree = async (): Promise<UninstallRequest> => {
      const { directories } = await engine.previewUninstall("demo", ALL);
      const removes = directories.filter(({ fate }) => fate === "removed").map(({ path }) => path);
      return { keepData: false, removes };
    };
    const all = await agree();
    expect(all.removes).toEqual(["/mnt/tank/apps/demo/data", "/mnt/tank/apps/plain", "/mnt/tank/apps/demo"]);
    write({ demo: { ...DEMO, ensure_directories_exists: DEMO.ensure_directories_exists.slice(0, -1) } });
    await engine.syncCatalog();
    const fewer = await agree();
    write({ demo: DEMO });
    await engine.syncCatalog();
    await expect(engine.uninstall("demo", fewer)).rejects.toMatchObject({
      code: "TASK_UNINSTALL_STALE",
      details: { appId: "demo", paths: ["/mnt/tank/apps/plain"] },
    });
    lockDemo(host.script.world, false);
    const { directories, answers } = await engine.previewUninstall("demo", ALL);
    const reason = 'its dataset "tank/apps/demo" is locked, or not mounted';
    expect(directories).toEqual([
      { path: "/mnt/tank/apps/demo/data", fate: "kept", reason },
      { path: "/mnt/tank/media/films", fate: "kept", reason: "it was there before the app" },
      { path: "/mnt/tank/apps/plain", fate: "removed" },
      { path: "/mnt/tank/apps/demo", fate: "kept", reason },
    ]);
    expect(answers).toBe("kept");
    const task = await remove(engine, await agree());
    expect(removals.map(({ path }) => path)).toEqual(["plain"]);
    expect(task.result).toMatchObject({ removed: ["/mnt/tank/apps/plain"], answers: "kept" });
  });

  it("leaves what has become a link, and what can't be removed, with a mark; then answers stay too", async () => {
    const world = await openInstalled();
    const { engine, host } = world;
    addLink(host.script.world, "/mnt/tank/apps/plain", "/mnt/tank/media");
    world.end = { ok: false, fault: "the file system refuses it (EACCES)" };
    const task = await remove(engine, ALL).then(async (first) => {
      // A snapshot behind a link is refused: nothing of the data was touched.
      expect(first).toMatchObject({ state: "FAILED", failure: { code: "HOST_PATH_LINKED" }, result: { removed: [] } });
      expect(world.removals).toEqual([]);
      host.script.world.paths.delete("/mnt/tank/apps/plain");
      await engine.retry(first.id);
      return settledTask(engine, first.id);
    });
    expect(task).toMatchObject({
      state: "COMPLETED",
      result: {
        app: "uninstalled",
        removed: ["/mnt/tank/apps/plain"],
        left: ["/mnt/tank/apps/demo/data", "/mnt/tank/apps/demo"],
        answers: "kept",
      },
    });
    expect(task.remarks.map(({ text }) => text)).toContain(
      "not all of its data was removed: /mnt/tank/apps/demo: the file system refuses it (EACCES)",
    );
    expect((await engine.form("demo")).mode).toBe("reinstall");
  });

  it("stops removing when a person cancels, and says what is gone and what is not", async () => {
    const world = await openInstalled();
    const { engine, removals } = world;
    world.end = async ({ path, signal }) => {
      if (path === "plain") await new Promise((resolve) => signal.addEventListener("abort", resolve));
      return { ok: true, isKept: false };
    };
    const { id } = await engine.uninstall("demo", ALL);
    await expect.poll(() => removals.length).toBe(2);
    await engine.cancel(id);
    expect(await settledTask(engine, id)).toMatchObject({
      state: "CANCELLED",
      result: {
        app: "uninstalled",
        emptied: ["/mnt/tank/apps/demo/data"],
        removed: [],
        left: ["/mnt/tank/apps/plain", "/mnt/tank/apps/demo"],
        answers: "kept",
      },
    });
    expect(removals.map(({ path, signal }) => [path, signal.aborted])).toContainEqual(["plain", true]);
    expect(removals.length).toBe(2);
    expect((await engine.form("demo")).mode).toBe("reinstall");
  });

  it("forgets nothing once a person has cancelled, whatever the host answers later", async () => {
    const world = await openInstalled();
    const { engine, host } = world;
    const { shares } = host;
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    host.shares = async () => {
      asked.resolve();
      await answer.promise;
      answered.resolve();
      return shares();
    };
    const { id } = await engine.uninstall("demo", ALL);
    await asked.promise;
    await engine.cancel(id);
    expect(await settledTask(engine, id)).toMatchObject({
      state: "CANCELLED",
      result: {
        emptied: ["/mnt/tank/apps/demo/data", "/mnt/tank/apps/demo"],
        removed: ["/mnt/tank/apps/plain"],
        left: [],
        answers: "kept",
      },
    });
    answer.resolve();
    await answered.promise;
    await setImmediate();
    expect((await engine.form("demo")).mode).toBe("reinstall");
  });

  it("calls nothing left that is gone, when a person cancels it after a kill", async () => {
    const world = await openInstalled();
    world.end = async ({ path, signal }) => {
      if (path === "plain") await new Promise((resolve) => signal.addEventListener("abort", resolve));
      return { ok: true, isKept: false };
    };
    const { id } = await world.engine.uninstall("demo", ALL);
    await expect.poll(() => world.removals.length).toBe(2);
    const { stat } = world.host;
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    world.host.stat = async (path) => {
      asked.resolve();
      await answer.promise;
      return stat(path);
    };
    const next = await world.crash();
    await asked.promise;
    await next.engine.cancel(id);
    answer.resolve();
    expect(await settledTask(next.engine, id)).toMatchObject({
      state: "CANCELLED",
      result: {
        emptied: ["/mnt/tank/apps/demo/data"],
        removed: [],
        left: ["/mnt/tank/apps/plain", "/mnt/tank/apps/demo"],
      },
    });
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

  it("takes nothing from a machine on which the host's folder is not seen", async () => {
    const world = await openWorld({
      catalog: { demo: { ...DEMO, ensure_directories_exists: [{ path: `${LOCATION}/plain` }] } },
      host: { datasets: ["tank", "tank/apps", "tank/media"] },
      engine: { folders: NO_FOLDERS },
    });
    await settledTask(world.engine, (await world.engine.install("demo")).id);
    const task = await remove(world.engine, ALL);
    expect(task.marks).toContain("notRemoved: /mnt/tank/apps/plain: the engine has no way to the host's folders");
    expect(task.result).toMatchObject({ left: ["/mnt/tank/apps/plain"], answers: "kept" });
    expect([...world.host.script.world.paths.keys()].filter((path) => path.includes(".slipway"))).toEqual([]);
  });

  it("leaves what a stopped app's values name, and keeps the answers that fit it", async () => {
    const { engine, host, removals } = await openInstalled();
    const other = host.script.world.instances.get("other");
    if (other !== undefined) other.values = { storage: { host_path: "/mnt/tank/apps/plain/" } };
    host.script.setApp("other", { state: "STOPPED", mounts: [] });
    const before = secretOf({ host });
    const preview = await engine.previewUninstall("demo", ALL);
    expect(preview.directories).toContainEqual({
      path: "/mnt/tank/apps/plain",
      fate: "kept",
      reason: '"OTHER" uses it',
    });
    expect(preview.answers).toBe("kept");
    expect((await remove(engine, ALL)).result).toMatchObject({ removed: [], answers: "kept" });
    expect(removals.map(({ path }) => path)).not.toContain("plain");
    await settledTask(engine, (await engine.install("demo")).id);
    expect(secretOf({ host })).toBe(before);
  });

  it.each([
    ["the short form of a volume", { volume: "/mnt/tank/apps/plain/x:/data:ro" }],
    ["a JSON text", { extra: JSON.stringify({ mounts: [{ source: "/mnt/tank/apps/plain" }] }) }],
    ["the name of a value", { mounts: { "/mnt/tank/apps/plain": "/data" } }],
  ])("leaves what a stopped app names in %s", async (_, values) => {
    const { engine, host, removals } = await openInstalled();
    const other = host.script.world.instances.get("other");
    if (other !== undefined) other.values = values;
    host.script.setApp("other", { state: "STOPPED", mounts: [] });
    expect((await remove(engine, ALL)).result).toMatchObject({ removed: [], answers: "kept" });
    expect(removals.map(({ path }) => path)).not.toContain("plain");
  });

  it("leaves what an install under way is to use, though the host knows nothing of it", async () => {
    const { engine, host, removals } = await openInstalled();
    const release = host.script.hold("app.create");
    const { id } = await engine.install("late");
    await expect.poll(() => host.script.changes().at(-1)?.method).toBe("app.create");
    const reason = { path: "/mnt/tank/apps/plain", fate: "kept", reason: '"LATE" uses it' };
    expect((await engine.previewUninstall("demo", ALL)).directories).toContainEqual(reason);
    expect((await remove(engine, ALL)).result).toMatchObject({ removed: [], answers: "kept" });
    expect(removals.map(({ path }) => path)).not.toContain("plain");
    release();
    await settledTask(engine, id);
  });

  it("leaves the kept data of an app that was uninstalled before", async () => {
    const { engine, removals } = await openInstalled();
    await settledTask(engine, (await engine.install("late")).id);
    await settledTask(engine, (await engine.uninstall("late")).id);
    const reason = { path: "/mnt/tank/apps/plain", fate: "kept", reason: '"late" has data in it' };
    expect((await engine.previewUninstall("demo", ALL)).directories).toContainEqual(reason);
    expect((await remove(engine, ALL)).result).toMatchObject({ removed: [], answers: "kept" });
    expect(removals.map(({ path }) => path)).not.toContain("plain");
  });

  it("removes nothing of an app that came back by other means before a retry, running or not", async () => {
    const { engine, host, removals } = await openInstalled();
    const { world } = host.script;
    const demo = world.instances.get("demo");
    addLink(world, "/mnt/tank/apps/plain", "/mnt/tank/media");
    const failed = await remove(engine, ALL);
    expect(failed.state).toBe("FAILED");
    addDirectory(world, "/mnt/tank/apps/plain");
    if (demo !== undefined) world.instances.set("demo", { ...demo, values: {} });
    host.script.setApp("demo", { state: "STOPPED", mounts: [] });
    await engine.retry(failed.id);
    const task = await settledTask(engine, failed.id);
    expect(removals).toEqual([]);
    expect(task.marks).toContain("notRemoved: /mnt/tank/apps/demo: the app is installed again");
    expect(task.result).toMatchObject({ removed: [], emptied: [], answers: "kept" });
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

  it("takes nothing the owner made anew after an earlier uninstall removed it", async () => {
    const { engine, host, removals } = await openInstalled();
    await remove(engine, ALL);
    removals.length = 0;
    addDirectory(host.script.world, "/mnt/tank/apps/plain");
    await settledTask(engine, (await engine.install("demo")).id);
    await remove(engine, ALL);
    expect(removals.map(({ path }) => path)).not.toContain("plain");
  });

  it("leaves what was not there when snapshots were taken", async () => {
    const { engine, host, removals } = await openInstalled();
    const { world } = host.script;
    world.paths.delete("/mnt/tank/apps/plain");
    const { createSnapshot } = host;
    host.createSnapshot = async (snapshot) => {
      await createSnapshot(snapshot);
      addDirectory(world, "/mnt/tank/apps/plain");
    };
    const task = await remove(engine, ALL);
    expect(removals.map(({ path }) => path)).toEqual(["demo/data", "demo"]);
    expect(task.marks).toContain("notRemoved: /mnt/tank/apps/plain: it was not there when snapshots were taken");
    expect(task.result).toMatchObject({ left: ["/mnt/tank/apps/plain"], answers: "kept" });
  });

  it("leaves what somebody has deleted the snapshot of", async () => {
    const { engine, host, removals } = await openInstalled();
    const { createSnapshot } = host;
    host.createSnapshot = async (snapshot) => {
      await createSnapshot(snapshot);
      host.script.world.snapshots.length = 0;
    };
    const task = await remove(engine, ALL);
    expect(removals).toEqual([]);
    expect(task.result).toMatchObject({ removed: [], emptied: [], answers: "kept" });
  });

  it.each([
    ["shows its folder, empty", true],
    ["shows nothing of it", false],
  ])("takes no locked dataset for a directory that is gone, where the host %s", async (_, isShown) => {
    const { engine, host, removals } = await openInstalled();
    lockDemo(host.script.world, isShown);
    const task = await remove(engine, ALL);
    expect(removals.map(({ path }) => path)).toEqual(["plain"]);
    expect(task.marks).toContain(
      'notRemoved: /mnt/tank/apps/demo/data: its dataset "tank/apps/demo" is locked, or not mounted',
    );
    expect(task.result).toMatchObject({
      removed: ["/mnt/tank/apps/plain"],
      emptied: [],
      left: ["/mnt/tank/apps/demo/data", "/mnt/tank/apps/demo"],
      answers: "kept",
    });
  });

  it("takes snapshots anew when it is retried, and deletes none", async () => {
    const world = await openInstalled();
    const { engine, host } = world;
    const { shares } = host;
    world.end = async ({ path, keepsItself }) => {
      if (!keepsItself) host.script.world.paths.delete(`/mnt/tank/apps/${path}`);
      return { ok: true, isKept: false };
    };
    let refusals = 4;
    host.shares = async () => {
      refusals -= 1;
      if (refusals >= 0) throw new HostError(faultOf("HOST_CALL_FAILED", "[EFAULT] no"), "yes");
      return shares();
    };
    const { id } = await engine.uninstall("demo", ALL);
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      expect(await settledTask(engine, id)).toMatchObject({ state: "FAILED" });
      await engine.retry(id);
    }
    const task = await settledTask(engine, id);
    expect(task).toMatchObject({ state: "COMPLETED", result: { answers: "forgotten" } });
    const ofData = host.script.world.snapshots.filter(({ dataset }) => dataset === "tank/apps/demo/data");
    expect(ofData).toHaveLength(5);
    // What was removed in the first attempt is in its snapshot alone.
    expect(host.script.world.snapshots.filter(({ dataset }) => dataset === "tank/apps")).toHaveLength(1);
    expect(new Set(task.result && "snapshots" in task.result ? task.result.snapshots : [])).toHaveProperty("size", 11);
  });

  it("leaves what a location leads into, by whatever link", async () => {
    const { engine, host, removals } = await openInstalled();
    addDirectory(host.script.world, "/mnt/tank/apps/plain/films");
    const release = host.script.hold("app.delete");
    const { id } = await engine.uninstall("demo", ALL);
    addLink(host.script.world, "/mnt/tank/media", "/mnt/tank/apps/plain/films");
    release();
    expect((await settledTask(engine, id)).result).toMatchObject({ left: ["/mnt/tank/apps/plain"], answers: "kept" });
    expect(removals.map(({ path }) => path)).not.toContain("plain");
  });

  it("asks the host for its apps once before it is shown", async () => {
    const { engine, host } = await openInstalled();
    const { apps } = host;
    let asked = 0;
    host.apps = async () => {
      asked += 1;
      return apps();
    };
    await engine.previewUninstall("demo", ALL);
    expect(asked).toBe(1);
  });

  it("keeps the answers of an app whose script is lost: nobody knows its directories", async () => {
    const world = await openInstalled();
    world.write({ demo: { ...DEMO, app_values: 1 } });
    await world.engine.syncCatalog();
    expect(await world.engine.previewUninstall("demo", ALL)).toMatchObject({ directories: [], answers: "kept" });
    expect((await remove(world.engine, ALL)).result).toMatchObject({ removed: [], answers: "kept" });
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
