/** Trees of tasks that have ended, as a busy appliance has kept them. */
import type { Store } from "../../src/engine/ports/store.ts";
import type { LogRow, TaskRow } from "../../src/engine/ports/store-rows.ts";
import { toChildTaskId } from "../../src/engine/runtime/runtime.ts";
import { createEmptyTurn } from "../../src/engine/runtime/turn/turn.ts";
import { createLogEntry } from "../../src/engine/runtime/turn/turn-log.ts";

const ROOTS_AT_ONCE = 250;
const APPS = 40;
/** About what the snapshot of an install with two hooks holds. */
const SNAPSHOT = JSON.stringify({ value: "COMPLETED", context: { work: "x".repeat(4_000) } });

/** Commits so many ended trees, `root-0` first, each an install with two hooks of three checkpoints. */
export function keepEndedTasks(to: Store, roots: number, snapshot = SNAPSHOT): void {
  for (let first = 0; first < roots; first += ROOTS_AT_ONCE) {
    fill(to, first, Math.min(ROOTS_AT_ONCE, roots - first), snapshot);
  }
}

/**
 * The same from number `first` on, for those that end while an engine runs on the store: its event log has the roots, and
 * whoever follows it hears of them with the engine's next change.
 */
export function tellEndedTasks(to: Store, first: number, count: number): void {
  fill(to, first, count, "{}", (row) =>
    createLogEntry({ now: row.created, read: to }, row, "task.created", { type: "xstate.init" }),
  );
}

function fill(
  to: Store,
  first: number,
  count: number,
  snapshot: string,
  toEntry: (root: TaskRow) => LogRow | null = () => null,
): void {
  const trees = Array.from({ length: count }, (_, index) => makeTree(first + index));
  const rows = trees.flat().map((row) => ({ ...row, snapshot }));
  const tasks = rows.map((row) => ({ expectedRev: 0, row }));
  const log = rows.filter(({ parent }) => parent === null).flatMap((row) => toEntry(row) ?? []);
  to.commit({ ...createEmptyTurn({ epoch: to.opened.epoch, now: first }), tasks, log });
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
