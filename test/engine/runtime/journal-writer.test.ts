import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { setImmediate as tick } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openStore } from "../../../src/adapters/store-sqlite/open-store.ts";
import { makeEffect, makeEntry, makeTask, turn } from "../../../src/contract/store-rows.ts";
import { EngineError } from "../../../src/core/codes/problems.ts";
import type { Store } from "../../../src/engine/ports/store.ts";
import { JournalWriter } from "../../../src/engine/runtime/journal-writer.ts";
import { SILENT_LOGGER } from "../../../src/engine/system/silent-logger.ts";
import { createTestFolder } from "../../support/engine/runtime-world.ts";
import { openOnDatabase } from "../../support/store-folder.ts";
import { createTestClock } from "../../support/test-clock.ts";

const LIFE = fileURLToPath(new URL("../../support/engine/write-journal.ts", import.meta.url));

let folder: ReturnType<typeof createTestFolder>;
let store: Store;

beforeEach(() => {
  folder = createTestFolder();
  store = openStore({ file: join(folder.path, "slipway.db") });
  for (const id of ["a", "b"]) store.commit(turn(store, makeTask(id, 1), { effects: [makeEffect(id, 1)] }));
});

afterEach(() => {
  store.close();
  folder.remove();
});

/** A writer over the test's store; `fault` is what the store throws instead of writing. */
function setUp() {
  const clock = createTestClock();
  const commits: string[][] = [];
  const told: unknown[] = [];
  const state = { fault: null as Error | null };
  const tell = (level: string) => (fields: Readonly<Record<string, unknown>>, message: string) => {
    told.push([level, fields["retryMs"] ?? null, message]);
  };
  const writer = new JournalWriter({
    store: {
      writeJournals(writes) {
        if (state.fault !== null) throw state.fault;
        store.writeJournals(writes);
        commits.push(writes.map(({ taskId, row }) => `${taskId}${row.seq}`));
      },
    },
    clock,
    logger: { debug: tell("debug"), info: tell("info"), warn: tell("warn"), error: tell("error") },
  });
  return { clock, commits, told, state, writer };
}

const rows = (id: string) => store.journal(`${id}:1.0`).rows.map(({ seq }) => seq);
const full = () => new EngineError("STORE_FULL", "disk is full");

