/** The crash matrix: every scenario killed at named points and at random moments, each end compared with the uncrashed. */
import { CRASH_POINTS, type CrashPoint } from "../../src/engine/runtime/crash-points.ts";
import type { Random } from "../../src/standin/random.ts";
import type { Death, Outcome, Stage } from "./stage.ts";

/** What a row of the matrix stands for. */
export const ROWS = [
  ...CRASH_POINTS,
  "random moment",
  "random moment, and again while it recovers",
  "random moments, one after the other",
] as const;
export type Row = (typeof ROWS)[number];

/** The deaths of one run. */
export interface Case {
  readonly row: Row;
  readonly deaths: readonly Death[];
}

/** A run that did not end as the uncrashed one. */
export interface Fault {
  readonly case: Case;
  readonly differences: readonly string[];
}

/** What the runs of one row came to. */
export interface Tally {
  runs: number;
  /** Runs whose process died as often as planned; the others were done before. */
  died: number;
  /** Processes that died. */
  kills: number;
  faults: Fault[];
}

/** First kills after which there is something to reconcile. */
const LEAVES_WORK: readonly CrashPoint[] = ["afterEffectSent", "afterEffectDone", "midHook"];

/** Passings of a point, all or one that is drawn; before reconciling those of each kind of work that is left. */
export function pointCases(reference: Outcome, point: CrashPoint, which: "all" | Random): readonly Case[] {
  const { passings } = reference.measure;
  if (point === "beforeReconcile") {
    return LEAVES_WORK.flatMap((first) =>
      chosen(passings[first] ?? 0, which).map((n) => ({
        row: point,
        deaths: [
          { point: first, n },
          { point, n: 1 },
        ],
      })),
    );
  }
  return chosen(passings[point] ?? 0, which).map((n) => ({ row: point, deaths: [{ point, n }] }));
}

/** Every second of them dies a second time, somewhere between the opening of the store and a part of the work. */
export function randomCases(reference: Outcome, random: Random, count: number): readonly Case[] {
  const { workMs } = reference.measure;
  return Array.from({ length: count }, (_, index): Case => {
    const first: Death = { after: "ready", ms: Math.round(random.between(0, workMs)) };
    if (index % 2 === 0) return { row: "random moment", deaths: [first] };
    const second: Death = { after: "opening", ms: Math.round(random.between(0, RECOVERY_MS + workMs / 4)) };
    return { row: "random moment, and again while it recovers", deaths: [first, second] };
  });
}

/** The same case at the first passing of its points, and with its moments after a tenth of their time. */
export function sooner({ row, deaths }: Case): Case {
  return {
    row,
    deaths: deaths.map((death) => ("point" in death ? { ...death, n: 1 } : { ...death, ms: death.ms / 10 })),
  };
}

/** So often a run of `repeatedCases` dies: an engine that dies five times while a task makes no progress gives it up. */
const DEATHS = 4;

/**
 * Runs whose hooks die again and again, `kills` deaths in all: three of four while they work, however long their processes
 * take to start, and the others while they start or are brought to where they were.
 */
export function repeatedCases(reference: Outcome, random: Random, kills: number): readonly Case[] {
  const death = (): Death =>
    random.between(0, 4) < 1
      ? { after: "ready", ms: Math.round(random.between(0, 2 * RECOVERY_MS)) }
      : { after: "begun", ms: Math.round(random.between(0, reference.measure.workMs / 3)) };
  return Array.from({ length: Math.ceil(kills / DEATHS) }, () => ({
    row: "random moments, one after the other",
    deaths: Array.from({ length: DEATHS }, death),
  }));
}

/** The same cases, every second of which dies again while it recovers. */
export function killAgain(cases: readonly Case[], random: Random): readonly Case[] {
  return cases.map(({ row, deaths }, index) => {
    const again: Death = { after: "opening", ms: Math.round(random.between(0, 2 * RECOVERY_MS)) };
    return { row, deaths: index % 2 === 0 ? deaths : [...deaths, again] };
  });
}

/** About what opening and recovering take, in ms. */
const RECOVERY_MS = 400;

/** Plays cases side by side; `told` hears of each. */
export async function playCases(
  stage: Stage,
  reference: Outcome,
  cases: readonly Case[],
  told: (done: Case, faults: readonly string[]) => void = () => {},
): Promise<ReadonlyMap<Row, Tally>> {
  const tallies = new Map<Row, Tally>();
  const waiting = [...cases];
  async function lane(): Promise<void> {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const tally = tallies.get(next.row) ?? { runs: 0, died: 0, kills: 0, faults: [] };
      tallies.set(next.row, tally);
      const { died, differences } = await judge(stage, reference, next);
      tally.runs += 1;
      tally.kills += died;
      if (died === next.deaths.length) tally.died += 1;
      if (differences.length > 0) tally.faults.push({ case: next, differences });
      told(next, differences);
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane));
  return tallies;
}

/** Runs at once: they wait for each other's disks and processors, not for one another. */
const LANES = 2;

async function judge(stage: Stage, reference: Outcome, { deaths }: Case) {
  try {
    const outcome = await stage.play(deaths);
    return { died: outcome.died, differences: differences(reference, outcome) };
  } catch (error) {
    return { died: 0, differences: [String(error)] };
  }
}

/** In what a run differs from the uncrashed one, and what it must not have. */
export function differences(reference: Outcome, { end, faults }: Outcome): readonly string[] {
  return [
    ...Object.keys(reference.end).flatMap((part) => {
      const [wanted, found] = [lines(reference.end[part]), lines(end[part])];
      const at = wanted.findIndex((line, index) => line !== found[index]);
      if (at === -1 && wanted.length === found.length) return [];
      const from = Math.max(0, at - 2);
      const shown = (all: readonly string[]) => all.slice(from, from + 8).join("\n");
      return [`${part} differ\n--- uncrashed\n${shown(wanted)}\n--- crashed\n${shown(found)}`];
    }),
    ...faults,
  ];
}

function lines(part: unknown): readonly string[] {
  return JSON.stringify(part, null, 1).split("\n");
}

/** Numbers from 1 to `count`: all, or one of them. */
function chosen(count: number, which: "all" | Random): readonly number[] {
  if (which === "all") return Array.from({ length: count }, (_, index) => index + 1);
  return count === 0 ? [] : [Math.floor(which.between(1, count + 1))];
}

/** How a case is told in a line. */
export function caseText({ deaths }: Case): string {
  return deaths
    .map((death) => ("point" in death ? `${death.point}:${death.n}` : `${death.ms} ms after ${death.after}`))
    .join(", then ");
}
