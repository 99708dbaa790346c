import { setImmediate } from "node:timers/promises";
import { describe, expect } from "vitest";
import type { Engine, TaskView } from "../../../src/engine/api.ts";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { type EngineWorld, settledTask } from "../../support/engine/engine-world.ts";
import { rawHook } from "../../support/scripts/scripts.ts";

const { rerun: _, ...lifecycleHook } = rawHook({ id: "after", events: ["onAfterUpgrade"] });
const DEMO = { hooks: [lifecycleHook] };

/** A directory with an owner, whose snapshot an upgrade takes. */
const OWNED = {
  requirements: { locations: ["ApplicationsPerformance"], specifications: [], permissions: [], ports: [] },
  ensure_directories_exists: [
    { path: "$LOCATION(ApplicationsPerformance)/demo", owner: { user: "apps" }, snapshot: { id: "data" } },
  ],
};

/** Demo at 1.0.0, whose next version crashes as it comes up. */
async function openCrashing(script: object = DEMO): Promise<EngineWorld> {
  const world = await openWorld({
    catalog: { demo: { ...script } },
    host: { datasets: ["tank", "tank/apps", "tank/media"], deployingFor: 0 },
  });
  const { engine, host } = world;
  const offered = host.script.world.catalog;
  const now = offered.get("demo");
  offered.set("demo", { train: "stable", title: "DEMO", icon: "", versions: ["1.0.0"] });
  await settledTask(engine, (await engine.install("demo")).id);
  if (now !== undefined) offered.set("demo", now);
  return world;
}

/** Lets the upgrade's app crash as it comes up, twice, and run from then on. */
async function upgrade(
  { engine, host }: EngineWorld,
  request: Parameters<Engine["upgrade"]>[1] = {},
): Promise<TaskView> {
  host.script.world.deployingFor = 1e6;
  const { id } = await engine.upgrade("demo", request);
  await expect.poll(() => engine.task(id)?.waitingFor?.kind).toBe("app");
  const starts = countStarts(host);
  host.script.setAppState("demo", "CRASHED");
  await expect.poll(() => countStarts(host)).toBe(starts + 1);
  host.script.world.deployingFor = 0;
  host.script.setAppState("demo", "CRASHED");
  return settledTask(engine, id);
}

const countStarts = ({ script }: EngineWorld["host"]) =>
  script.done.filter(({ method }) => method === "app.start").length;

const versionOf = ({ host }: EngineWorld) => host.script.world.instances.get("demo")?.app.version;

describe("an upgrade whose app does not run after it", () => {
  it("fails, and offers to retry, skip or roll back", async () => {
    const world = await openCrashing();
    const task = await upgrade(world);
    expect(task).toMatchObject({
      state: "FAILED",
      failure: { code: "TASK_APP_NOT_RUNNING" },
      commands: ["retry", "skip", "rollback", "cancel", "dismiss"],
      result: { app: "upgraded", notDone: ["after"] },
    });
    const back = await settledTask(world.engine, (await world.engine.rollback("demo", { snapshot: task.id })).id);
    expect(back).toMatchObject({ kind: "rollback", state: "COMPLETED", result: { version: "1.0.0" } });
    expect(versionOf(world)).toBe("1.0.0");
    expect(await settledTask(world.engine, task.id)).toMatchObject({ state: "DISMISSED", marks: ["rolledBack"] });
  });

  it("is started once more by a retry", async () => {
    const world = await openCrashing();
    const { id } = await upgrade(world);
    await world.engine.retry(id);
    expect(await settledTask(world.engine, id)).toMatchObject({ state: "COMPLETED", marks: [] });
    expect(world.host.script.done.at(-1)?.method).toBe("app.start");
  });

  it("can be rolled back after retries that each repaired an owner: its own snapshots stay", async () => {
    const world = await openCrashing(OWNED);
    const { engine, host } = world;
    const { paths, snapshots } = host.script.world;
    const path = "/mnt/tank/apps/demo";
    const stray = () => paths.set(path, { type: "DIRECTORY", uid: 0, gid: 0 });
    stray();
    const { id } = await upgrade(world);
    const own = snapshots.filter(({ properties }) => properties["platform:purpose"] === "pre-upgrade");
    expect(own).toHaveLength(1);
    for (let retry = 1; retry <= 4; retry += 1) {
      stray();
      host.script.world.deployingFor = 1e6;
      const starts = countStarts(host);
      await engine.retry(id);
      await expect.poll(() => countStarts(host)).toBe(starts + 1);
      host.script.setAppState("demo", "CRASHED");
      expect(await settledTask(engine, id)).toMatchObject({ state: "FAILED" });
    }
    expect(snapshots).toEqual(expect.arrayContaining(own));
    host.script.world.deployingFor = 0;
    const back = await settledTask(engine, (await engine.rollback("demo", { snapshot: id })).id);
    expect(back).toMatchObject({ state: "COMPLETED", result: { restored: [path] } });
  });

  it("goes on with its hooks where that is skipped", async () => {
    const world = await openCrashing();
    const { id } = await upgrade(world);
    await world.engine.skip(id);
    expect(await settledTask(world.engine, id)).toMatchObject({
      state: "COMPLETED",
      marks: ["notRunning: CRASHED"],
      result: { notDone: [] },
    });
  });

  it("is rolled back by itself where it was asked for so, and not by a later engine", async () => {
    const world = await openCrashing();
    const task = await upgrade(world, { rollbackOnFailure: true });
    const rollbackOf = ({ engine }: EngineWorld) => engine.tasks().find(({ kind }) => kind === "rollback");
    await expect.poll(() => rollbackOf(world)?.state).toBe("COMPLETED");
    expect(versionOf(world)).toBe("1.0.0");
    expect(await settledTask(world.engine, task.id)).toMatchObject({ state: "DISMISSED", marks: ["rolledBack"] });
    expect(world.engine.audit({ limit: 3 }).map(({ actor, method }) => [actor.how, actor.id, method])).toEqual([
      ["engine", "engine", "dismiss"],
      ["engine", "engine", "rollback"],
      ["API", "unnamed", "upgrade"],
    ]);
    // The host says no way back while the upgrade fails: what the app has come to since is known to people alone.
    const { rollbackVersions } = world.host;
    world.host.rollbackVersions = async () => [];
    const again = await upgrade(world, { rollbackOnFailure: true });
    await expect.poll(() => world.log.some((line) => line.includes("was not rolled back"))).toBe(true);
    expect(world.engine.task(again.id)?.state).toBe("FAILED");
    world.host.rollbackVersions = rollbackVersions;
    const next = await world.restart();
    const sent = next.host.script.changes().length;
    const settled = await next.engine.settled(again.id);
    expect([settled.state, settled.commands]).toEqual(["FAILED", expect.arrayContaining(["rollback"])]);
    await setImmediate();
    expect(next.host.script.changes().length).toBe(sent);
  });
});
