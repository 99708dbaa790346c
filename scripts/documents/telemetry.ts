/**
 * Writes the tables of traces and metrics in docs/operating.md from the rows the engine makes them of. With `--check` only
 * compares and exits 1 where one differs.
 */
import { METRICS } from "../../src/engine/telemetry/metric-table.ts";
import { SPANS } from "../../src/engine/telemetry/span-table.ts";
import { isPartCurrent, writePart } from "./document-part.ts";

const FILE = "docs/operating.md";

function quote(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(", ");
}

const spans = Object.values(SPANS).map(({ name, of, attributes }) => `| \`${name}\` | ${of} | ${quote(attributes)} |`);
const metrics = Object.values(METRICS).map(
  ({ name, kind, unit, of, attributes }) => `| \`${name}\` | ${kind}, \`${unit}\` | ${of} | ${quote(attributes)} |`,
);

const check = process.argv.includes("--check");
let stale = false;
for (const [name, lines] of [
  ["spans", ["| Span | Of | Attributes |", "|---|---|---|", ...spans]],
  ["metrics", ["| Metric | Kind, unit | Of | Attributes |", "|---|---|---|---|", ...metrics]],
] as const) {
  const part = { file: FILE, name };
  if (!check) writePart(part, lines.join("\n"));
  else stale ||= !isPartCurrent(part, lines.join("\n"));
}
process.exitCode = stale ? 1 : 0;
