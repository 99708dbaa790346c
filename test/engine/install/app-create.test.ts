/** The call that creates the app, its job, and the wait until the app runs. */
import { describe, expect } from "vitest";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { settledTask, until } from "../../support/engine/engine-world.ts";
import { faultOf } from "../../support/engine/scripted-world.ts";

describe("app.create", () => {
  it("that fails makes the install FAILED with the host's reason; a retry is a new attempt of the same task", async () => {
    const world = await openWorld({ catalog: { demo: {} } });
    const { host, engine } = world;
    host.script.endJob("app.create", { state: "FAILED", fault: faultOf("HOST_CALL_FAILED", "[EFAULT] no space") });
    const { id } = await engine.install("demo");
    const failed = await settledTask(engine, id);
    expect(failed).toMatchObject({
      state: "FAILED",
      failure: { message: "[EFAULT] no space" },
      result: { app: "notCreated", directories: [], shares: [], done: [], notDone: ["app.create"] },
    });
    await engine.retry(id);
    expect(await settledTask(engine, id)).toMatchObject({ id, state: "COMPLETED", progress: 100 });
    const requests = host.script.changes().map(({ requestId }) => requestId);
    expect(new Set(requests).size).toBe(2);
  });

  it.each([
    ["was accepted", true, 1],
    ["was not accepted", false, 2],
  ])("whose answer is lost and which %s is sent as often as needed", async (_, acted, sent) => {
    const world = await openWorld({ catalog: { demo: {} } });
    const { host, engine } = world;
    host.script.loseAnswer("app.create", acted);
    const { id } = await engine.install("demo");
    expect((await settledTask(engine, id)).state).toBe("COMPLETED");
    expect(host.script.changes()).toHaveLength(sent);
  });

  it("is found again after a restart in the middle of its job", async () => {
    const world = await openWorld({ catalog: { demo: {} } });
    const { host, engine } = world;
    const release = host.script.hold("app.create");
    const { id } = await engine.install("demo");
    await until(engine, () => engine.task(id)?.waitingFor?.kind === "host" && host.script.changes().length === 1);
    const again = await world.restart();
    release();
    expect((await settledTask(again.engine, id)).state).toBe("COMPLETED");
    expect(host.script.changes()).toHaveLength(1);
  });

  it("whose job the host forgot is judged by the app's state", async () => {
    const world = await openWorld({ catalog: { demo: {} } });
    const { host, engine } = world;
    host.script.hold("app.create");
    const { id } = await engine.install("demo");
    await until(engine, () => host.script.changes().length === 1);
    host.script.restart(true);
    expect((await settledTask(engine, id)).state).toBe("COMPLETED");
    expect(host.script.changes()).toHaveLength(1);
  });
});

describe("an app that does not come up", () => {
  it("that crashed lets the install go on at once, with a mark", async () => {
    const world = await openWorld({ catalog: { demo: {} }, host: { deployingFor: 1e9 } });
    const { engine, host } = world;
    const { id } = await engine.install("demo");
    await until(engine, () => engine.task(id)?.waitingFor?.kind === "app");
    host.script.setAppState("demo", "CRASHED");
    expect(await settledTask(engine, id)).toMatchObject({ state: "COMPLETED", marks: ["notRunning: CRASHED"] });
  });

  it("that is late lets the install go on after the deadline, with the state it was in", async () => {
    const world = await openWorld({
      catalog: { demo: {} },
      engine: { timing: { runningDeadline: 60 } },
      host: { deployingFor: 1e9 },
    });
    const { engine } = world;
    const { id } = await engine.install("demo");
    expect(await settledTask(engine, id)).toMatchObject({ state: "COMPLETED", marks: ["notRunning: DEPLOYING"] });
  });
});

describe("a host that can't be asked", () => {
  it("is shown as a wait for the network, and the install goes on when it answers again", async () => {
    const world = await openWorld({ catalog: { demo: {} }, host: { deployingFor: 1e9 } });
    const { engine, host } = world;
    const { id } = await engine.install("demo");
    await until(engine, () => engine.task(id)?.waitingFor?.kind === "app");
    host.script.setAppsService("INITIALIZING");
    await until(engine, () => engine.task(id)?.waitingFor?.kind === "network");
    host.script.setAppsService("RUNNING");
    await until(engine, () => engine.task(id)?.waitingFor?.kind === "app");
    host.script.setAppState("demo", "RUNNING");
    expect(await settledTask(engine, id)).toMatchObject({ state: "COMPLETED", marks: [] });
  });
});
