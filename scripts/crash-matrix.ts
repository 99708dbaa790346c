/**
 * `npm run crash-matrix [-- --seed N --random N --hook-kills N]`: plays the whole crash matrix and writes its table into
 * docs/benchmarks.md. Exit 1, and nothing written, where a run did not end as the uncrashed
 * one. Takes half an hour on two processors.
 */
import { parseArgs } from "node:util";
import { matrixTable, runMatrix } from "../test/crash/run-matrix.ts";
import { readPart, writePart } from "./documents/document-part.ts";

const PART = { file: "docs/benchmarks.md", name: "crash" } as const;

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    random: { type: "string", default: "200" },
    "hook-kills": { type: "string", default: "2000" },
  },
});
// before half an hour of play
readPart(PART);
const matrix = await runMatrix({
  seed: Number(values.seed),
  random: Number(values.random),
  hookKills: Number(values["hook-kills"]),
});
const table = matrixTable(matrix);
console.log(table);
if (matrix.faults > 0) {
  process.exitCode = 1;
} else {
  writePart(PART, `Runs that ended as the uncrashed one, of all (seed ${matrix.seed}):\n\n${table}`);
}