describe("entries of hook journals", () => {
  test("given in one turn of the event loop share a commit, whatever run they are of, and are on disk when it resolves", async () => {
    const { commits, writer } = setUp();
    const [first] = [writer.write(makeEntry("a", 0)), writer.write(makeEntry("b", 0)), writer.write(makeEntry("a", 1))];
    expect(commits).toEqual([]);
    await first;
    expect([rows("a"), rows("b")]).toEqual([[0, 1], [0]]);
    await writer.write(makeEntry("b", 1));
    expect(commits).toEqual([["a0", "b0", "a1"], ["b1"]]);
  });

  test("are written again after 1 s, 2 s and so on up to 30 s while the store refuses, in order, with those that came meanwhile", async () => {
    const { clock, commits, told, state, writer } = setUp();
    state.fault = full();
    const written = [writer.write(makeEntry("a", 0))];
    await tick();
    written.push(writer.write(makeEntry("a", 1)), writer.write(makeEntry("b", 0)));
    await tick();
    clock.advance(63_000);
    expect(told).toEqual([
      ["error", 1_000, "disk is full"],
      ...[2_000, 4_000, 8_000, 16_000, 30_000, 30_000].map((retryMs) => ["debug", retryMs, "disk is full"]),
    ]);
    expect([clock.sleeping(), commits]).toEqual([1, []]);
    state.fault = null;
    clock.advance(28_000);
    await Promise.all(written);
    expect(commits).toEqual([["a0", "a1", "b0"]]);
    expect(told.at(-1)).toEqual(["info", null, "the database takes journals of hooks again"]);
    state.fault = full();
    writer.write(makeEntry("a", 2)).catch(() => {});
    await tick();
    expect(told.at(-1)).toEqual(["error", 1_000, "disk is full"]);
  });

  test("that a full disk refused are all there once it has room", async () => {
    const { db, store: small } = openOnDatabase(join(folder.path, "small.db"));
    small.commit(turn(small, makeTask("a", 1), { effects: [makeEffect("a", 1)] }));
    db.pragma(`max_page_count = ${Number(db.pragma("page_count", { simple: true })) + 10}`);
    const clock = createTestClock();
    const writer = new JournalWriter({ store: small, clock, logger: SILENT_LOGGER });
    const written = [0, 1].map((seq) => writer.write(makeEntry("a", seq, { bytes: new Uint8Array(100_000) })));
    await tick();
    expect([clock.sleeping(), small.journal("a:1.0").rows]).toEqual([1, []]);
    db.pragma("max_page_count = 100000");
    clock.advance(1_000);
    await Promise.all(written);
    expect(small.journal("a:1.0").rows.map(({ bytes }) => bytes.length)).toEqual([100_000, 100_000]);
    small.close();
  });

  test("that do not go on where their journal ends are rejected, and take no other run's along", async () => {
    const { commits, writer } = setUp();
    const [fine, wrong, after, other] = await Promise.allSettled([
      writer.write(makeEntry("a", 0)),
      writer.write(makeEntry("b", 4)),
      writer.write(makeEntry("b", 0)),
      writer.write(makeEntry("a", 1)),
    ]);
    const fenced = { status: "rejected", reason: expect.objectContaining({ code: "STORE_FENCED" }) };
    expect([fine?.status, wrong, after, other?.status]).toEqual(["fulfilled", fenced, fenced, "fulfilled"]);
    expect(commits).toEqual([["a0", "a1"]]);
    await writer.write(makeEntry("b", 0));
    expect([rows("a"), rows("b")]).toEqual([[0, 1], [0]]);
  });

  test("are rejected with what went wrong where that is a bug, and where the store was closed", async () => {
    const { state, writer } = setUp();
    state.fault = new TypeError("a bug");
    await expect(writer.write(makeEntry("a", 0))).rejects.toThrow(TypeError);
    state.fault = null;
    store.close();
    await expect(writer.write(makeEntry("a", 0))).rejects.toMatchObject({ code: "TASK_ENGINE_CLOSED" });
  });

  test("that wait are written at the close, after which none is taken", async () => {
    const { commits, writer } = setUp();
    const waiting = writer.write(makeEntry("a", 0));
    await writer.close();
    await waiting;
    await writer.close();
    expect(commits).toEqual([["a0"]]);
    await expect(writer.write(makeEntry("a", 1))).rejects.toMatchObject({ code: "TASK_ENGINE_CLOSED" });
    await tick();
    expect(rows("a")).toEqual([0]);
  });

  test("that the store refuses at the close are rejected with its reason, and nothing is tried again", async () => {
    const { clock, state, writer } = setUp();
    state.fault = full();
    const waiting = writer.write(makeEntry("a", 0));
    await tick();
    const refused = expect(waiting).rejects.toMatchObject({ code: "STORE_FULL" });
    await writer.close();
    await refused;
    expect(clock.sleeping()).toBe(0);
  });
});

describe("a process killed at a commit of journals", () => {
  test.each([
    ["beforeJournal:1", 0],
    ["afterJournal:1", 1],
    ["beforeJournal:2", 1],
    ["afterJournal:2", 3],
  ])("%s leaves a journal of %d rows, with which the next life goes on", (crashAt, left) => {
    const life = (env: Record<string, string>) => {
      const { signal, status, stdout, stderr } = spawnSync(process.execPath, [LIFE, place.path], {
        env: { ...process.env, ...env },
        encoding: "utf8",
      });
      if (signal === null && status !== 0) throw new Error(stderr);
      return { signal, stdout };
    };
    const place = createTestFolder();
    try {
      expect(life({ SLIPWAY_CRASH_AT: crashAt }).signal).toBe("SIGKILL");
      expect(life({})).toEqual({ signal: null, stdout: `${left}` });
      expect(life({})).toEqual({ signal: null, stdout: "3" });
    } finally {
      place.remove();
    }
  });
});
