/**
 * Bench of the task list: pages of 100 root tasks out of 10,000 that have ended, each with two hooks of three checkpoints,
 * read by the engine and as a body of `GET tasks`. `npm run bench:tasks [-- --quick]`.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openStore } from "../../src/adapters/store-sqlite/open-store.ts";
import { listTasks } from "../../src/engine/methods/read-tasks.ts";
import type { TaskFilter } from "../../src/engine/requests.ts";
import { keepEndedTasks } from "./ended-tasks.ts";
import { createRow, measureInterleaved, measureMs, printTable } from "./measure.ts";

const BLOCKS = process.argv.includes("--quick") ? 10 : 100;
const ROOTS = 10_000;

const folder = mkdtempSync(join(process.cwd(), "bench-"));
const store = openStore({ file: join(folder, "tasks.db") });
try {
  keepEndedTasks(store, ROOTS);
  const measurePage = (filter: TaskFilter) => () => measureMs(() => listTasks(store, filter));
  const found = await measureInterleaved(BLOCKS, {
    newest: measurePage({}),
    oldest: measurePage({ before: "root-100" }),
    app: measurePage({ appId: "app-7" }),
    unfinished: measurePage({ unfinished: true }),
    body: () => measureMs(() => JSON.stringify({ tasks: listTasks(store, {}), seq: store.lastSeq() })),
  });
  printTable(`A page of 100 of ${ROOTS.toLocaleString("en")} ended tasks`, [
    createRow("newest", found.newest, "ms", { target: "5 ms" }),
    createRow("oldest", found.oldest, "ms", { target: "5 ms" }),
    createRow("of one app", found.app, "ms", { target: "5 ms" }),
    createRow("unfinished: none", found.unfinished, "ms", { target: "5 ms" }),
    createRow("newest, as the body of GET tasks", found.body, "ms"),
  ]);
} finally {
  store.close();
  rmSync(folder, { recursive: true });
}
