/** The whole matrix, for the scripts that print it. */
import { CRASH_POINTS } from "../../src/engine/runtime/crash-points.ts";
import { createSeededRandom } from "../../src/standin/random.ts";
import { HOOKS, setHookStage, type Totals } from "./hooks/hook-stage.ts";
import {
  type Case,
  caseText,
  killAgain,
  playCases,
  pointCases,
  ROWS,
  type Row,
  randomCases,
  repeatedCases,
  type Tally,
} from "./matrix.ts";
import { setStage } from "./run.ts";
import { SCENARIOS } from "./scenarios.ts";
import type { Outcome, Stage } from "./stage.ts";

/** What is run; without names everything. */
interface MatrixOptions {
  readonly seed: number;
  /** Random moments per lifecycle. */
  readonly random: number;
  /** Kills of running hooks at random moments. */
  readonly hookKills: number;
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
  const isWanted = (title: string) => options.scenarios?.includes(title) ?? true;
  for (const scenario of SCENARIOS.filter(({ title }) => isWanted(title))) {
    const later = (reference: Outcome) => randomCases(reference, random, options.random);
    const tallies = await playStage(scenario.title, await setStage(scenario), options, later);
    columns.push({ title: scenario.title, tallies });
  }
  const groups = HOOKS.filter(({ title }) => isWanted("hooks") || isWanted(title));
  for (const { title, hooks } of groups) {
    const stage = setHookStage(hooks);
    // compiles: moments are drawn from what the hooks take
    await stage.play([]);
    const later = (reference: Outcome) => repeatedCases(reference, random, options.hookKills / groups.length);
    const tallies = await playStage(title, stage, options, later, (cases) => killAgain(cases, random));
    console.log(describeTotals(title, stage.totals));
    columns.push({ title, tallies });
  }
  const faults = columns.flatMap(({ tallies }) => [...tallies.values()].flatMap((tally) => tally.faults));
  return { seed: options.seed, columns, faults: faults.length };
}

async function playStage(
  title: string,
  stage: Stage,
  options: MatrixOptions,
  atRandom: (reference: Outcome) => readonly Case[],
  change = (cases: readonly Case[]) => cases,
) {
  try {
    const reference = await stage.play([]);
    const points = CRASH_POINTS.filter((point) => options.points?.includes(point) ?? true);
    const cases: readonly Case[] = [
      ...change(points.flatMap((point) => pointCases(reference, point, "all"))),
      ...atRandom(reference),
    ];
    console.log(`${title}: ${cases.length} runs`);
    let done = 0;
    return await playCases(stage, reference, cases, (one, differences) => {
      done += 1;
      if (done % 50 === 0) console.log(`${title}: ${done} of ${cases.length}`);
      if (differences.length > 0) {
        console.log(`\n${title}, killed at ${caseText(one)}:\n${differences.join("\n")}`);
      }
    });
  } finally {
    await stage.strike();
  }
}

/** What the app of the hooks was sent, by method: `calls` that were made, and requests that came. */
function describeTotals(title: string, { runs, kills, decisions, sent }: Totals): string {
  const counted = Object.entries(sent).map(([method, { calls, sent }]) => `${method} ${calls} calls, ${sent} requests`);
  return `${title}: ${runs} runs, ${kills} kills, ${decisions} decisions about requests; ${counted.join("; ")}`;
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
