/**
 * Installs and upgrades in a loop, whole engine tasks, each with a row of the fault table at a random moment: none is
 * stuck, none is done twice, memory and descriptors stay flat. `npm run test:soak:host` runs 1,000 rounds; `HOST_SOAK_ROUNDS`
 * and `HOST_FAULT_SEED` repeat a run.
 */
import { readdirSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openDisturbedEngine } from "../support/engine/disturbed-engine.ts";
import { createTestSandbox } from "../support/engine/engine-world.ts";
import {
  type Demand,
  expectRow,
  FAULT_ROWS,
  type Lifecycle,
  type Moment,
  strike,
} from "../support/host/fault-moments.ts";

const ROUNDS = Number(process.env["HOST_SOAK_ROUNDS"] ?? 24);
const SEED = Number(process.env["HOST_FAULT_SEED"] ?? Date.now() % 2 ** 31);
/** Rounds after which what is held is compared: caches are filled, code is compiled. */
const WARM = Math.min(100, ROUNDS / 2);

/** A row and its moment; most rounds have one, some none. */
function disturbances(lifecycle: Lifecycle): fc.Arbitrary<readonly [Demand, Moment | null]> {
  const rows = FAULT_ROWS.filter(({ only = lifecycle }) => only === lifecycle);
  const undisturbed = fc.constant([{ row: "undisturbed" }, null] as const);
  return fc.oneof(undisturbed, ...rows.map((row) => row.moment(lifecycle).map((moment) => [row, moment] as const)));
}

setFlagsFromString("--expose-gc");
const collectGarbage: unknown = runInNewContext("gc");

/** Open descriptors and live heap of this process: engine, client and stand-in. */
function held(): { readonly descriptors: number; readonly heapMb: number } {
  if (typeof collectGarbage === "function") collectGarbage();
  return { descriptors: readdirSync("/proc/self/fd").length, heapMb: process.memoryUsage().heapUsed / 1024 ** 2 };
}

test(`${ROUNDS} installs and upgrades with random faults: none stuck, none doubled, nothing held`, {
  timeout: 120_000 + ROUNDS * 10_000,
}, async () => {
  console.info(`HOST_FAULT_SEED=${SEED} HOST_SOAK_ROUNDS=${ROUNDS}`);
  const rounds = fc.sample(fc.tuple(disturbances("install"), disturbances("upgrade")), { numRuns: ROUNDS, seed: SEED });
  const sandbox = createTestSandbox();
  const world = await openDisturbedEngine(sandbox);
  const counts = { disturbed: 0, failures: 0 };
  let warm = held();

  async function disturbed(
    lifecycle: Lifecycle,
    [row, moment]: readonly [Demand, Moment | null],
    round: number,
    wasRunning = true,
  ): Promise<void> {
    world.standin.control.disarm();
    const outcome = await world[lifecycle](() => moment !== null && strike(world, moment));
    const shown = JSON.stringify({ round, SEED, lifecycle, row: row.row, moment });
    await expectRow(world, row, lifecycle, outcome, shown, wasRunning);
    counts.failures += outcome.failures.length;
    counts.disturbed += moment === null ? 0 : 1;
  }

  try {
    for (const [round, [install, upgrade]] of rounds.entries()) {
      await world.reset();
      if (round === WARM) warm = held();
      if (round % 100 === 99) console.info(JSON.stringify({ round: round + 1, ...counts, ...held() }));
      await disturbed("install", install, round);
      await disturbed("upgrade", upgrade, round, install[0].mark === undefined);
    }
    await world.reset();
    const now = held();
    console.info(JSON.stringify({ ...counts, warm, now }));
    // A socket or two may be closing; what the heap holds grows by nothing that a round leaves behind.
    expect(now.descriptors).toBeLessThan(warm.descriptors + 10);
    expect(now.heapMb).toBeLessThan(warm.heapMb + 20);
  } finally {
    await world.close();
    await sandbox.close();
  }
});
