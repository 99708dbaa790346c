/** Writes the table of levels into docs/checking.md; with `--check` only compares and exits 1 where it differs. */
import { LEVELS } from "../../src/check/levels/levels.ts";
import { isPartCurrent, writePart } from "./document-part.ts";

const PART = { file: "docs/checking.md", name: "levels" };

const rows = LEVELS.map(({ number, name, holds }) => `| ${number} ${name} | ${holds} |`);
const table = ["| Level | Holds when |", "|---|---|", ...rows].join("\n");

if (!process.argv.includes("--check")) writePart(PART, table);
else if (!isPartCurrent(PART, table)) {
  process.stderr.write(`${PART.file} is out of date: run npm run levels\n`);
  process.exitCode = 1;
}
