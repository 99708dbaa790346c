/** What is kept of ended tasks, part by part, and a file that becomes smaller, on real SQLite. */
import { randomBytes } from "node:crypto";
import { statSync } from "node:fs";
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { makeEffect, makeTask, turn } from "../../../src/contract/store-rows.ts";
import { readKept } from "../../../src/engine/complete-settings.ts";
import type { Store } from "../../../src/engine/ports/store.ts";
import { createRetention, type Kept, type Retention } from "../../../src/engine/runtime/turn/retention.ts";
import { Shrinking } from "../../../src/engine/runtime/turn/shrinking.ts";
import { SILENT_LOGGER } from "../../../src/engine/system/silent-logger.ts";
import { useStoreFolder } from "../../support/store-folder.ts";

const folder = useStoreFolder();
const IDS = Array.from({ length: 30 }, (_, n) => `t${n}`);
const MB = 1024 * 1024;

/** Commits a tree of one task that has ended, with `bytes` in its plan. */
function end(store: Store, id: string, updated: number, bytes = 100): ReturnType<typeof turn> {
  const task = makeTask(id, 1, { updated });
  const rows = turn(store, { ...task, snapshot: '{"value":"done"}', facts: { ...task.facts, state: "COMPLETED" } });
  store.commit({ ...rows, started: { plan: { id, filling: randomBytes(bytes / 2).toString("hex") } } });
  store.appendHookLog(id, updated, ["a line"]);
  return rows;
}

function fill(
  kept: Partial<Kept>,
  bytes?: number,
): { readonly store: Store; readonly retention: Retention; said: object[] } {
  const store = folder.open();
  const said: object[] = [];
  const retention = createRetention(store, { ...SILENT_LOGGER, warn: (facts) => void said.push(facts) }, kept);
  for (const [at, id] of IDS.entries()) {
    retention.note(end(store, id, at, bytes));
    // ten trees at a time go, whatever is to be pruned
    for (let rounds = 0; rounds < 4; rounds += 1) retention.prune();
  }
  return { store, retention, said };
}

describe("of trees that have ended", () => {
  test("each part is kept as long as it was asked to be", () => {
    const { store } = fill({ trees: 20, events: 12, logs: 8, snapshots: 25 });
    const keeping = (has: (id: string) => boolean) => IDS.filter(has);
    expect(keeping((id) => store.plan(id) !== null)).toEqual(IDS.slice(-20));
    expect(keeping((id) => store.taskLog(id).length > 0)).toEqual(IDS.slice(-12));
    expect(keeping((id) => store.hookLog(id, 9).length > 0)).toEqual(IDS.slice(-8));
    store.close();
    const reopened = folder.open();
    expect(keeping((id) => reopened.task(id)?.snapshot !== null)).toEqual(IDS.slice(-25));
    expect(keeping((id) => reopened.task(id)?.facts.state === "COMPLETED")).toEqual(IDS);
  });

  test("the oldest go earlier at the bound, which is said once, and never one with an open effect", () => {
    const store = folder.open();
    const busy = makeTask("busy", 1, { updated: 0 });
    const plan = { plan: { filling: randomBytes(MB).toString("hex") } };
    store.commit({ ...turn(store, busy, { effects: [makeEffect("busy", 1)] }), started: plan });
    store.close();
    const { store: filled, said } = fill({ bytes: 8 * MB }, MB);
    expect(filled.usedBytes()).toBeLessThan(9 * MB);
    const whole = IDS.filter((id) => filled.plan(id) !== null);
    expect(whole.length).toBeGreaterThan(0);
    expect(whole).toEqual(IDS.slice(-whole.length));
    expect(filled.plan("busy")).not.toBeNull();
    expect(filled.isOpen(makeEffect("busy", 1).id)).toBe(true);
    expect(said).toEqual([{ used: expect.any(Number), most: 8 * MB, pruned: true }]);
  });

  test("the newest keep what they have where it is others that take the room", () => {
    const store = folder.open();
    const plan = { plan: { filling: randomBytes(3 * MB).toString("hex") } };
    store.commit({ ...turn(store, makeTask("busy", 1, { updated: 0 })), started: plan });
    store.close();
    const { store: filled } = fill({ bytes: 4 * MB });
    expect(filled.usedBytes()).toBeGreaterThan(4 * MB);
    expect(IDS.filter((id) => filled.plan(id) !== null)).toEqual(IDS.slice(-5));
    expect(IDS.filter((id) => filled.hookLog(id, 9).length > 0)).toEqual(IDS.slice(-5));
  });

  test("numbers out of bounds are refused", () => {
    for (const kept of [{ trees: -1 }, { logs: 1.5 }, { bytes: 1 }, { events: Number.NaN }])
      expect(() => readKept(kept)).toThrow(expect.objectContaining({ code: "TASK_REQUEST_INVALID" }));
    expect(readKept({ trees: 3 })).toMatchObject({ trees: 3, events: 200 });
  });
});

