/**
 * `npm run crash-matrix`: plays the whole crash matrix and writes its table into the README between `<!-- crash -->` and
 * `<!-- /crash -->`. Exit 1, and nothing written, where a run did not end as the uncrashed one.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { matrixTable, runMatrix } from "../test/crash/run-matrix.ts";

const PART = /(?<=<!-- crash -->\n)[\s\S]*(?=<!-- \/crash -->)/;

const matrix = await runMatrix({ seed: Date.now() % 1_000_000, random: 200 });
const table = matrixTable(matrix);
console.log(table);
if (matrix.faults > 0) {
  process.exitCode = 1;
} else {
  const readme = new URL("../README.md", import.meta.url);
  const text = readFileSync(readme, "utf8");
  if (!PART.test(text)) throw new Error("the README has no part <!-- crash -->");
  const said = `Seed ${matrix.seed}; runs that ended as the uncrashed one, of all:\n\n`;
  writeFileSync(readme, text.replace(PART, `${said}${table}\n`));
}
