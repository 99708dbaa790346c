/**
 * The table of docs/host-api.md, section 11 with whole engine tasks: every row strikes at random moments of an install and
 * of an upgrade, and the task ends in the state that row demands. `HOST_FAULT_SEED` repeats a run.
 */
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { APP, type DisturbedEngine, expectDoneOnce, openDisturbedEngine } from "../support/engine/disturbed-engine.ts";
import { createTestSandbox } from "../support/engine/engine-world.ts";
import { expectRow, FAULT_ROWS, type Lifecycle, strike } from "../support/host/fault-moments.ts";

const SEED = Number(process.env["HOST_FAULT_SEED"] ?? Date.now() % 2 ** 31);
/** Random moments of each row in each lifecycle. */
const MOMENTS = Number(process.env["HOST_FAULT_MOMENTS"] ?? 1);

const sandbox = createTestSandbox();
let world: DisturbedEngine;
beforeAll(async () => {
  console.info(`HOST_FAULT_SEED=${SEED}`);
  world = await openDisturbedEngine(sandbox);
});
afterAll(async () => {
  await world.close();
  await sandbox.close();
});
beforeEach(() => world.reset());

const rowsOf = (lifecycle: Lifecycle) => FAULT_ROWS.filter(({ only = lifecycle }) => only === lifecycle);

describe("during an install", () => {
  test.each(rowsOf("install"))("$row", async (row) => {
    for (const moment of fc.sample(row.moment("install"), { numRuns: MOMENTS, seed: SEED })) {
      await world.reset();
      const outcome = await world.install(() => strike(world, moment));
      await expectRow(world, row, "install", outcome, JSON.stringify({ moment, SEED }));
    }
  });
});

describe("during an upgrade", () => {
  test.each(rowsOf("upgrade"))("$row", async (row) => {
    for (const moment of fc.sample(row.moment("upgrade"), { numRuns: MOMENTS, seed: SEED })) {
      await world.reset();
      await world.install();
      const outcome = await world.upgrade(() => strike(world, moment));
      await expectRow(world, row, "upgrade", outcome, JSON.stringify({ moment, SEED }));
    }
  });
});

describe("a service restart that leaves the app registered without containers", () => {
  const received = (method: string) => world.standin.control.calls().filter((call) => call.method === method).length;

  test("the install starts it", async () => {
    const { task, failures } = await world.install(() => world.standin.control.arm("service-restart@app.create:60"));
    expect(failures).toEqual([]);
    expect(task).toMatchObject({ state: "COMPLETED", marks: [] });
    expect([received("app.create"), received("app.start")]).toEqual([1, 1]);
  });

  test("a start that fails is the install's failure, and Retry starts it again", async () => {
    const { task, failures } = await world.install(() => {
      world.standin.control.arm("service-restart@app.create:60");
      world.standin.control.arm("job-rate-limit@app.start");
    });
    expect(failures).toMatchObject([{ code: "HOST_RATE_LIMITED", retryable: true }]);
    expect(task).toMatchObject({ state: "COMPLETED", marks: [] });
    expectDoneOnce(world, false);
  });

  test("the upgrade starts it on the new version", async () => {
    await world.install();
    const { task, failures } = await world.upgrade(() => world.standin.control.arm("service-restart@app.upgrade:50"));
    expect(failures).toEqual([]);
    expect(task).toMatchObject({ state: "COMPLETED", marks: [] });
    expect([received("app.upgrade"), received("app.start")]).toEqual([1, 1]);
    expectDoneOnce(world, true);
  });
});

test("another app of that name, with other values, is not taken for the one to install", async () => {
  const standin = world.standin.control;
  standin.arm("job-aborted@app.create:0");
  const { id } = await world.engine.install(APP);
  const aborted = await world.engine.settled(id);
  expect(aborted.failure?.code).toBe("HOST_JOB_ABORTED");
  await expect.poll(async () => (await world.host.app(APP))?.state).toBe("RUNNING");
  const app = standin.state().apps[APP];
  if (app !== undefined) app.values = {};
  await world.engine.retry(id);
  expect(await world.engine.settled(id)).toMatchObject({ state: "FAILED", failure: { code: "HOST_NAME_TAKEN" } });
  await world.engine.dismiss(id);
  expect(await world.engine.settled(id)).toMatchObject({ state: "DISMISSED" });
});

test("a request while docker.status is INITIALIZING is refused, and no app is taken for uninstalled", async () => {
  await world.install();
  world.standin.control.setDocker("INITIALIZING");
  await expect(world.upgrade()).rejects.toMatchObject({ code: "HOST_APPS_UNAVAILABLE" });
  world.standin.control.setDocker("RUNNING");
  expect((await world.upgrade()).task).toMatchObject({ state: "COMPLETED" });
});
