/** Upgrades of several apps in one task. */
import { describe, expect } from "vitest";
import { EXIT } from "../../../src/cli/ui/exit.ts";
import { renderUpgrades } from "../../../src/cli/ui/firing-text.ts";
import { findExitCode } from "../../../src/cli/ui/follow-task.ts";
import { createHttpApp } from "../../../src/http/app.ts";
import { UpgradeAllPreview } from "../../../src/http/schemas/previews.ts";
import { Task } from "../../../src/http/schemas/tasks.ts";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { hookTask, settledTask, until } from "../../support/engine/engine-world.ts";
import { faultOf } from "../../support/engine/scripted-world.ts";
import { rawHook } from "../../support/scripts/scripts.ts";

const offer = (versions: readonly string[]) => ({ train: "stable", title: "App", icon: "", versions });

/** A hook that links its app with another one. */
const linkTo = (app: string) => rawHook({ conditions: [{ role: "visibility", type: "appInstalled", app }] });

/** A hook that fails before an upgrade, and asks a person. */
const FAILS = {
  id: "fails",
  title: "Fails",
  entrypoint: "run",
  events: ["onBeforeUpgrade"],
  retries: 1,
  scriptContent: 'export async function run(ctx) { ctx.fail("no"); }',
};

/** Apps that are installed at 1.0.0 while the host offers 1.1.0; "bee" and "cat" link to others. */
async function installAll(more: Readonly<Record<string, object>> = {}) {
  const catalog: Readonly<Record<string, object>> = {
    ant: {},
    bee: { hooks: [linkTo("cat")] },
    cat: { hooks: [linkTo("dog")] },
    dog: {},
    ...more,
  };
  const apps = Object.keys(catalog);
  const at = (versions: readonly string[]) => Object.fromEntries(apps.map((app) => [app, offer(versions)]));
  const world = await openWorld({ catalog, host: { catalog: at(["1.0.0"]) } });
  for (const app of apps) await settledTask(world.engine, (await world.engine.install(app)).id);
  const { script } = world.host;
  for (const app of apps) {
    script.world.catalog.set(app, offer(["1.0.0", "1.1.0"]));
    script.setApp(app, { upgradeAvailable: true });
  }
  const version = (app: string) => script.world.instances.get(app)?.app.version;
  const upgraded = () =>
    script.changes().flatMap(({ method, params }) => (method === "app.upgrade" ? [JSON.stringify(params)] : []));
  return { ...world, script, version, upgraded };
}

const ORDER = ["ant", "dog", "cat", "bee"];

