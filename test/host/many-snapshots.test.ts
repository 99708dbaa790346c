import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { GENERATIONS, isSince } from "../../src/standin/settings.ts";
import { APP, type DisturbedEngine, openDisturbedEngine } from "../support/engine/disturbed-engine.ts";
import { createTestSandbox } from "../support/engine/engine-world.ts";

const MANY = 10_000;
const OWN = "tank/ApplicationsPerformance/sturdy";

const sandbox = createTestSandbox();
afterAll(() => sandbox.close());

describe.each(GENERATIONS)("of 10,000 snapshots on a host of %s", (generation) => {
  let world: DisturbedEngine;
  beforeAll(async () => {
    world = await openDisturbedEngine(sandbox, { generation, callMs: 30_000 });
  });
  afterAll(() => world.close());

  /** What the work reads of the host's snapshots. */
  async function count(work: () => Promise<unknown>) {
    const { control } = world.standin;
    const before = { ...control.snapshotReads() };
    await work();
    const { queries, names, rows } = control.snapshotReads();
    return { queries: queries - before.queries, names: names - before.names, rows: rows - before.rows };
  }

  test("the lifecycles of an app read its own alone, and the names", async () => {
    expect(await count(() => world.install())).toEqual({ queries: 0, names: 0, rows: 0 });
    const { snapshots } = world.standin.control.state();
    for (let at = 0; at < MANY; at++) {
      const dataset = at % 2 === 0 ? OWN : "tank/Media";
      // Of transactions far from those of the app's snapshots.
      snapshots.push({
        dataset,
        name: `auto-${at}`,
        properties: {},
        createtxg: 1_000_000 + at,
        bytes: 0,
        ownership: {},
      });
    }
    const upgraded = await count(async () => {
      expect((await world.upgrade()).task).toMatchObject({ state: "COMPLETED", marks: [] });
    });
    // The name is free, and one name of the app's is no reason to prune.
    expect(upgraded).toEqual({ queries: 2, names: MANY + 1, rows: 0 });
    if (!isSince(generation, "25.10")) return;

    const rolledBack = await count(async () => {
      const { id } = await world.engine.rollback(APP);
      expect(await world.engine.settled(id)).toMatchObject({ state: "COMPLETED" });
    });
    // Its one snapshot, for each look at it.
    expect(rolledBack).toMatchObject({ rows: 6 });

    for (let times = 0; times < 3; times++) await world.upgrade();
    const pruned = await count(() => world.upgrade());
    // Four of its own, and the one a dataset that was put aside is a clone of.
    expect(pruned).toMatchObject({ rows: 5 });
  });
});
