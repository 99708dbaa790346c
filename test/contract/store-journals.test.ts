/** Journals in the SQLite store: what its files hold of them afterwards, older copies, a full disk. */
import { copyFileSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { makeEffect, makeEntry, makeTask, turn } from "../../src/contract/store-rows.ts";
import type { Store } from "../../src/engine/ports/store.ts";
import type { JournalWrite } from "../../src/engine/ports/turn-rows.ts";
import { createTestFolder } from "../support/engine/runtime-world.ts";
import { findFilesWith, readJournalKeys } from "../support/journal-traces.ts";
import { SLOWNESS } from "../support/slowness.ts";
import { openOnDatabase, useStoreFolder } from "../support/store-folder.ts";

const folder = useStoreFolder();
const { open, closeLater } = folder;

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

describe("a transaction that is taken back", () => {
  test("leaves no key behind that a journal would be kept under", () => {
    const store = open();
    for (const id of ["a", "b", "c"]) begin(store, id);
    store.writeJournals([makeEntry("c", 0)]);
    // "a" and "b" begin their journals, then "b" in the place of "c", whose own goes
    expect(() => store.writeJournals([makeEntry("a", 0), makeEntry("b", 0), makeEntry("b", 5)])).toThrow("go on");
    const consumed = { kind: "effect", id: "c:1.0" } as const;
    const ended = turn(store, makeTask("c", 2), { consumed, journal: makeEntry("b", 5) });
    expect(() => store.commit(ended)).toThrow("go on");
    store.writeJournals([makeEntry("b", 0), makeEntry("c", 1)]);
    store.writeJournals([makeEntry("a", 0)]);
    store.close();
    const next = open();
    const texts = ["a", "b", "c"].map((id) => next.journal(`${id}:1.0`).rows.map(({ text }) => text));
    expect(texts).toEqual([['["step",0]'], ['["step",0]'], ['["step",0]', '["step",1]']]);
  });
});

describe("a secret in a journal that has gone", () => {
  /** A store with a journal that holds the secret `marker`, and what could give it away. */
  function keepSecret() {
    const store = open();
    begin(store, "t");
    for (const [seq, size] of [10, 3_000, 200_000].entries()) {
      store.writeJournals([makeSecretEntry("t", seq, size, "marker")]);
    }
    const traces = ["marker", ...readJournalKeys(folder.path)];
    expect([traces.length, findFilesWith(folder.path, traces)]).toEqual([2, ["slipway.db-wal"]]);
    return { store, traces };
  }

  test("stands in no file once it was erased in a running store", () => {
    const { store, traces } = keepSecret();
    end(store, "t");
    store.eraseDeleted();
    expect(findFilesWith(folder.path, traces)).toEqual([]);
    expect(readFileSync(`${folder.file}-wal`).every((byte) => byte === 0)).toBe(true);
  });

  test("leaves room in the log when it is erased, which the next commits do not make longer", () => {
    const { store } = keepSecret();
    end(store, "t");
    store.eraseDeleted();
    const { size } = statSync(`${folder.file}-wal`);
    begin(store, "next");
    store.writeJournals([makeSecretEntry("next", 0, 3_000, "another")]);
    expect(statSync(`${folder.file}-wal`).size).toBe(size);
    const copy = join(folder.path, "copy.db");
    for (const end of ["", "-wal"]) copyFileSync(`${folder.file}${end}`, `${copy}${end}`);
    const reader = new Database(copy);
    closeLater(reader);
    expect(reader.prepare("SELECT count(*) FROM journal_rows").pluck().get()).toBe(1);
  });

  test("that never was: to erase it leaves the log, and what was committed to it", () => {
    const store = open();
    begin(store, "t");
    store.writeJournals([makeEntry("t", 0)]);
    const log = readFileSync(`${folder.file}-wal`);
    store.eraseDeleted();
    expect(readFileSync(`${folder.file}-wal`).equals(log)).toBe(true);
  });

  test("stands in no file once the store was closed, also while another process has it open", () => {
    const { store, traces } = keepSecret();
    end(store, "t");
    const reader = new Database(folder.file, { readonly: true });
    closeLater(reader);
    expect(reader.prepare("SELECT count(*) FROM journals").pluck().get()).toBe(0);
    store.close();
    expect(findFilesWith(folder.path, traces)).toEqual([]);
  });

  test("that a reader still stands before is erased after it, and nobody waits", () => {
    const { store, traces } = keepSecret();
    const reader = new Database(folder.file, { readonly: true });
    closeLater(reader);
    reader.exec("BEGIN");
    reader.prepare("SELECT * FROM journals").all();
    end(store, "t");
    const before = performance.now();
    store.eraseDeleted();
    expect(performance.now() - before).toBeLessThan(1_000 * SLOWNESS);
    expect(store.holdsDeleted()).toBe(true);
    expect(findFilesWith(folder.path, traces)).toContain("slipway.db-wal");
    reader.exec("COMMIT");
    store.eraseDeleted();
    expect([store.holdsDeleted(), findFilesWith(folder.path, traces)]).toEqual([false, []]);
  });

  test("is to be erased by the life after the one that was killed", () => {
    const { store, traces } = keepSecret();
    end(store, "t");
    const image = createTestFolder();
    for (const name of ["slipway.db", "slipway.db-wal"]) copyFileSync(join(folder.path, name), join(image.path, name));
    store.close();
    for (const name of ["slipway.db", "slipway.db-wal"]) copyFileSync(join(image.path, name), join(folder.path, name));
    image.remove();
    const next = open();
    expect([next.opened.after, next.holdsDeleted(), findFilesWith(folder.path, traces)]).toEqual([
      "unclean",
      true,
      ["slipway.db-wal"],
    ]);
    next.eraseDeleted();
    expect(findFilesWith(folder.path, traces)).toEqual([]);
  });

  test("leaves nothing behind whichever journals come and go around it, however large", () => {
    const steps = fc.array(
      fc.record({ of: fc.nat(250), ends: fc.boolean(), size: fc.oneof(fc.nat(300), fc.nat(9_000)) }),
      { minLength: 1, maxLength: 150 },
    );
    let runs = 0;
    fc.assert(
      fc.property(steps, (taken) => {
        runs += 1;
        const store = open();
        const id = (of: number) => `${runs} ${of}`;
        // Enough of them that their keys fill more than one page.
        for (let of = 0; of <= 250; of += 1) begin(store, id(of));
        store.writeJournals(Array.from({ length: 251 }, (_, of) => makeSecretEntry(id(of), 0, 1, "marker")));
        const keys = new Set(readJournalKeys(folder.path).map((key) => key.toString("hex")));
        const counts = new Map<number, number>();
        for (const { of, ends, size } of taken) {
          const seq = counts.get(of) ?? 1;
          if (seq === 0) continue;
          counts.set(of, ends ? 0 : seq + 1);
          if (ends) end(store, id(of));
          else store.writeJournals([makeSecretEntry(id(of), seq, size, "marker")]);
        }
        for (const key of readJournalKeys(folder.path)) keys.delete(key.toString("hex"));
        for (const [of, seq] of counts) expect(store.journal(`${id(of)}:1.0`).rows).toHaveLength(seq);
        store.close();
        return findFilesWith(folder.path, ["marker", ...[...keys].map((key) => Buffer.from(key, "hex"))]).length === 0;
      }),
      { numRuns: 15 },
    );
  });
});

describe("an older copy of the database", () => {
  /** A copy with one row of a journal takes the place of what was made of it since. */
  function putBackAfter(change: (store: Store) => void): void {
    const first = open();
    begin(first, "t");
    first.writeJournals([makeEntry("t", 0)]);
    first.close();
    const copy = join(folder.path, "copy");
    copyFileSync(folder.file, copy);
    const second = open();
    expect(second.opened.rolledBack).toBe(false);
    change(second);
    second.close();
    copyFileSync(copy, folder.file);
  }

  test("is noticed where journals alone were written since, until its tasks are taken over", () => {
    putBackAfter((store) => store.writeJournals([makeEntry("t", 1)]));
    const third = open();
    expect(third.opened.rolledBack).toBe(true);
    expect(third.journal("t:1.0").rows).toHaveLength(1);
    third.close();
    const fourth = open();
    expect(fourth.opened.rolledBack).toBe(true);
    fourth.noteRecovered();
    fourth.commit(turn(fourth, makeTask("t", 2)));
    fourth.close();
    expect(open().opened.rolledBack).toBe(false);
  });

  test("is noticed where a journal was dropped since", () => {
    putBackAfter((store) => store.dropJournal("t:1.0"));
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
    const { db, store } = openOnDatabase(folder.file);
    closeLater(store);
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