describe("an upgrade of all apps", () => {
  it("upgrades one app after another, targets of a pairing before what links to them", async () => {
    const { engine, host, upgraded, version } = await installAll();
    const { apps } = host;
    let looks = 0;
    host.apps = () => {
      looks += 1;
      return apps();
    };
    const preview = await engine.previewUpgradeAll();
    expect(looks, "times the host is asked for its apps").toBe(1);
    expect(preview.upgrades.map(({ appId, from, to }) => `${appId} ${from} ${to}`)).toEqual(
      ORDER.map((app) => `${app} 1.0.0 1.1.0`),
    );
    const http = createHttpApp(engine);
    const asked = await http.request("/api/upgrades/preview", { method: "POST" });
    expect(UpgradeAllPreview.parse(await asked.json())).toEqual(preview);
    expect(renderUpgrades(preview).slice(0, 2)).toEqual(["What will be upgraded", "  App: 1.0.0 to 1.1.0"]);
    const started = await http.request("/api/upgrades", { method: "POST" });
    expect(started.status).toBe(202);
    const task = await settledTask(engine, Task.parse(await started.json()).id);
    expect(task).toMatchObject({
      kind: "upgrade-all",
      state: "COMPLETED",
      label: "Upgrade all apps",
      progress: 100,
      marks: [],
      result: { done: ORDER, notDone: [], failed: [] },
    });
    expect(task.children.map(({ kind, appId, state }) => [kind, appId, state])).toEqual(
      ORDER.map((app) => ["upgrade", app, "COMPLETED"]),
    );
    expect(upgraded().map((params) => ORDER.find((app) => params.includes(`"${app}"`)))).toEqual(ORDER);
    expect(Task.parse(task)).toMatchObject({ result: { done: ORDER } });
    expect(findExitCode(task)).toBe(EXIT.done);
    expect(ORDER.map(version)).toEqual(ORDER.map(() => "1.1.0"));
    await expect(engine.upgradeAll()).rejects.toMatchObject({ code: "HOST_UPGRADE_NONE" });
  });

  it("goes on after one that fails, or begins no other where told so", async () => {
    const { engine, script } = await installAll();
    const fail = () => script.endJob("app.upgrade", { state: "FAILED", fault: faultOf("HOST_CALL_FAILED", "no") });
    fail();
    const stopped = await settledTask(engine, (await engine.upgradeAll({ stopOnFailure: true })).id);
    expect(stopped).toMatchObject({ state: "CANCELLED", result: { done: [], notDone: ORDER, failed: ["ant"] } });
    expect(stopped.children.map(({ state }) => state)).toEqual(["FAILED", "CANCELLED", "CANCELLED", "CANCELLED"]);
    fail();
    const { id, children } = await settledTask(engine, (await engine.upgradeAll({ apps: ["bee", "cat"] })).id);
    const task = engine.task(id);
    expect(task && findExitCode(task)).toBe(EXIT.failed);
    expect(task).toMatchObject({
      state: "COMPLETED",
      result: { done: ["bee"], notDone: ["cat"], failed: ["cat"] },
    });
    // A part that failed is retried alone, as that of any other plan.
    await engine.retry(children[0]?.id ?? "");
    expect((await settledTask(engine, id)).children.map(({ state }) => state)).toEqual(["COMPLETED", "COMPLETED"]);
  });

  it("leaves out apps another task is at work on, and those without a usable script, and says so", async () => {
    const { engine, script, version } = await installAll();
    const release = script.hold("app.stop");
    const stop = await engine.stopApp("dog");
    const leftOut = [
      { appId: "elk", code: "TASK_APP_UNKNOWN" },
      { appId: "dog", code: "TASK_CONFLICT" },
    ];
    const request = { apps: ["ant", "dog", "elk"] };
    expect(await engine.previewUpgradeAll(request)).toMatchObject({ upgrades: [{ appId: "ant" }], leftOut });
    const task = await settledTask(engine, (await engine.upgradeAll(request)).id);
    expect(task.children.map(({ appId }) => appId)).toEqual(["ant"]);
    expect(task.remarks).toMatchObject([
      { code: "leftOut", params: { reason: 'there is no app "elk" in the catalog' } },
      { code: "leftOut", params: { reason: `task "${stop.id}" is already at work on "dog"` } },
    ]);
    await expect(engine.upgradeAll({ apps: ["dog"] })).rejects.toMatchObject({
      code: "HOST_UPGRADE_NONE",
      message: expect.stringContaining(stop.id),
    });
    release();
    await settledTask(engine, stop.id);
    expect([version("ant"), version("dog")]).toEqual(["1.1.0", "1.0.0"]);
  });

  it("leaves out an app whose upgrade the engine itself fails to prepare, and keeps the fault to the log", async () => {
    const { engine, host, log } = await installAll();
    const { appConfig } = host;
    host.appConfig = async (name) => {
      if (name === "ant") throw new TypeError("a broken app");
      return appConfig(name);
    };
    const { upgrades, leftOut } = await engine.previewUpgradeAll();
    expect(upgrades.map(({ appId }) => appId)).toEqual(["dog", "cat", "bee"]);
    expect(leftOut).toEqual([
      { appId: "ant", code: "HTTP_INTERNAL", message: 'the upgrade of "ant" could not be prepared: see the log' },
    ]);
    expect(log).toContainEqual(expect.stringContaining("an upgrade could not be prepared"));
  });

  it("keeps its apps from other tasks, is one at a time, and ends its rest when it is cancelled", async () => {
    const { engine, script, version } = await installAll();
    const release = script.hold("app.upgrade");
    const { id } = await engine.upgradeAll();
    await expect(engine.upgradeAll()).rejects.toMatchObject({ code: "TASK_CONFLICT", details: { taskId: id } });
    await expect(engine.stopApp("bee")).rejects.toMatchObject({ code: "TASK_CONFLICT" });
    await until(engine, () => engine.task(id)?.children[0]?.state === "RUNNING");
    await engine.cancel(id);
    release();
    const task = await settledTask(engine, id);
    expect(task.state).toBe("CANCELLED");
    expect(task.children.slice(1).map(({ state }) => state)).toEqual(["CANCELLED", "CANCELLED", "CANCELLED"]);
    expect(version("bee")).toBe("1.0.0");
    await settledTask(engine, (await engine.stopApp("bee")).id);
  });

  it("that waits for a person keeps its own apps alone from the next one", async () => {
    const { engine, script, version } = await installAll({ elk: { hooks: [FAILS] }, fox: {} });
    const first = await settledTask(engine, (await engine.upgradeAll({ apps: ["elk", "fox"] })).id);
    expect(first.children.map(({ state }) => state)).toEqual(["RUNNING", "PENDING"]);
    const release = script.hold("app.upgrade");
    const second = await engine.upgradeAll();
    await expect(engine.upgradeAll()).rejects.toMatchObject({ code: "TASK_CONFLICT", details: { taskId: second.id } });
    release();
    expect(await settledTask(engine, second.id)).toMatchObject({ state: "COMPLETED", result: { done: ORDER } });
    expect(second.remarks.map(({ code }) => code)).toEqual(["leftOut", "leftOut"]);
    await expect(engine.upgradeAll()).rejects.toMatchObject({
      code: "HOST_UPGRADE_NONE",
      message: expect.stringContaining('is already at work on "fox"'),
    });
    await engine.skip(hookTask(engine.task(first.id)?.children[0] ?? first, "fails").id);
    expect((await settledTask(engine, first.id)).result).toMatchObject({ done: ["elk", "fox"] });
    expect([version("elk"), version("ant")]).toEqual(["1.1.0", "1.1.0"]);
  });

  it("goes on where it was after a kill, and upgrades every app once", async () => {
    const world = await installAll();
    const release = world.script.hold("app.upgrade");
    const { id } = await world.engine.upgradeAll();
    await until(world.engine, () => world.upgraded().length === 1);
    const { engine } = await world.crash();
    release();
    expect(await settledTask(engine, id)).toMatchObject({ state: "COMPLETED", result: { done: ORDER, notDone: [] } });
    expect(world.upgraded()).toHaveLength(ORDER.length);
  });
});
