/** Journals in the SQLite store: what its files hold of them afterwards, older copies, a full disk. */
import { copyFileSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { migrate } from "../../src/adapters/store-sqlite/migrate.ts";
import { openDatabase } from "../../src/adapters/store-sqlite/open-database.ts";
import { createStore, openStore } from "../../src/adapters/store-sqlite/open-store.ts";
import { openRollbackWitness } from "../../src/adapters/store-sqlite/rollback-witness.ts";
import { MIGRATIONS } from "../../src/adapters/store-sqlite/schema.ts";
import { makeEffect, makeEntry, makeTask, turn } from "../../src/contract/store-rows.ts";
import type { JournalWrite, Store } from "../../src/engine/ports/store.ts";
import { createTestFolder } from "../support/engine/runtime-world.ts";

let folder: ReturnType<typeof createTestFolder>;
let file: string;
let opened: { close(): void }[];

beforeEach(() => {
  folder = createTestFolder();
  file = join(folder.path, "slipway.db");
  opened = [];
});

afterEach(() => {
  for (const store of opened) store.close();
  folder.remove();
});

function open(): Store {
  const store = openStore({ file });
  opened.push(store);
  return store;
}

/** Begins a task with a running effect. */
function begin(store: Store, id: string): void {
  store.commit(turn(store, makeTask(id, 1), { effects: [makeEffect(id, 1)] }));
}

function end(store: Store, id: string): void {
  store.commit(turn(store, makeTask(id, 2), { consumed: { kind: "effect", id: `${id}:1.0` } }));
}

/** An entry that holds a secret in its text, its bytes and a body, each of about `size` bytes. */
function makeSecretEntry(id: string, seq: number, size: number, secret: string): JournalWrite {
  const text = `${secret}${"x".repeat(size)}`;
  const bytes = Buffer.from(text);
  return makeEntry(id, seq, { text, bytes, bodies: [{ sha256: `${seq}`, bytes }] });
}

/** Files of the database in which the text can be read. */
function findFilesWith(text: string): readonly string[] {
  return readdirSync(folder.path).filter((name) => readFileSync(join(folder.path, name)).includes(text));
}

describe("a secret in a journal that has gone", () => {
  const SIZES = [10, 3_000, 200_000];

  test("stands in no file once it was erased in a running store", () => {
    const store = open();
    begin(store, "t");
    for (const [seq, size] of SIZES.entries()) store.writeJournals([makeSecretEntry("t", seq, size, "marker")]);
    expect(findFilesWith("marker")).toContain("slipway.db-wal");
    end(store, "t");
    store.eraseDeleted();
    expect(findFilesWith("marker")).toEqual([]);
    expect(statSync(`${file}-wal`).size).toBe(0);
  });

  test("stands in no file once the store was closed, also while another process has it open", () => {
    const store = open();
    begin(store, "t");
    for (const [seq, size] of SIZES.entries()) store.writeJournals([makeSecretEntry("t", seq, size, "marker")]);
    end(store, "t");
    const reader = new Database(file, { readonly: true });
    opened.push(reader);
    expect(reader.prepare("SELECT count(*) FROM journals").pluck().get()).toBe(0);
    store.close();
    expect(findFilesWith("marker")).toEqual([]);
  });

  test("that a reader still stands before is erased after it, and nobody waits", () => {
    const store = open();
    begin(store, "t");
    store.writeJournals([makeSecretEntry("t", 0, 10, "marker")]);
    const reader = new Database(file, { readonly: true });
    opened.push(reader);
    reader.exec("BEGIN");
    reader.prepare("SELECT * FROM journals").all();
    end(store, "t");
    const before = performance.now();
    store.eraseDeleted();
    expect(performance.now() - before).toBeLessThan(1_000);
    expect([store.holdsDeleted(), findFilesWith("marker")]).toEqual([true, ["slipway.db-wal"]]);
    reader.exec("COMMIT");
    store.eraseDeleted();
    expect([store.holdsDeleted(), findFilesWith("marker")]).toEqual([false, []]);
  });

  test("is to be erased by the life after the one that was killed", () => {
    const store = open();
    begin(store, "t");
    store.writeJournals([makeSecretEntry("t", 0, 10, "marker")]);
    end(store, "t");
    for (const name of ["slipway.db", "slipway.db-wal"])
      copyFileSync(join(folder.path, name), join(folder.path, `old-${name}`));
    store.close();
    for (const name of ["slipway.db", "slipway.db-wal"]) {
      copyFileSync(join(folder.path, `old-${name}`), join(folder.path, name));
      rmSync(join(folder.path, `old-${name}`));
    }
    const next = open();
    expect([next.opened.after, next.holdsDeleted(), findFilesWith("marker")]).toEqual([
      "unclean",
      true,
      ["slipway.db-wal"],
    ]);
    next.eraseDeleted();
    expect(findFilesWith("marker")).toEqual([]);
  });

  test("leaves nothing behind however rows of other journals moved around it", () => {
    const rows = fc.array(fc.record({ of: fc.constantFrom("gone", "stays", "gone too"), size: fc.nat(9_000) }), {
      minLength: 1,
      maxLength: 60,
    });
    let runs = 0;
    fc.assert(
      fc.property(rows, (written) => {
        runs += 1;
        const store = open();
        const id = (of: string) => `${of} ${runs}`;
        for (const of of ["gone", "stays", "gone too"]) begin(store, id(of));
        const counts = new Map<string, number>();
        for (const { of, size } of written) {
          const seq = counts.get(of) ?? 0;
          counts.set(of, seq + 1);
          store.writeJournals([makeSecretEntry(id(of), seq, size, of === "stays" ? "kept" : "marker")]);
        }
        end(store, id("gone"));
        end(store, id("gone too"));
        expect(store.journal(`${id("stays")}:1.0`).rows).toHaveLength(counts.get("stays") ?? 0);
        store.close();
        return findFilesWith("marker").length === 0;
      }),
      { numRuns: 30 },
    );
  }, 60_000);
});

describe("an older copy of the database", () => {
  test("is noticed where journals alone were written since, until something is written again", () => {
    const first = open();
    begin(first, "t");
    first.writeJournals([makeEntry("t", 0)]);
    first.close();
    const copy = join(folder.path, "copy");
    copyFileSync(file, copy);
    const second = open();
    expect(second.opened.rolledBack).toBe(false);
    second.writeJournals([makeEntry("t", 1)]);
    second.close();
    copyFileSync(copy, file);
    const third = open();
    expect(third.opened.rolledBack).toBe(true);
    expect(third.journal("t:1.0").rows).toHaveLength(1);
    third.close();
    const fourth = open();
    expect(fourth.opened.rolledBack).toBe(true);
    fourth.commit(turn(fourth, makeTask("t", 2)));
    fourth.close();
    expect(open().opened.rolledBack).toBe(false);
  });

  test("is noticed where a journal was dropped since", () => {
    const first = open();
    begin(first, "t");
    first.writeJournals([makeEntry("t", 0)]);
    first.close();
    const copy = join(folder.path, "copy");
    copyFileSync(file, copy);
    const second = open();
    second.dropJournal("t:1.0");
    second.close();
    copyFileSync(copy, file);
    expect(open().opened.rolledBack).toBe(true);
  });

  test("is none where only a write failed", () => {
    const store = open();
    begin(store, "t");
    expect(() => store.writeJournals([makeEntry("t", 5)])).toThrow();
    store.close();
    expect(open().opened.rolledBack).toBe(false);
  });
});

describe("a full disk", () => {
  test("refuses entries with a clear code, keeps none of them, and takes them once there is room", () => {
    const db = openDatabase(file);
    migrate(db, MIGRATIONS);
    const store = createStore(db, openRollbackWitness(`${file}.witness`), () => {});
    opened.push(store);
    begin(store, "t");
    begin(store, "other");
    const entries = [makeEntry("other", 0), makeEntry("t", 0, { bytes: new Uint8Array(1_000_000) })];
    store.writable();
    db.pragma(`max_page_count = ${Number(db.pragma("page_count", { simple: true })) + 100}`);
    expect(() => store.writeJournals(entries)).toThrow(expect.objectContaining({ code: "STORE_FULL" }));
    expect(store.writable()).toMatchObject({ ok: false, code: "STORE_FULL" });
    expect([store.journal("other:1.0").rows, store.hookLog("other", 9)]).toEqual([[], []]);
    db.pragma("max_page_count = 100000");
    store.writeJournals(entries);
    expect([store.journal("other:1.0").rows.length, store.journal("t:1.0").rows[0]?.bytes.length]).toEqual([
      1, 1_000_000,
    ]);
  });
});
