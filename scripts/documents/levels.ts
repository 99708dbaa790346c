/**
 * Writes the table of levels into docs/checking.md, and with `--play` (`npm run levels`) those of the demo catalog and of the
 * real scripts too, which takes minutes; with `--check` only compares the first and exits 1 where it differs.
 */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { HIGHEST, LEVELS } from "../../src/check/levels/levels.ts";
import { isPartCurrent, writePart } from "./document-part.ts";
import { playCatalog, playRealScripts } from "./played-catalogs.ts";
import { renderPlayed } from "./played-table.ts";

const FILE = "docs/checking.md";
const PART = { file: FILE, name: "levels" };
const find = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const DEMO = find("../demo/catalog");
const REAL = find("../../../shared/catalog");

const rows = LEVELS.map(({ number, name, holds }) => `| ${number} ${name} | ${holds} |`);
const table = ["| Level | Holds when |", "|---|---|", ...rows].join("\n");

if (!process.argv.includes("--check")) {
  writePart(PART, table);
  if (process.argv.includes("--play")) await writePlayed();
} else if (!isPartCurrent(PART, table)) {
  process.stderr.write(`${PART.file} is out of date: run npm run levels\n`);
  process.exitCode = 1;
}

async function writePlayed(): Promise<void> {
  writePart({ file: FILE, name: "demo" }, renderPlayed(await playCatalog(DEMO, HIGHEST)));
  if (existsSync(REAL)) writePart({ file: FILE, name: "real" }, renderPlayed(await playRealScripts(REAL, HIGHEST)));
  else process.stderr.write(`the real scripts are not in ${REAL}: their table stays as it is\n`);
}
