/** The whole matrix, for the scripts that print it. */
import { CRASH_POINTS } from "../../src/engine/runtime/crash-points.ts";
import { createSeededRandom } from "../../src/standin/random.ts";
import { type Case, caseText, playCases, pointCases, ROWS, type Row, randomCases, type Tally } from "./matrix.ts";
import { play, setStage, strikeStage } from "./run.ts";
import { SCENARIOS, type Scenario } from "./scenarios.ts";

/** What is run; without names everything. */
interface MatrixOptions {
  readonly seed: number;
  /** Random moments per lifecycle. */
  readonly random: number;
  readonly scenarios?: readonly string[];
  readonly points?: readonly string[];
}

/** What came out. */
export interface Matrix {
  readonly seed: number;
  readonly columns: readonly { readonly title: string; readonly tallies: ReadonlyMap<Row, Tally> }[];
  readonly faults: number;
}

/** Plays every case of every scenario, printing faults as they come. */
export async function runMatrix(options: MatrixOptions): Promise<Matrix> {
  console.log(`seed ${options.seed}`);
  const random = createSeededRandom(options.seed);
  const columns: { title: string; tallies: ReadonlyMap<Row, Tally> }[] = [];
  for (const scenario of SCENARIOS) {
    if (options.scenarios?.includes(scenario.title) === false) continue;
    columns.push({ title: scenario.title, tallies: await runScenario(scenario, options, random) });
  }
  const faults = columns.flatMap(({ tallies }) => [...tallies.values()].flatMap((tally) => tally.faults));
  return { seed: options.seed, columns, faults: faults.length };
}

async function runScenario(scenario: Scenario, options: MatrixOptions, random: ReturnType<typeof createSeededRandom>) {
  const stage = await setStage(scenario);
  try {
    const reference = await play(stage, []);
    const points = CRASH_POINTS.filter((point) => options.points?.includes(point) ?? true);
    const cases: readonly Case[] = [
      ...points.flatMap((point) => pointCases(reference, point, "all")),
      ...randomCases(reference, random, options.random),
    ];
    console.log(`${scenario.title}: ${cases.length} runs`);
    let done = 0;
    return await playCases(stage, reference, cases, (one, differences) => {
      done += 1;
      if (done % 50 === 0) console.log(`${scenario.title}: ${done} of ${cases.length}`);
      if (differences.length > 0) {
        console.log(`\n${scenario.title}, killed at ${caseText(one)}:\n${differences.join("\n")}`);
      }
    });
  } finally {
    strikeStage(stage);
  }
}

/** The matrix as a Markdown table: runs that ended as the uncrashed one, of all; runs done before their death apart. */
export function matrixTable({ columns }: Matrix): string {
  const cell = (tally: Tally | undefined): string => {
    if (tally === undefined) return "-";
    const early = tally.runs - tally.died;
    return `${tally.runs - tally.faults.length} / ${tally.runs}${early === 0 ? "" : ` (${early} done before)`}`;
  };
  return [
    `| killed at | ${columns.map(({ title }) => title).join(" | ")} |`,
    `|---|${columns.map(() => "---|").join("")}`,
    ...ROWS.map((row) => `| ${row} | ${columns.map(({ tallies }) => cell(tallies.get(row))).join(" | ")} |`),
  ].join("\n");
}
