/** Writes src/web/elements/machine/charts.json from the machines; with `--check` only compares and exits 1 when it differs. */
import { readFileSync, writeFileSync } from "node:fs";
import { machines } from "../../machines/index.ts";
import type { Chart } from "../../src/web/elements/machine/chart.ts";
import type { PackedChart, PackedPlaces } from "../../src/web/elements/machine/packed-chart.ts";
import { layOutMachine } from "./charts/lay-out-machine.ts";
import { packChart, packPlaces } from "./charts/pack-chart.ts";

const file = new URL("../../src/web/elements/machine/charts.json", import.meta.url);
const charts: [string, Chart][] = [];
for (const { id, version, machine } of Object.values(machines)) {
  charts.push([id, await layOutMachine({ machine, version })]);
}
const text = `{
"places": {
${charts.map(([id, chart]) => `"${id}": ${print(packPlaces(chart))}`).join(",\n")}
},
"charts": {
${charts.map(([id, chart]) => `"${id}": ${print(packChart(chart))}`).join(",\n")}
}
}
`;

/** One state or line of the drawing to a line of text, so that a change of a machine shows as one. */
function print(part: PackedChart | PackedPlaces): string {
  const members = Object.entries(part).map(([name, value]) => {
    const list: unknown = value;
    return Array.isArray(list)
      ? `"${name}": [\n${list.map((item) => JSON.stringify(item)).join(",\n")}\n]`
      : `"${name}": ${list}`;
  });
  return `{ ${members.join(",\n")} }`;
}

if (!process.argv.includes("--check")) {
  writeFileSync(file, text);
} else if (readFileSync(file, "utf8") !== text) {
  process.stderr.write("src/web/elements/machine/charts.json is out of date: run npm run charts\n");
  process.exitCode = 1;
}
