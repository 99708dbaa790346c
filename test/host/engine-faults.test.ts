/**
 * The table of facts/host-api.md section 11 with whole engine tasks: every row strikes at random moments of an install and
 * of an upgrade, and the task ends in the state that row demands. `HOST_FAULT_SEED` repeats a run.
 */
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type DisturbedEngine, openDisturbedEngine } from "../support/disturbed-engine.ts";
import { createTestSandbox } from "../support/engine-world.ts";
import { expectRow, FAULT_ROWS, type Lifecycle, strike } from "../support/fault-moments.ts";

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

test("a request while docker.status is INITIALIZING is refused, and no app is taken for uninstalled", async () => {
  await world.install();
  world.standin.control.setDocker("INITIALIZING");
  await expect(world.upgrade()).rejects.toMatchObject({ code: "HOST_APPS_UNAVAILABLE" });
  world.standin.control.setDocker("RUNNING");
  expect((await world.upgrade()).task).toMatchObject({ state: "COMPLETED" });
});
