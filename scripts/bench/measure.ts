/** Shared by all benches: interleaved blocks, medians, one table with ratios, the machine's name. */
import { cpus, totalmem } from "node:os";

/** One measured row. */
export interface Measured {
  readonly name: string;
  /** In `unit`. */
  readonly median: number;
  readonly p90: number;
  readonly unit: string;
  /** Against the baseline of the same run. */
  readonly ratio?: number;
  /** Promised by the issue or README, e.g. `<= 3000 ms`. */
  readonly target?: string;
}

/** The middle of a list of numbers. */
export function computeMedian(values: readonly number[]): number {
  return computeQuantile(values, 0.5);
}

/** The value below which a share of the list lies, 0 to 1. */
export function computeQuantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  if (value === undefined) throw new Error("nothing was measured");
  return value;
}

/** Ms one call takes. */
export async function measureMs(run: () => unknown): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

/**
 * Runs every candidate once per block, in turn, so that other load on the machine hits all of them alike; returns the
 * measurements (whatever number each candidate returns) by name. The first block warms up and does not count.
 */
export async function measureInterleaved<Name extends string>(
  blocks: number,
  candidates: Readonly<Record<Name, () => number | Promise<number>>>,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(candidates) as Name[];
  const found = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, number[]>;
  for (let block = 0; block <= blocks; block++) {
    for (const name of names) {
      const value = await candidates[name]();
      if (block > 0) found[name].push(value);
    }
  }
  return found;
}

/** Prints rows as a Markdown table under a title and the machine's name. */
export function printTable(title: string, rows: readonly Measured[]): void {
  const model = cpus()[0]?.model.trim() ?? "unknown processor";
  const memory = Math.round(totalmem() / 1024 ** 3);
  console.log(`\n### ${title}\n\n${cpus().length} x ${model}, ${memory} GB, Node ${process.versions.node}\n`);
  console.log("| | median | p90 | ratio | target |\n|---|---|---|---|---|");
  for (const { name, median: middle, p90, unit, ratio, target } of rows) {
    const cells = [
      name,
      `${formatValue(middle)} ${unit}`,
      `${formatValue(p90)} ${unit}`,
      ratio === undefined ? "" : ratio.toFixed(2),
      target ?? "",
    ];
    console.log(`| ${cells.join(" | ")} |`);
  }
}

/** A row of a list of measurements. */
export function createRow(
  name: string,
  values: readonly number[],
  unit: string,
  more: Pick<Measured, "ratio" | "target"> = {},
): Measured {
  return { name, median: computeMedian(values), p90: computeQuantile(values, 0.9), unit, ...more };
}

function formatValue(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
