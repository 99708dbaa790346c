/** A link in the middle of an app's path, where its data is removed or a rollback puts other data in its place. */
import { mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Host } from "../../../src/engine/ports/host.ts";
import { settledTask } from "../../support/engine/engine-world.ts";
import { openKind } from "../../support/host/location-kinds.ts";
import { rawScript } from "../../support/scripts/scripts.ts";

const SCRIPT = rawScript({
  requirements: { locations: ["ApplicationsPerformance", "Documents"], specifications: [], permissions: [], ports: [] },
  ensure_directories_exists: [{ path: "$LOCATION(ApplicationsPerformance)/jellyfin/data", snapshot: { id: "data" } }],
});

const LINKED = expect.stringContaining("is, or lies behind, a symbolic link");

/** An installed app with data, and what belongs to somebody else. */
async function openInstalled() {
  const world = await openKind("the preset for apps", "25.10", { jellyfin: JSON.stringify(SCRIPT) });
  const { standin, engine, locations } = world;
  const top = `${locations["ApplicationsPerformance"]}/jellyfin`;
  const victim = `${locations["Documents"]}/private`;
  mkdirSync(standin.localPath(`${victim}/data`), { recursive: true });
  const kept = standin.localPath(`${victim}/data/letter.txt`);
  writeFileSync(kept, "dear");
  expect(await settledTask(engine, (await engine.install("jellyfin")).id)).toMatchObject({ state: "COMPLETED" });
  writeFileSync(standin.localPath(`${top}/data/own.txt`), "own");
  return {
    ...world,
    data: `${top}/data`,
    dataset: `${top}/data`.slice("/mnt/".length),
    /** What the app, or one that sees the folder above, does. */
    putLink: () => {
      renameSync(standin.localPath(top), standin.localPath(`${top}-away`));
      symlinkSync("../Documents/private", standin.localPath(top));
    },
    expectUntouched: () => {
      expect(readFileSync(kept, "utf8")).toBe("dear");
      expect(readFileSync(standin.localPath(`${top}-away/data/own.txt`), "utf8")).toBe("own");
    },
  };
}

/** Runs something once, right before the first call of a method that passes. */
function runBefore<Name extends "snapshots" | "makeDirectory" | "cloneSnapshot" | "startJob">(
  host: Host,
  name: Name,
  run: () => void,
  isMeant: (...asked: readonly unknown[]) => boolean = () => true,
): void {
  const call = host[name];
  let isDone = false;
  const watched = (...asked: readonly unknown[]): unknown => {
    if (!isDone && isMeant(...asked)) {
      isDone = true;
      run();
    }
    return Reflect.apply(call, host, asked);
  };
  Object.assign(host, { [name]: watched });
}

describe("an uninstall that removes data", () => {
  test("snapshots and removes nothing behind a link that was there before", async () => {
    const { engine, host, putLink, expectUntouched } = await openInstalled();
    putLink();
    const task = await settledTask(engine, (await engine.uninstall("jellyfin", { keepData: false })).id);
    expect(task).toMatchObject({ state: "FAILED", failure: { code: "HOST_PATH_LINKED", message: LINKED } });
    expect(task.result).toMatchObject({ removed: [], emptied: [] });
    expectUntouched();
    expect(await host.snapshotNames("tank/of-a-kind/Documents")).toEqual([]);
  });

  test.each([
    ["after the snapshots were taken", "snapshots", () => true],
    ["between the last look and the removal", "makeDirectory", (path: unknown) => String(path).includes("/.slipway-")],
  ] as const)("removes nothing behind a link that is put %s", async (_title, name, isMeant) => {
    const { engine, host, data, putLink, expectUntouched } = await openInstalled();
    let isPut = false;
    const put = () => {
      isPut = true;
      putLink();
    };
    const { createSnapshot } = host;
    host.createSnapshot = async (snapshot) => {
      await createSnapshot.call(host, snapshot);
      runBefore(host, name, put, isMeant);
    };
    const task = await settledTask(engine, (await engine.uninstall("jellyfin", { keepData: false })).id);
    expect(isPut).toBe(true);
    expect(task.result).toMatchObject({ removed: [], emptied: [] });
    expect(JSON.stringify(task.marks)).toContain(`notRemoved: ${data}`);
    expectUntouched();
  });
});

describe("a rollback that restores a dataset", () => {
  async function openUpgraded() {
    const world = await openInstalled();
    const { standin, engine } = world;
    standin.control.release("jellyfin", "9.0.0");
    expect(await settledTask(engine, (await engine.upgrade("jellyfin")).id)).toMatchObject({ state: "COMPLETED" });
    return world;
  }

  const listDatasets = ({ standin }: Awaited<ReturnType<typeof openUpgraded>>) =>
    Object.keys(standin.control.state().datasets).toSorted();

  test("clones and swaps nothing if a link was in the middle of the path before", async () => {
    const world = await openUpgraded();
    const before = listDatasets(world);
    world.putLink();
    // What stands there is not the dataset's own folder.
    await expect(world.engine.rollback("jellyfin")).rejects.toMatchObject({ code: "TASK_ROLLBACK_IMPOSSIBLE" });
    expect(listDatasets(world)).toEqual(before);
    world.expectUntouched();
  });

  test.each([
    ["startJob", "HOST_DIRECTORY_BLOCKED"],
    ["cloneSnapshot", "HOST_CALL_FAILED"],
  ] as const)("swaps nothing after a link is put before its %s", async (name, code) => {
    const world = await openUpgraded();
    const before = listDatasets(world);
    runBefore(world.host, name, world.putLink);
    const task = await settledTask(world.engine, (await world.engine.rollback("jellyfin")).id);
    expect(task).toMatchObject({ state: "FAILED", failure: { code } });
    expect(listDatasets(world).filter((id) => id.includes("-before-"))).toEqual([]);
    expect(listDatasets(world)).toEqual(expect.arrayContaining(before));
    expect(await world.host.dataset(world.dataset)).toMatchObject({ name: world.dataset });
    expect(readdirSync(world.standin.localPath(world.data))).toEqual(["letter.txt"]);
    world.expectUntouched();
  });
});
