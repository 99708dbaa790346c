import { describe, expect } from "vitest";
import type { Engine } from "../../../src/engine/api.ts";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { type EngineWorld, settledTask, until } from "../../support/engine/engine-world.ts";
import { addDirectory, addLink, faultOf } from "../../support/engine/scripted-world.ts";
import { rawHook } from "../../support/scripts/scripts.ts";
import { createTestClock } from "../../support/test-clock.ts";

const SCRIPT = {
  requirements: { locations: ["ApplicationsPerformance"], specifications: [], permissions: [], ports: [] },
  ensure_directories_exists: [{ path: "$LOCATION(ApplicationsPerformance)/demo" }],
  hooks: [rawHook({ surfaces: ["card", "widget"] })],
};
const REFUSED = { state: "FAILED", fault: faultOf("HOST_CALL_FAILED", "[EFAULT] Failed 'up' action") } as const;

async function openInstalled(more: Parameters<typeof openWorld>[0]["engine"] = {}): Promise<EngineWorld> {
  const world = await openWorld({
    catalog: { demo: SCRIPT, other: {} },
    host: { datasets: ["tank", "tank/apps"] },
    engine: more,
  });
  await settledTask(world.engine, (await world.engine.install("demo")).id);
  return world;
}

/** The jobs about the app since its install. */
const jobsOf = ({ host }: Pick<EngineWorld, "host">) =>
  host.script
    .changes()
    .map(({ method }) => method)
    .filter((method) => method === "app.start" || method === "app.stop");

type Switching = "startApp" | "stopApp" | "restartApp";
const press = async (engine: Engine, name: Switching) => settledTask(engine, (await engine[name]("demo")).id);

