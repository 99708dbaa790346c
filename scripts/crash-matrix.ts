/**
 * `npm run crash-matrix [-- --seed N --random N]`: plays the whole crash matrix and writes its table into the README
 * between `<!-- crash -->` and `<!-- /crash -->`. Exit 1, and nothing written, where a run did not end as the uncrashed
 * one. Takes half an hour on two processors.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { matrixTable, runMatrix } from "../test/crash/run-matrix.ts";

const PART = /(?<=<!-- crash -->\n)[\s\S]*(?=<!-- \/crash -->)/;

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    random: { type: "string", default: "200" },
  },
});
const readme = new URL("../README.md", import.meta.url);
if (!PART.test(readFileSync(readme, "utf8"))) throw new Error("the README has no part <!-- crash -->");
const matrix = await runMatrix({ seed: Number(values.seed), random: Number(values.random) });
const table = matrixTable(matrix);
console.log(table);
if (matrix.faults > 0) {
  process.exitCode = 1;
} else {
  const said = `Runs that ended as the uncrashed one, of all (seed ${matrix.seed}):\n\n`;
  writeFileSync(readme, readFileSync(readme, "utf8").replace(PART, `${said}${table}\n`));
}
