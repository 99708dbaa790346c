/** How many frames of the host's protocol a run of the tests held against the real host's schemas. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const Counts = z.record(z.string(), z.int());
const Key = z.tuple([z.string(), z.string(), z.string()]);

/** Frames of one method, in one release. */
interface FrameCount {
  readonly release: string;
  /** `requests`, `answers`, `errors` or `events`, with " without a model" behind if only the frame's form was checked. */
  readonly kind: string;
  readonly method: string;
  readonly count: number;
}

const WITHOUT_MODEL = " without a model";

/** A table of what the files of a folder count: a line for each method, then the sums by kind; a column for each release. */
export function describeFrameCounts(folder: string): string {
  const counts = readdirSync(folder).flatMap((file) => readCounts(join(folder, file)));
  if (counts.length === 0) return "no frame was checked: the schemas of the host's API are absent";
  const releases = [...new Set(counts.map(({ release }) => release))].toSorted();
  const rows = (of: "method" | "kind"): readonly string[] =>
    [...Map.groupBy(counts, (one) => one[of])]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, group]) => {
        const cells = releases.map((release) => toCell(group.filter((one) => one.release === release)));
        return renderRow(name, of === "kind" ? cells.map((cell) => cell.replace("?", " ")) : cells);
      });
  return [
    renderRow(
      "method",
      releases.map((release) => `${release} `),
    ),
    ...rows("method"),
    "",
    ...rows("kind"),
    "? the release has no model of some of these: their form alone was checked",
  ].join("\n");
}

function readCounts(file: string): readonly FrameCount[] {
  return Object.entries(Counts.parse(JSON.parse(readFileSync(file, "utf8")))).map(([key, count]) => {
    const [release, kind, method] = Key.parse(JSON.parse(key));
    return { release, kind, method, count };
  });
}

function toCell(counts: readonly FrameCount[]): string {
  const sum = counts.reduce((total, { count }) => total + count, 0);
  const isPartial = counts.some(({ kind }) => kind.endsWith(WITHOUT_MODEL));
  return `${sum === 0 ? "-" : sum}${isPartial ? "?" : " "}`;
}

function renderRow(name: string, cells: readonly string[]): string {
  return `${name.padEnd(34)}${cells.map((cell) => cell.padStart(10)).join("")}`.trimEnd();
}
