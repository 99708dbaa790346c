/**
 * Hooks in engines that are killed: a sample of what `npm run crash-matrix` plays as a whole. The titles tell its seed, and
 * `SLIPWAY_SEED=N` plays the moments and second kills of that seed again.
 */
import { afterAll, beforeAll, describe, test } from "vitest";
import type { CrashPoint } from "../../src/engine/runtime/crash-points.ts";
import { createSeededRandom } from "../../src/standin/random.ts";
import { expectNoFaults } from "./expect-no-faults.ts";
import { HOOKS, setHookStage } from "./hooks/hook-stage.ts";
import { killAgain, pointCases, repeatedCases } from "./matrix.ts";
import type { Outcome } from "./stage.ts";

const PATIENCE_MS = 600_000;
/** Kills at random moments for each group of hooks. */
const KILLS = 4;
const POINTS: readonly CrashPoint[] = ["afterJournal", "afterSend", "beforeDelivery"];
const seed = Number(process.env["SLIPWAY_SEED"] ?? Date.now() % 1_000_000);

describe.each(HOOKS)("an engine killed with SIGKILL while hooks run: $title", ({ hooks }) => {
  const stage = setHookStage(hooks);
  let reference: Outcome;

  beforeAll(async () => {
    // compiles: moments are drawn from what the hooks take
    await stage.play([]);
    reference = await stage.play([]);
  }, PATIENCE_MS);
  afterAll(() => stage.strike());

  test(
    `before and after every journal's write, sending and delivery, and again while it recovers (seed ${seed})`,
    () => {
      const random = createSeededRandom(seed);
      const cases = POINTS.flatMap((point) => pointCases(reference, point, random));
      return expectNoFaults(stage, reference, killAgain(cases, random));
    },
    PATIENCE_MS,
  );

  test(
    `at ${KILLS} random moments (seed ${seed})`,
    () => expectNoFaults(stage, reference, repeatedCases(reference, createSeededRandom(seed), KILLS)),
    PATIENCE_MS,
  );
});
