import { setImmediate as endStretch } from "node:timers";
import { setImmediate } from "node:timers/promises";
import { describe, expect } from "vitest";
import { renderUninstall } from "../../../src/cli/ui/uninstall-text.ts";
import type { UninstallRequest } from "../../../src/engine/api.ts";
import { HostError } from "../../../src/engine/host-error.ts";
import { it } from "../../support/engine/engine-test.ts";
import { type EngineWorld, settledTask } from "../../support/engine/engine-world.ts";
import { addDirectory, faultOf } from "../../support/engine/scripted-world.ts";
import { ALL, DEMO, lockDemo, openInstalled, remove, secretOf } from "./uninstall-world.ts";

describe("an uninstall that removes data", () => {
  it("removes what its tasks have made, the innermost first, after a snapshot, and forgets what fits it", async () => {
    const { engine, host, removals } = await openInstalled();
    const before = secretOf({ host });
    host.script.world.shares.push({ name: "plain", path: "/mnt/tank/apps/plain" });
    const task = await remove(engine, ALL);
    expect(task).toMatchObject({
      state: "COMPLETED",
      marks: [
        "kept: /mnt/tank/media/films: it was there before the app",
        "shareKept: media",
        "snapshotCoversLocation: uninstall",
        "shareLeft: plain",
      ],
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

  it("keeps what its script names no more, and the answers that fit it, and says so before", async () => {
    const { engine, host, write } = await openInstalled();
    const before = secretOf({ host });
    const directories = DEMO.ensure_directories_exists.filter(({ path }) => !path.endsWith("/plain"));
    write({ demo: { ...DEMO, ensure_directories_exists: directories } });
    await engine.syncCatalog();
    const stays = { path: "/mnt/tank/apps/plain", fate: "kept", reason: "its script does not name it" };
    const shown = await engine.previewUninstall("demo", ALL);
    expect(shown.directories).toContainEqual(stays);
    expect(shown.answers).toBe("kept");
    const { result } = await remove(engine, ALL);
    const emptied = ["/mnt/tank/apps/demo/data", "/mnt/tank/apps/demo"];
    expect(result).toMatchObject({ emptied, removed: [], answers: "kept" });
    await settledTask(engine, (await engine.install("demo")).id);
    expect(secretOf({ host })).toBe(before);
  });

  it("keeps what holds a directory its script names no more", async () => {
    const { engine, write } = await openInstalled();
    const directories = DEMO.ensure_directories_exists.filter(({ path }) => !path.endsWith("/data"));
    write({ demo: { ...DEMO, ensure_directories_exists: directories } });
    await engine.syncCatalog();
    const { result } = await remove(engine, ALL);
    expect(result).toMatchObject({ emptied: [], removed: ["/mnt/tank/apps/plain"], answers: "kept" });
  });

  it("is not kept from a directory by what stood in it and is gone", async () => {
    const { engine, host, write } = await openInstalled();
    const directories = DEMO.ensure_directories_exists.filter(({ path }) => !path.endsWith("/data"));
    write({ demo: { ...DEMO, ensure_directories_exists: directories } });
    await engine.syncCatalog();
    const { datasets, paths } = host.script.world;
    paths.delete("/mnt/tank/apps/demo/data");
    const shown = async () =>
      (await engine.previewUninstall("demo", ALL)).directories.map(({ path, fate }) => [path, fate]);
    expect(await shown(), "its dataset may be locked").toContainEqual(["/mnt/tank/apps/demo", "kept"]);
    datasets.delete("tank/apps/demo/data");
    const location = paths.get("/mnt/tank/apps");
    paths.delete("/mnt/tank/apps");
    expect(await shown(), "its location is missing").toContainEqual(["/mnt/tank/apps/demo/data", "kept"]);
    if (location !== undefined) paths.set("/mnt/tank/apps", location);
    expect(await shown()).not.toContainEqual(["/mnt/tank/apps/demo/data", "kept"]);
    const { result } = await remove(engine, ALL);
    expect(result).toMatchObject({ emptied: ["/mnt/tank/apps/demo"], answers: "forgotten" });
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

  it("forgets in portions, with turns for others between, and goes on with it after a kill", async () => {
    const world = await openInstalled();
    const { engine, store } = world;
    const secret = String(secretOf(world));
    for (let at = 0; at < 25; at += 1) await settledTask(engine, (await engine.startApp("demo")).id);
    const countLeft = (of: typeof store) =>
      of.rootTrees().filter(([root]) => JSON.stringify(of.plan(root.id)).includes(secret)).length;
    const { redactTree } = store;
    const killed = Promise.withResolvers<EngineWorld>();
    let [stretches, inFirst, left] = [0, 0, 0];
    store.redactTree = (...tree) => {
      redactTree(...tree);
      if (stretches === 0 && inFirst === 0)
        endStretch(() => {
          stretches += 1;
        });
      if (stretches === 0) inFirst += 1;
      else if (left === 0) {
        left = countLeft(store);
        killed.resolve(world.crash());
      }
    };
    const { id } = await engine.uninstall("demo", ALL);
    const next = await killed.promise;
    expect([inFirst, left > 10]).toEqual([9, true]);
    expect(await settledTask(next.engine, id)).toMatchObject({ state: "COMPLETED", result: { answers: "forgotten" } });
    expect(countLeft(next.store)).toBe(0);
    expect((await next.engine.form("demo")).mode).toBe("install");
  });

  it("keeps the answers of one that is cancelled while it forgets", async () => {
    const { engine, host, store } = await openInstalled();
    const before = secretOf({ host });
    const begun = Promise.withResolvers<void>();
    const { rootTrees } = store;
    const { id } = await engine.uninstall("demo", ALL);
    store.rootTrees = (filter) => {
      if (filter?.limit === undefined || engine.task(id)?.state === "CANCELLED") return rootTrees(filter);
      begun.resolve();
      // The first portion again: there is no last one.
      return rootTrees({ limit: filter.limit });
    };
    await begun.promise;
    await engine.cancel(id);
    expect(await settledTask(engine, id)).toMatchObject({ state: "CANCELLED", result: { answers: "kept" } });
    await settledTask(engine, (await engine.install("demo")).id);
    expect(secretOf({ host })).toBe(before);
  });

  it("names each path before, with why it stays", async () => {
    const { engine, host } = await openInstalled();
    host.script.setApp("other", { mounts: [{ hostPath: "/mnt/tank/apps/plain/x", containerPath: "/x" }] });
    host.script.world.shares.push({ name: "data", path: "/mnt/tank/apps/demo/data" });
    const preview = await engine.previewUninstall("demo", ALL);
    expect(renderUninstall(preview)).toEqual(
      expect.arrayContaining([
        '  stays shared: /mnt/tank/media as "media"',
        '  stays, and leads to nothing: the share "data" of /mnt/tank/apps/demo/data',
      ]),
    );
    expect(preview).toMatchObject({
      appId: "demo",
      name: "DEMO",
      keepData: false,
      removesVolumes: true,
      answers: "kept",
      links: [],
      shares: [
        { name: "media", path: "/mnt/tank/media", leadsTo: "data" },
        { name: "data", path: "/mnt/tank/apps/demo/data", leadsTo: "nothing" },
      ],
      directories: [
        { path: "/mnt/tank/apps/demo/data", fate: "removed" },
        { path: "/mnt/tank/media/films", fate: "kept", reason: "it was there before the app" },
        { path: "/mnt/tank/apps/plain", fate: "kept", reason: '"OTHER" uses it' },
        { path: "/mnt/tank/apps/demo", fate: "removed" },
      ],
    });
    const kept = await engine.previewUninstall("demo");
    expect(kept).toMatchObject({ keepData: true, removesVolumes: false, answers: "kept" });
    expect(kept.shares).toEqual([{ name: "media", path: "/mnt/tank/media", leadsTo: "data" }]);
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
    const release = host.script.hold("app.delete");
    const { id } = await engine.uninstall("demo", ALL);
    host.shares = async () => {
      asked.resolve();
      await answer.promise;
      answered.resolve();
      return shares();
    };
    release();
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

  it("takes nothing the owner made anew after an earlier uninstall removed it", async () => {
    const { engine, host, removals } = await openInstalled();
    await remove(engine, ALL);
    removals.length = 0;
    addDirectory(host.script.world, "/mnt/tank/apps/plain");
    await settledTask(engine, (await engine.install("demo")).id);
    await remove(engine, ALL);
    expect(removals.map(({ path }) => path)).not.toContain("plain");
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
    const release = host.script.hold("app.delete");
    const { id } = await engine.uninstall("demo", ALL);
    host.shares = async () => {
      refusals -= 1;
      if (refusals >= 0) throw new HostError(faultOf("HOST_CALL_FAILED", "[EFAULT] no"), "yes");
      return shares();
    };
    release();
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
});