describe("start, stop and restart", () => {
  it("bring the app to where they say, by the jobs that are needed, and say what was done", async () => {
    const world = await openInstalled();
    const { engine, host } = world;
    expect(await press(engine, "stopApp")).toMatchObject({
      kind: "stop",
      title: "Stop DEMO",
      state: "COMPLETED",
      result: { app: "stopped", state: "STOPPED", done: ["app.stop"], notDone: [] },
    });
    expect(await press(engine, "stopApp")).toMatchObject({
      state: "COMPLETED",
      result: { app: "alreadyStopped", state: "STOPPED", done: [], notDone: [] },
    });
    expect(await press(engine, "startApp")).toMatchObject({
      kind: "start",
      state: "COMPLETED",
      result: { app: "started", state: "RUNNING", done: ["app.start"], notDone: [] },
    });
    expect(await press(engine, "startApp")).toMatchObject({
      state: "COMPLETED",
      result: { app: "alreadyRunning", state: "RUNNING", done: [], notDone: [] },
    });
    expect(await press(engine, "restartApp")).toMatchObject({
      kind: "restart",
      state: "COMPLETED",
      result: { app: "restarted", state: "RUNNING", done: ["app.stop", "app.start"] },
    });
    host.script.setAppState("demo", "STOPPED");
    expect(await press(engine, "restartApp")).toMatchObject({ result: { app: "started", done: ["app.start"] } });
    expect(jobsOf(world)).toEqual(["app.stop", "app.start", "app.stop", "app.start", "app.start"]);
  });

  it("work for an app without a script, and refuse one that is not installed or unknown", async () => {
    const { engine, host, write } = await openInstalled();
    write({ demo: { installation_questions: 7 } });
    await engine.syncCatalog();
    expect(await press(engine, "stopApp")).toMatchObject({ state: "COMPLETED", result: { app: "stopped" } });
    await expect(engine.startApp("other")).rejects.toMatchObject({ code: "TASK_APP_NOT_INSTALLED" });
    await expect(engine.restartApp("nobody")).rejects.toMatchObject({ code: "TASK_APP_UNKNOWN" });
    expect(host.script.world.instances.get("demo")?.app.state).toBe("STOPPED");
  });

  it("conflict with the task at work on the app, by its id", async () => {
    const { engine, host } = await openInstalled();
    const release = host.script.hold("app.stop");
    const { id } = await engine.stopApp("demo");
    for (const pressed of [engine.startApp("demo"), engine.upgrade("demo"), engine.restartApp("demo")])
      await expect(pressed).rejects.toMatchObject({ code: "TASK_CONFLICT", details: { taskId: id } });
    release();
    await settledTask(engine, id);
  });

  it("are offered as the app's state leaves them to do, and say what is in their way", async () => {
    const { engine, host } = await openInstalled();
    const offered = async () => (await engine.app("demo"))?.installed?.lifecycles;
    const names = async () => (await offered())?.map(({ lifecycle }) => lifecycle);
    expect(await offered()).toEqual([
      { lifecycle: "stop", state: "enabled" },
      { lifecycle: "restart", state: "enabled" },
      { lifecycle: "uninstall", state: "enabled" },
    ]);
    const release = host.script.hold("app.stop");
    const { id: taskId } = await engine.stopApp("demo");
    const busy = { state: "disabled", reason: '"Stop DEMO" is under way', taskId };
    expect(await offered()).toEqual(["stop", "restart", "uninstall"].map((lifecycle) => ({ lifecycle, ...busy })));
    release();
    await settledTask(engine, taskId);
    await expect.poll(names).toEqual(["start", "uninstall"]);
    host.script.setAppState("demo", "CRASHED");
    await expect.poll(names).toEqual(["start", "stop", "restart", "uninstall"]);
    expect((await engine.apps({ installed: true }))[0]?.installed?.lifecycles).toEqual(await offered());
  });

  it("fail with what the host says, and are retried or put away", async () => {
    const world = await openInstalled();
    const { engine, host } = world;
    host.script.endJob("app.stop", REFUSED);
    const failed = await press(engine, "stopApp");
    expect(failed).toMatchObject({
      state: "FAILED",
      failure: { code: "HOST_CALL_FAILED" },
      result: { app: "notStopped", state: "RUNNING", notDone: ["app.stop"] },
      commands: ["retry", "cancel", "dismiss"],
    });
    await engine.retry(failed.id);
    expect(await settledTask(engine, failed.id)).toMatchObject({ state: "COMPLETED", result: { app: "stopped" } });
    host.script.endJob("app.start", REFUSED);
    const restart = await press(engine, "restartApp");
    expect(restart).toMatchObject({ state: "FAILED", result: { app: "notRestarted", state: "STOPPED" } });
    expect(await engine.dismiss(restart.id)).toMatchObject({ state: "DISMISSED" });
  });

  it("say where a restart left an app that did not start again", async () => {
    const { engine, host } = await openInstalled();
    host.script.endJob("app.start", REFUSED);
    expect(await press(engine, "restartApp")).toMatchObject({
      state: "FAILED",
      result: { app: "stopped", state: "STOPPED", done: ["app.stop"], notDone: ["app.start"] },
    });
  });

  it("start a crashed app anew, and fail while it crashes", async () => {
    const world = await openInstalled();
    const { engine, host } = world;
    host.script.setAppState("demo", "CRASHED");
    const release = host.script.hold("app.start");
    const { id } = await engine.startApp("demo");
    await expect.poll(() => jobsOf(world)).toEqual(["app.start"]);
    host.script.world.deployingFor = 2;
    release();
    await until(engine, () => engine.task(id)?.doing === "Waiting until the app runs");
    host.script.setAppState("demo", "CRASHED");
    const failed = await settledTask(engine, id);
    expect(failed).toMatchObject({
      state: "FAILED",
      failure: { code: "TASK_APP_NOT_RUNNING", message: "the app did not come up, it is CRASHED" },
      result: { app: "started", state: "CRASHED" },
    });
    await engine.retry(id);
    expect(await settledTask(engine, id)).toMatchObject({ state: "COMPLETED" });
    expect(jobsOf(world)).toEqual(["app.start", "app.start"]);
  });

  it("wait no longer than the deadline for an app to stop, or to run", async () => {
    const clock = createTestClock();
    const { engine, host } = await openInstalled({ clock, timing: { runningDeadline: 60_000 } });
    const { app: look } = host;
    host.app = async (name) => {
      const seen = await look(name);
      return seen?.state === "STOPPED" ? { ...seen, state: "STOPPING" } : seen;
    };
    const { id } = await engine.restartApp("demo");
    const awaitDeadline = async (doing: string) => {
      await until(engine, () => engine.task(id)?.doing === doing);
      await expect.poll(() => clock.sleeping()).toBeGreaterThan(0);
      clock.advance(60_000);
      return settledTask(engine, id);
    };
    const message = "the app did not come to a stop, it is STOPPING";
    expect(await awaitDeadline("Waiting until the app is stopped")).toMatchObject({
      state: "FAILED",
      failure: { code: "TASK_APP_NOT_STOPPED", message },
      result: { app: "stopped", state: "STOPPING" },
    });
    host.app = look;
    host.script.world.deployingFor = 1_000_000;
    await engine.retry(id);
    expect(await awaitDeadline("Waiting until the app runs")).toMatchObject({
      state: "FAILED",
      failure: { code: "TASK_APP_NOT_RUNNING", message: "the app did not come up, it is DEPLOYING" },
      result: { app: "started", state: "DEPLOYING" },
    });
  });

  it("send nothing to an app whose directory has become a link", async () => {
    const world = await openInstalled();
    const { engine, host } = world;
    await press(engine, "stopApp");
    addDirectory(host.script.world, "/etc");
    addLink(host.script.world, "/mnt/tank/apps/demo", "/etc");
    expect(await press(engine, "startApp")).toMatchObject({
      state: "FAILED",
      failure: { code: "HOST_PATH_LINKED" },
      result: { app: "notStarted", state: "STOPPED" },
    });
    expect(jobsOf(world)).toEqual(["app.stop"]);
  });

  it.each(["card", "widget"] as const)("keep a %s's button from being pressed meanwhile", async (surface) => {
    const world = await openInstalled();
    const { engine, host } = world;
    const release = host.script.hold("app.stop");
    const { id } = await engine.stopApp("demo");
    await expect.poll(() => jobsOf(world)).toEqual(["app.stop"]);
    const pressed = engine.runAction("demo", "connect", { surface });
    await expect(pressed).rejects.toMatchObject({ code: "TASK_CONFLICT", details: { taskId: id } });
    release();
    await settledTask(engine, id);
    expect((await engine.tasks({ appId: "demo" })).map(({ kind }) => kind)).not.toContain("hook");
  });

  it("keep a button from being pressed that begin while the host is asked about it", async () => {
    const { engine, host } = await openInstalled();
    const release = host.script.hold("app.stop");
    const { facts } = host;
    let id = "";
    host.facts = async () => {
      host.facts = facts;
      ({ id } = await engine.stopApp("demo"));
      return facts();
    };
    const refused = await engine.runAction("demo", "connect").catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "TASK_CONFLICT", details: { taskId: id } });
    release();
    await settledTask(engine, id);
  });

  it("are cancelled once the host's call has ended, and say what became of it", async () => {
    const world = await openInstalled();
    const { engine, host } = world;
    const release = host.script.hold("app.stop");
    const { id } = await engine.restartApp("demo");
    await expect.poll(() => jobsOf(world)).toEqual(["app.stop"]);
    await engine.cancel(id);
    release();
    expect(await settledTask(engine, id)).toMatchObject({
      state: "CANCELLED",
      result: { app: "stopped", state: null, done: ["app.stop"], notDone: ["app.start"] },
    });
  });

  it("ask the host after a kill before anything is sent again", async () => {
    const world = await openInstalled();
    world.host.script.hold("app.stop");
    const { id } = await world.engine.restartApp("demo");
    await expect.poll(() => jobsOf(world)).toEqual(["app.stop"]);
    const next = await world.crash();
    next.host.script.restart(true);
    expect(await settledTask(next.engine, id)).toMatchObject({ state: "COMPLETED", result: { app: "restarted" } });
    expect(jobsOf(next)).toEqual(["app.stop", "app.start"]);
  });
});
