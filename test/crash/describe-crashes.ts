import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CRASH_POINTS, type CrashPoint } from "../../src/engine/runtime/crash-points.ts";
import { createSeededRandom } from "../../src/standin/random.ts";
import { type Case, caseText, playCases, pointCases, randomCases } from "./matrix.ts";
import { setStage } from "./run.ts";
import { SCENARIOS, type Scenario } from "./scenarios.ts";
import type { Outcome, Stage } from "./stage.ts";

/** Random moments per lifecycle, fewer where no hook runs; the whole matrix is `npm run test:soak`. */
const [MOMENTS, MOMENTS_WITHOUT_HOOKS] = [10, 4];
const PATIENCE_MS = 300_000;

/** Passed by hooks alone, which some lifecycles have none of. */
const OF_HOOKS: readonly CrashPoint[] = [
  "midHook",
  "beforeJournal",
  "afterJournal",
  "beforeSend",
  "afterSend",
  "beforeDelivery",
  "afterDelivery",
];

const WITHOUT_HOOKS: readonly Scenario["title"][] = ["update", "restart", "uninstall"];

/** The tests of one lifecycle: every named point at three of its passings, and some random moments. */
export function describeCrashes(title: Scenario["title"]): void {
  const hasHooks = !WITHOUT_HOOKS.includes(title);
  const moments = hasHooks ? MOMENTS : MOMENTS_WITHOUT_HOOKS;
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

    async function expectNoFaults(cases: readonly Case[]): Promise<void> {
      const tallies = [...(await playCases(stage, reference, cases)).values()];
      expect(tallies.some(({ died }) => died > 0)).toBe(true);
      const faults = tallies.flatMap((tally) => tally.faults);
      expect(faults.map((fault) => `${caseText(fault.case)}: ${fault.differences.join("\n")}`)).toEqual([]);
    }

    test("ends COMPLETED when nobody kills it", () => {
      expect(reference).toMatchObject({ died: 0, faults: [] });
      expect(reference.states.every((state) => state === "COMPLETED")).toBe(true);
    });

    test.each(CRASH_POINTS.filter((point) => hasHooks || !OF_HOOKS.includes(point)))(
      "at %s is taken up by the next, and ends as the uncrashed one",
      async (point) => {
        await expectNoFaults(pointCases(reference, point, "some"));
      },
      PATIENCE_MS,
    );

    const seed = Number(process.env["SLIPWAY_SEED"] ?? Date.now() % 1_000_000);
    test(
      `at ${moments} random moments (seed ${seed}) ends as the uncrashed one`,
      async () => {
        await expectNoFaults(randomCases(reference, createSeededRandom(seed), moments));
      },
      PATIENCE_MS,
    );
  });
}
