/**
 * Random attacks on one layer. In `npm test` each plays a sample; `npm run test:soak` plays them for an hour together.
 *
 * `FUZZ_SEED` repeats a run (printed where one fails), `FUZZ_MS` plays every fuzz for that many ms instead of its runs.
 */
import fc from "fast-check";
import { it } from "vitest";

const SEED = Number(process.env["FUZZ_SEED"] ?? Date.now() % 2 ** 31);
const PLAY_MS = Number(process.env["FUZZ_MS"] ?? 0);

/** Ms a sample, and what is under way when the time is over, may take. */
const SAMPLE_MS = 120_000;

/**
 * Adds a test that plays a property on random input: `runs` times, or for `FUZZ_MS`. The property is made when the test
 * runs, so it may use what `beforeAll` and `beforeEach` opened. A failure names the seed and the smallest input.
 */
export function fuzz<Values>(
  title: string,
  runs: number,
  makeProperty: () => fc.IRawProperty<Values> | Promise<fc.IRawProperty<Values>>,
): void {
  it(
    // `scripts/fuzz.ts` finds the fuzzes by these words.
    `fuzz: ${title}`,
    async () => {
      const result = await fc.check(await makeProperty(), {
        seed: SEED,
        ...(PLAY_MS === 0
          ? { numRuns: runs }
          : { numRuns: Number.MAX_SAFE_INTEGER, interruptAfterTimeLimit: PLAY_MS, markInterruptAsFailure: false }),
      });
      if (result.numRuns === 0) throw new Error("no input was played");
      if (PLAY_MS > 0) console.info(`${result.numRuns} inputs, FUZZ_SEED=${SEED}: ${title}`);
      if (result.failed) throw new Error(`FUZZ_SEED=${SEED} repeats it\n${fc.defaultReportMessage(result)}`);
    },
    PLAY_MS + SAMPLE_MS,
  );
}
