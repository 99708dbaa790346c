/** Writes src/web/elements/machine/charts.json from the machines; with `--check` only compares and exits 1 when it differs. */
import { readFileSync, writeFileSync } from "node:fs";
import { machines } from "../../machines/index.ts";
import type { PackedChart } from "../../src/web/elements/machine/packed-chart.ts";
import { layOutMachine } from "./charts/lay-out-machine.ts";
import { packChart } from "./charts/pack-chart.ts";

const file = new URL("../../src/web/elements/machine/charts.json", import.meta.url);
const charts: [string, PackedChart][] = [];
for (const { id, version, machine } of Object.values(machines)) {
  charts.push([id, packChart(await layOutMachine({ machine, version }))]);
}
const text = `{\n${charts.map(([id, chart]) => `"${id}": ${print(chart)}`).join(",\n")}\n}\n`;

/** One state or line of the drawing to a line of text, so that a change of a machine shows as one. */
function print({ transitions, states, edges, ...size }: PackedChart): string {
  const lists = Object.entries({ transitions, states, edges }).map(
    ([name, items]) => `"${name}": [\n${items.map((item) => JSON.stringify(item)).join(",\n")}\n]`,
  );
  const sizes = Object.entries(size).map(([name, value]) => `"${name}": ${value}`);
  return `{ ${sizes.join(", ")},\n${lists.join(",\n")} }`;
}

if (!process.argv.includes("--check")) {
  writeFileSync(file, text);
} else if (readFileSync(file, "utf8") !== text) {
  process.stderr.write("src/web/elements/machine/charts.json is out of date: run npm run charts\n");
  process.exitCode = 1;
}
