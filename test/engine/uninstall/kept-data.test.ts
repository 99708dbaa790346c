import { describe, expect } from "vitest";
import { NO_FOLDERS } from "../../../src/engine/system/no-folders.ts";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { settledTask } from "../../support/engine/engine-world.ts";
import { addDirectory, addFile, addLink } from "../../support/engine/scripted-world.ts";
import { ALL, DEMO, LOCATION, lockDemo, openInstalled, remove, secretOf } from "./uninstall-world.ts";

describe("an uninstall that may not remove all", () => {
  it("leaves what has become a link, and what can't be removed, with a mark; then answers stay too", async () => {
    const world = await openInstalled();
    const { engine, host } = world;
    addLink(host.script.world, "/mnt/tank/apps/plain", "/mnt/tank/media/films");
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

  it.for<readonly [string, string]>([
    ["out of the host's pools", "/etc"],
    ["to a file", "/mnt/tank/file"],
  ])("shows what it would do where an app has left a link %s, and refuses to follow it", async ([, target]) => {
    const { engine, host, removals } = await openInstalled();
    const { world } = host.script;
    addDirectory(world, "/etc");
    addFile(world, "/mnt/tank/file");
    addLink(world, "/mnt/tank/apps/demo", target);
    const shown = await engine.previewUninstall("demo", ALL);
    expect(shown.directories.map(({ path }) => path)).toContain("/mnt/tank/apps/demo/data");
    expect(await remove(engine, ALL)).toMatchObject({ state: "FAILED", failure: { code: "HOST_PATH_LINKED" } });
    expect(removals).toEqual([]);
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
    addLink(world, "/mnt/tank/apps/plain", "/mnt/tank/media/films");
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

  it.each([
    ["can't be read", { demo: { ...DEMO, app_values: 1 } }],
    ["is gone", {}],
  ])("knows the directories of an app whose script %s by its last readable one", async (_, catalog) => {
    const world = await openInstalled();
    const before = (await world.engine.previewUninstall("demo", ALL)).directories;
    world.write(catalog);
    await world.engine.syncCatalog();
    const { directories } = await world.engine.previewUninstall("demo", ALL);
    expect(directories).toEqual(before);
    expect(directories.some(({ fate }) => fate === "removed")).toBe(true);
  });
});
