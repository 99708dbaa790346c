/**
 * The size of a database over a year of a busy appliance: 20 tasks a day, which are those of a real database played over and
 * over under new names, and pruned as the engine does it; beside them what people did, looks for drift and a schedule leave.
 * `npm run bench:year -- DB [KEPT TREES] [DAYS]`; the demo leaves a DB.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openReader, openStore } from "../../src/adapters/store-sqlite/open-store.ts";
import { createRetention, DEFAULT_KEPT } from "../../src/engine/runtime/turn/retention.ts";
import { SILENT_LOGGER } from "../../src/engine/system/silent-logger.ts";
import { DAY_MS, keepSchedule, nameDeed, playDay } from "./busy-day.ts";
import { playTree, readTrees } from "./played-trees.ts";

const [file, kept = `${DEFAULT_KEPT.trees}`, most = "365"] = process.argv.slice(2);
if (file === undefined) throw new Error("usage: year.ts DB [KEPT TREES] [DAYS]");
const TASKS_A_DAY = 20;
const DAYS = [...[7, 30, 90, 180].filter((day) => day < Number(most)), Number(most)];
const BEGAN = Date.UTC(2026, 0, 1, 3);

const reader = openReader(file);
const trees = readTrees(reader);
reader.close();
const folder = mkdtempSync(join(process.cwd(), "bench-"));
const store = openStore({ file: join(folder, "year.db") });
try {
  console.log(`${trees.length} trees of "${file}", ${TASKS_A_DAY} a day, the newest ${kept} kept whole\n`);
  console.log("| days | tasks | file |\n|---|---|---|");
  const toldApp = trees[0]?.appId ?? "";
  keepSchedule(store, toldApp, BEGAN);
  for (let played = 0; played < Number(most) * TASKS_A_DAY; ) {
    const tree = trees[played % trees.length];
    const [day, number] = [Math.floor(played / TASKS_A_DAY), played % TASKS_A_DAY];
    const at = BEGAN + day * DAY_MS + number * 60_000;
    if (tree !== undefined) playTree(store, tree, { number: played, at, deed: nameDeed(number) });
    played += 1;
    createRetention(store, SILENT_LOGGER, { trees: Number(kept) }).prune();
    if (played % TASKS_A_DAY === 0) playDay(store, toldApp, at);
    if (!DAYS.includes(played / TASKS_A_DAY)) continue;
    while (store.shrink());
    store.eraseDeleted();
    const megabytes = (store.tally().bytes / 1_000_000).toFixed(1);
    console.log(`| ${played / TASKS_A_DAY} | ${played} | ${megabytes} MB |`);
  }
} finally {
  store.close();
  rmSync(folder, { recursive: true });
}
