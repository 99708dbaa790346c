/** Writes src/web/elements/machine/charts.json from the machines: where their parts are; with `--check` only compares and exits 1 when it differs. */
import { readFileSync, writeFileSync } from "node:fs";
import { machines } from "../../machines/index.ts";
import { viewMachine } from "../../src/engine/replay/list-machine.ts";
import type { PackedPlaces } from "../../src/web/elements/machine/place-machine.ts";
import { layOutMachine } from "./charts/lay-out-machine.ts";
import { packPlaces } from "./charts/pack-places.ts";

const file = new URL("../../src/web/elements/machine/charts.json", import.meta.url);
const places: [string, PackedPlaces][] = [];
for (const registered of Object.values(machines)) {
  places.push([registered.id, packPlaces(await layOutMachine(viewMachine(registered)))]);
}
const text = `{
${places.map(([id, each]) => `"${id}": ${print(each)}`).join(",\n")}
}
`;

/** One state or line of the drawing to a line of text, so that a change of a machine shows as one. */
function print(part: PackedPlaces): string {
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
