/** A host stops an app before it looks at its values: a refused upgrade leaves it stopped, and the engine starts it again. */
import { describe, expect } from "vitest";
import type { TaskView } from "../../../src/engine/api.ts";
import { GENERATIONS, type HostGeneration } from "../../../src/standin/settings.ts";
import { type EngineOnStandin, openOnStandin } from "../../support/engine/engine-on-standin.ts";
import { it } from "../../support/engine/engine-test.ts";

const APP = "notes";
const PLACE = "notes.salt";
const VALUES = {
  notes: { motto: "slow" },
  network: { web_port: { bind_mode: "published", port_number: 30_961, host_ips: [] } },
};

/** An app that runs, and a version of it whose schema requires a value the app lacks. */
async function openRefusing(generation: HostGeneration = "25.10"): Promise<EngineOnStandin> {
  const world = await openOnStandin({ [APP]: { app_values: VALUES } }, { generation });
  const installed = await world.settled(await world.engine().install(APP));
  expect(installed.state).toBe("COMPLETED");
  world.standin.control.release(APP, "1.4.0");
  world.standin.control.demandValue(APP, { version: "1.4.0", place: PLACE });
  return world;
}

async function upgrade(world: EngineOnStandin): Promise<TaskView> {
  return world.settled(await world.engine().upgrade(APP));
}

/** Starts and stops of the app by this engine and by the host's own jobs, in order. */
function listJobs({ standin }: EngineOnStandin): readonly string[] {
  return standin.control.jobs().map(({ method, state }) => `${method} ${state}`);
}

const AGAIN = { marks: [`oldVersionStarted: 1.3.0`] };

describe("an upgrade the host refuses after it has stopped the app", () => {
  it.for(GENERATIONS)("on %s is followed by a start of the old version", async (release) => {
    const world = await openRefusing(release);
    const view = await upgrade(world);
    expect(view).toMatchObject({ state: "FAILED", failure: { code: "HOST_INVALID" }, ...AGAIN });
    expect(view.failure?.context).toContainEqual({ label: PLACE, value: "Field required" });
    expect(view.failure?.context).toContainEqual({ label: "version now", value: "1.3.0" });
    expect(listJobs(world).slice(-3)).toEqual(["app.upgrade FAILED", "app.stop SUCCESS", "app.start SUCCESS"]);
    await expect.poll(async () => world.host().app(APP)).toMatchObject({ version: "1.3.0", state: "RUNNING" });
    expect(view.remarks?.map(({ text }) => text).join()).toContain("its version 1.3.0 was started again");
    expect(await world.engine().dismiss(view.id)).toMatchObject({
      result: { app: "notUpgraded", done: ["app.start"], notDone: ["app.upgrade"] },
    });
  });

  it("is made by Retry once the host takes the values", async () => {
    const world = await openRefusing();
    const { id } = await upgrade(world);
    world.standin.control.state().demands[APP] = [];
    await world.engine().retry(id);
    expect(await world.settled({ id })).toMatchObject({ state: "COMPLETED", ...AGAIN, result: { app: "upgraded" } });
    expect(await world.host().app(APP)).toMatchObject({ version: "1.4.0" });
  });

  it("leaves it stopped, and says why, if the old version does not start", async () => {
    const world = await openRefusing();
    world.standin.control.arm("job-call-error@app.start");
    const view = await upgrade(world);
    expect(view).toMatchObject({ state: "FAILED", failure: { code: "HOST_INVALID" } });
    expect(view.marks).toEqual([expect.stringMatching(/^oldVersionStopped: 1\.3\.0: .*Failed 'up' action/)]);
    expect(view.failure?.context).toContainEqual({ label: "state now", value: "STOPPED" });
    // Retry starts it, as an upgrade needs it, is refused again, and starts it again.
    await world.engine().retry(view.id);
    expect((await world.settled(view)).marks).toContain("oldVersionStarted: 1.3.0");
    expect((await world.host().app(APP))?.state).not.toBe("STOPPED");
  });

  it("starts nothing if the host was asked to upgrade a stopped app and stopped none itself", async () => {
    const world = await openRefusing();
    world.standin.control.arm("job-aborted@app.upgrade");
    const view = await upgrade(world);
    expect(view).toMatchObject({ state: "FAILED", failure: { code: "HOST_JOB_ABORTED" }, marks: [] });
    expect(listJobs(world).filter((job) => job.startsWith("app.start"))).toEqual([]);
  });
});

