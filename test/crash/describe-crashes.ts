import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CRASH_POINTS, type CrashPoint } from "../../src/engine/runtime/crash-points.ts";
import { createSeededRandom } from "../../src/standin/random.ts";
import { expectNoFaults } from "./expect-no-faults.ts";
import { pointCases, randomCases } from "./matrix.ts";
import { setStage } from "./run.ts";
import { SCENARIOS, type Scenario } from "./scenarios.ts";
import type { Outcome, Stage } from "./stage.ts";

/** Random moments per lifecycle, one of each row; the whole matrix is `npm run test:soak`. */
const MOMENTS = 2;
const PATIENCE_MS = 300_000;

/** Passed by hooks alone, which install and upgrade have and pass alike: killed at in an install, and in hooks.test.ts. */
const OF_HOOKS: readonly CrashPoint[] = [
  "midHook",
  "beforeJournal",
  "afterJournal",
  "beforeSend",
  "afterSend",
  "beforeDelivery",
  "afterDelivery",
];

/**
 * The tests of one lifecycle: every named point at one of its passings, and some random moments, drawn by the seed; or these
 * points alone, at all their passings if `passings` says so.
 */
export function describeCrashes(
  title: Scenario["title"],
  own?: readonly CrashPoint[],
  passings: "one" | "all" = "one",
): void {
  const seed = Number(process.env["SLIPWAY_SEED"] ?? Date.now() % 1_000_000);
  /** Each point at another part of each lifecycle. */
  const drawFor = (point: CrashPoint) =>
    createSeededRandom(
      seed + CRASH_POINTS.length * SCENARIOS.findIndex((one) => one.title === title) + CRASH_POINTS.indexOf(point),
    );
  const points = own ?? CRASH_POINTS.filter((point) => title === "install" || !OF_HOOKS.includes(point));
  describe(`an engine killed with SIGKILL during ${title}`, () => {
    let stage: Stage;
    let strike: Stage["strike"] = () => {};
    let reference: Outcome;

    beforeAll(async () => {
      const scenario = SCENARIOS.find((one) => one.title === title);
      if (scenario === undefined) throw new Error(`no scenario "${title}"`);
      stage = await setStage(scenario);
      strike = () => stage.strike();
      reference = await stage.play([]);
    }, PATIENCE_MS);

    afterAll(() => strike());

    test("ends as it should when nobody kills it", () => {
      const ends = SCENARIOS.find((one) => one.title === title)?.ends ?? "COMPLETED";
      expect(reference).toMatchObject({ died: 0, faults: [] });
      expect(reference.states.at(-1)).toBe(ends);
      expect(reference.states.every((state) => state === "COMPLETED" || state === ends)).toBe(true);
    });

    test.each(points)(
      `at %s (seed ${seed}) is taken up by the next, and ends as the uncrashed one`,
      async (point) => {
        await expectNoFaults(
          stage,
          reference,
          pointCases(reference, point, passings === "all" ? "all" : drawFor(point)),
        );
      },
      PATIENCE_MS,
    );

    test.runIf(own === undefined)(
      `at ${MOMENTS} random moments (seed ${seed}) ends as the uncrashed one`,
      async () => {
        await expectNoFaults(stage, reference, randomCases(reference, createSeededRandom(seed), MOMENTS));
      },
      PATIENCE_MS,
    );
  });
}
