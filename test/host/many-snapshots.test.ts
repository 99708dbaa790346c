import { afterAll, beforeAll, expect, test } from "vitest";
import { APP, type DisturbedEngine, openDisturbedEngine } from "../support/engine/disturbed-engine.ts";
import { createTestSandbox } from "../support/engine/engine-world.ts";

const MANY = 10_000;
const OWN = "tank/ApplicationsPerformance/sturdy";

const sandbox = createTestSandbox();
let world: DisturbedEngine;
beforeAll(async () => {
  world = await openDisturbedEngine(sandbox, { callMs: 30_000 });
});
afterAll(async () => {
  await world.close();
  await sandbox.close();
});

/** What the work reads of the host's snapshots. */
async function count(work: () => Promise<unknown>) {
  const { control } = world.standin;
  const before = { ...control.snapshotReads() };
  await work();
  const { queries, names, rows } = control.snapshotReads();
  return { queries: queries - before.queries, names: names - before.names, rows: rows - before.rows };
}

test("of 10,000 snapshots on the host the lifecycles of an app read its own alone, and the names", async () => {
  expect(await count(() => world.install())).toEqual({ queries: 0, names: 0, rows: 0 });
  const { snapshots } = world.standin.control.state();
  for (let at = 0; at < MANY; at++) {
    const dataset = at % 2 === 0 ? OWN : "tank/Media";
    snapshots.push({ dataset, name: `auto-${at}`, properties: {}, createtxg: at, bytes: 0, ownership: {} });
  }
  const upgraded = await count(async () => {
    expect((await world.upgrade()).task).toMatchObject({ state: "COMPLETED", marks: [] });
  });
  // The name is free, and one name of the app's is no reason to prune.
  expect(upgraded).toEqual({ queries: 2, names: MANY + 1, rows: 0 });

  const rolledBack = await count(async () => {
    const { id } = await world.engine.rollback(APP);
    expect(await world.engine.settled(id)).toMatchObject({ state: "COMPLETED" });
  });
  // Names of the two datasets the app has directories on; its one snapshot, for each look at it.
  expect(rolledBack).toEqual({ queries: 9, names: 2 * (MANY + 2), rows: 6 });

  for (let times = 0; times < 3; times++) await world.upgrade();
  const pruned = await count(() => world.upgrade());
  // Four of its own, and the one a dataset that was put aside is a clone of.
  expect(pruned).toMatchObject({ queries: 7, rows: 5 });
});
