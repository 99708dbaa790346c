/**
 * The size of a database over a year of a busy appliance: 20 tasks a day, which are those of a real database played over and
 * over under new names, and pruned as the engine does it. `npm run bench:year -- DB [KEPT TREES]`; the demo leaves a DB.
 */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { openReader, openStore } from "../../src/adapters/store-sqlite/open-store.ts";
import { KEPT_TREES } from "../../src/engine/runtime/turn/retention.ts";
import { playTree, readTrees } from "./played-trees.ts";

const [file, kept = `${KEPT_TREES}`] = process.argv.slice(2);
if (file === undefined) throw new Error("usage: year.ts DB [KEPT TREES]");
const TASKS_A_DAY = 20;
const DAYS = [7, 30, 90, 180, 365];

const reader = openReader(file);
const trees = readTrees(reader);
reader.close();
const folder = mkdtempSync(join(process.cwd(), "bench-"));
const copy = join(folder, "year.db");
const store = openStore({ file: copy });
try {
  console.log(`${trees.length} trees of "${file}", ${TASKS_A_DAY} a day, the newest ${kept} kept whole\n`);
  console.log("| days | tasks | file |\n|---|---|---|");
  for (let played = 0; played < (DAYS.at(-1) ?? 0) * TASKS_A_DAY; ) {
    const tree = trees[played % trees.length];
    if (tree !== undefined) playTree(store, tree, played);
    played += 1;
    store.pruneEndedTasks(Number(kept));
    if (!DAYS.includes(played / TASKS_A_DAY)) continue;
    store.eraseDeleted();
    const megabytes = (statSync(copy).size / 1_000_000).toFixed(1);
    console.log(`| ${played / TASKS_A_DAY} | ${played} | ${megabytes} MB |`);
  }
} finally {
  store.close();
  rmSync(folder, { recursive: true });
}
