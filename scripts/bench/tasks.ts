/**
 * Bench of the task list: pages of 100 root tasks out of 10,000 that have ended, each with two hooks of three checkpoints,
 * read by the engine and as a body of `GET tasks`. `npm run bench:tasks [-- --quick]`.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openStore } from "../../src/adapters/store-sqlite/open-store.ts";
import { listTasks } from "../../src/engine/methods/read-tasks.ts";
import type { Store } from "../../src/engine/ports/store.ts";
import type { TaskRow } from "../../src/engine/ports/store-rows.ts";
import type { TaskFilter } from "../../src/engine/requests.ts";
import { toChildTaskId } from "../../src/engine/runtime/runtime.ts";
import { createEmptyTurn } from "../../src/engine/runtime/turn/turn.ts";
import { createRow, measureInterleaved, measureMs, printTable } from "./measure.ts";

const BLOCKS = process.argv.includes("--quick") ? 10 : 100;
const ROOTS = 10_000;
const ROOTS_AT_ONCE = 250;
const APPS = 40;
/** About what the snapshot of an install with two hooks holds. */
const SNAPSHOT = JSON.stringify({ value: "COMPLETED", context: { work: "x".repeat(4_000) } });

const folder = mkdtempSync(join(process.cwd(), "bench-"));
const store = openStore({ file: join(folder, "tasks.db") });
try {
  for (let first = 0; first < ROOTS; first += ROOTS_AT_ONCE) fill(store, first);
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

/** Commits some ended trees in one turn. */
function fill(to: Store, first: number): void {
  const rows = Array.from({ length: ROOTS_AT_ONCE }, (_, index) => makeTree(first + index)).flat();
  const tasks = rows.map((row) => ({ expectedRev: 0, row }));
  to.commit({ ...createEmptyTurn({ epoch: to.opened.epoch, now: first }), tasks });
}

function makeTree(number: number): readonly TaskRow[] {
  const root = makeTaskRow(number, { id: `root-${number}`, name: `root-${number}`, kind: "install" });
  const hooks = ["setup", "connect"].map((name) => makeChildRow(number, root, name, "hook"));
  const checkpoints = hooks.flatMap((hook) =>
    ["one", "two", "three"].map((name) => makeChildRow(number, hook, name, "checkpoint")),
  );
  return [root, ...hooks, ...checkpoints];
}

function makeChildRow(number: number, parent: TaskRow, name: string, kind: TaskRow["kind"]): TaskRow {
  return makeTaskRow(number, { id: toChildTaskId(parent.id, name), parent: parent.id, name, kind });
}

function makeTaskRow(number: number, more: Partial<TaskRow> & Pick<TaskRow, "id" | "name" | "kind">): TaskRow {
  return {
    root: `root-${number}`,
    parent: null,
    appId: `app-${number % APPS}`,
    hookId: more.kind === "hook" ? more.name : null,
    target: null,
    claim: null,
    machine: more.kind,
    version: 1,
    rev: 1,
    snapshot: SNAPSHOT,
    facts: {
      state: "COMPLETED",
      label: `Task ${more.name}`,
      title: `Task ${more.name}`,
      steps: [],
      commands: [],
      progress: 100,
      marks: [],
      revision: 1,
    },
    created: number,
    updated: number,
    crashCount: 0,
    silent: null,
    quarantine: null,
    ...more,
  };
}
