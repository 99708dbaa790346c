/** Writes src/web/elements/machine/charts.json from the machines: where their parts are; with `--check` only compares and exits 1 when it differs. */
import { readFileSync, writeFileSync } from "node:fs";
import { machines } from "../../machines/index.ts";
import { viewMachine } from "../../src/engine/replay/list-machine.ts";
import type { PackedPlaces } from "../../src/web/elements/machine/place-machine.ts";
import { layOutMachine } from "./charts/lay-out-machine.ts";
import { packPlaces } from "./charts/pack-places.ts";

const file = new URL("../../src/web/elements/machine/charts.json", import.meta.url);
const places: Record<string, PackedPlaces> = {};
for (const registered of Object.values(machines)) {
  places[registered.id] = packPlaces(await layOutMachine(viewMachine(registered)));
}
const text = `${JSON.stringify(places, null, 2)}\n`;

if (!process.argv.includes("--check")) {
  writeFileSync(file, text);
} else if (readFileSync(file, "utf8") !== text) {
  process.stderr.write("src/web/elements/machine/charts.json is out of date: run npm run charts\n");
  process.exitCode = 1;
}