/** Runs what was planned, one after the other, until nothing is; what of the measure each took. */
function createSteps(measure: () => number) {
  const planned: (() => void)[] = [];
  const after = (_: number, run: () => void) => {
    planned.push(run);
    return () => void planned.splice(planned.indexOf(run), planned.includes(run) ? 1 : 0);
  };
  const steps: number[] = [];
  const runAll = () => {
    for (let run = planned.shift(); run !== undefined; run = planned.shift()) {
      const before = measure();
      run();
      steps.push(before - measure());
    }
  };
  return { clock: { after }, steps, runAll };
}

describe("a database whose trees were pruned", () => {
  /** The pages each step has taken off the database. */
  function shrink(store: Store) {
    const reader = new Database(folder.file, { readonly: true });
    const { clock, steps, runAll } = createSteps(() => Number(reader.pragma("page_count", { simple: true })));
    const shrinking = new Shrinking(store, clock, SILENT_LOGGER, () => store.eraseDeleted());
    shrinking.plan();
    runAll();
    reader.close();
    return steps;
  }

  test("becomes smaller in small steps while no effect is under way, and is whole", () => {
    const { store } = fill({}, MB);
    store.eraseDeleted();
    const before = statSync(folder.file).size;
    while (store.pruneEndedTasks(2) > 0);
    expect(before).toBeGreaterThan(25 * MB);
    store.commit(turn(store, makeTask("busy", 1), { effects: [makeEffect("busy", 1)] }));
    expect(shrink(store)).toHaveLength(1);
    store.commit({ ...turn(store, makeTask("busy", 2)), cancelled: [makeEffect("busy", 1).id] });
    const steps = shrink(store);
    expect(steps.length).toBeGreaterThan(20);
    // 128 that are moved, and one that has said where they were
    expect(Math.max(...steps)).toBeLessThanOrEqual(129);
    expect(statSync(folder.file).size).toBeLessThan(6 * MB);
    store.close();
    const db = new Database(folder.file, { readonly: true });
    expect(db.pragma("integrity_check", { simple: true })).toBe("ok");
    db.close();
    expect(folder.open().task("t0")?.facts.state).toBe("COMPLETED");
  });

  test("is left as it is while a hook has a journal", () => {
    const { store } = fill({}, MB);
    while (store.pruneEndedTasks(2) > 0);
    store.commit(turn(store, makeTask("busy", 1), { effects: [makeEffect("busy", 1)] }));
    const row = { seq: 0, digest: "d", text: "x", bytes: new Uint8Array(0), bodies: [] };
    store.writeJournals([{ effectId: makeEffect("busy", 1).id, taskId: "busy", at: 1, row, lines: [] }]);
    expect(store.shrink()).toBe(false);
    store.dropJournal(makeEffect("busy", 1).id);
    expect(store.shrink()).toBe(true);
  });

  test("of an earlier version is rewritten once, so that it can become smaller", () => {
    const { store } = fill({}, MB);
    store.close();
    const db = new Database(folder.file);
    db.pragma("journal_mode = DELETE");
    db.pragma("auto_vacuum = NONE");
    db.exec("VACUUM");
    expect(db.pragma("auto_vacuum", { simple: true })).toBe(0);
    db.close();
    const opened = folder.open();
    while (opened.pruneEndedTasks(2) > 0);
    expect(shrink(opened).length).toBeGreaterThan(20);
    expect(statSync(folder.file).size).toBeLessThan(6 * MB);
  });
});