describe("the upgrade with the values of the script", () => {
  const NEWER = {
    script: { version: "1.1.0" },
    app_values: { ...VALUES, notes: { motto: "slow", salt: "$RANDOM_STRING(12)" } },
  };

  it("is what the form offers after the refusal, and keeps what the app has besides", async () => {
    const world = await openRefusing();
    await upgrade(world);
    const withOwn = { ...VALUES.notes, own: "by hand" };
    const state = world.standin.control.state();
    const app = state.apps[APP];
    if (app !== undefined) app.values = { ...app.values, notes: withOwn };
    expect((await world.engine().form(APP, "upgrade")).request).not.toHaveProperty("withValues");
    await world.publish({ [APP]: NEWER });
    const form = await world.engine().form(APP, "upgrade");
    expect(form.request).toMatchObject({ withValues: true, revision: expect.any(String) });
    expect(JSON.stringify(form.differences)).toContain("salt");
    const view = await world.settled(await world.engine().upgrade(APP, form.request));
    expect(view).toMatchObject({ state: "COMPLETED", result: { app: "upgraded", to: "1.4.0", notDone: [] } });
    expect(view.result).toMatchObject({ done: ["app.upgrade"] });
    const { notes } = await world.host().appConfig(APP);
    expect(notes).toMatchObject({ ...withOwn, salt: expect.stringMatching(/^\w{12}$/) });
    expect((await world.engine().lookForDrift()).findings).toEqual([]);
    // An update later keeps the generated value.
    expect(await world.settled(await world.engine().update(APP))).toMatchObject({ state: "COMPLETED" });
    expect((await world.host().appConfig(APP))["notes"]).toEqual(notes);
  });

  it("that the host refuses too names the place, and starts the old version", async () => {
    const world = await openRefusing();
    const view = await world.settled(await world.engine().upgrade(APP, { withValues: true }));
    expect(view).toMatchObject({ state: "FAILED", failure: { code: "HOST_INVALID" }, ...AGAIN });
    expect(view.failure?.context.map(({ label }) => label)).not.toContain("to try");
  });
});

describe("an engine killed", () => {
  const hasFailed = ({ standin }: EngineOnStandin) =>
    standin.control.jobs().some(({ method, state }) => method === "app.upgrade" && state === "FAILED");

  it.for(["app.query", "app.start"])("at the %s after the refusal starts the old version once", async (method) => {
    const world = await openRefusing();
    const crashed = world.crashAt(method, () => hasFailed(world));
    const { id } = await world.engine().upgrade(APP);
    await crashed;
    const view = await world.settled({ id });
    expect(view).toMatchObject({ state: "FAILED", failure: { code: "HOST_INVALID" }, ...AGAIN });
    expect(listJobs(world).filter((job) => job.startsWith("app.start"))).toEqual(["app.start SUCCESS"]);
    expect(listJobs(world).filter((job) => job.startsWith("app.upgrade"))).toEqual(["app.upgrade FAILED"]);
    await expect.poll(async () => (await world.host().app(APP))?.state).toBe("RUNNING");
  });

  it("while the host restarts too, so that it knows no job any more, still starts it", async () => {
    const world = await openRefusing();
    const crashed = world.crashAt("app.query", () => hasFailed(world));
    const { id } = await world.engine().upgrade(APP);
    await crashed;
    // The new engine is at its first questions, or has its answer already: both end alike.
    world.standin.control.restartService();
    const view = await world.settled({ id });
    expect(view).toMatchObject({ state: "FAILED", ...AGAIN });
    await expect.poll(async () => (await world.host().app(APP))?.state).toBe("RUNNING");
  });
});
