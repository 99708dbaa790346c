/** A database that was made without the means to become smaller, as it is opened, on real SQLite. */
import { randomBytes } from "node:crypto";
import { statSync } from "node:fs";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { allowShrinking } from "../../src/adapters/store-sqlite/free-pages.ts";
import { openDatabase } from "../../src/adapters/store-sqlite/opening/open-database.ts";
import { makeTask, turn } from "../../src/contract/store-rows.ts";
import { useStoreFolder } from "../support/store-folder.ts";

const folder = useStoreFolder();
const MB = 1024 * 1024;
const NONE = 0;
const INCREMENTAL = 2;

/** Writes a database of so many MB as an earlier version made it; `change` has the last word. */
function makeOlder(megabytes: number, change: (db: Database.Database) => void = () => {}): void {
  const store = folder.open();
  for (let n = 0; n < megabytes; n += 1) {
    const filling = randomBytes(MB / 2).toString("hex");
    store.commit({ ...turn(store, makeTask(`t${n}`, 1)), started: { plan: { filling } } });
  }
  store.close();
  const db = new Database(folder.file);
  db.pragma("journal_mode = DELETE");
  db.pragma("auto_vacuum = NONE");
  db.exec("VACUUM");
  change(db);
  db.close();
}

function readMode(db: Database.Database): unknown {
  return db.pragma("auto_vacuum", { simple: true });
}

test("that is damaged is told to be, and not rewritten without what was lost", () => {
  makeOlder(1, (db) => {
    db.exec("UPDATE meta SET clean = 0");
    db.exec("CREATE TABLE lost (filling TEXT); INSERT INTO lost VALUES ('x')");
    // the pages stay, and nothing leads to them
    db.unsafeMode(true);
    db.pragma("writable_schema = ON");
    db.exec("DELETE FROM sqlite_schema WHERE name = 'lost'");
  });
  for (const _ of [1, 2]) expect(() => folder.open()).toThrow(expect.objectContaining({ code: "STORE_CORRUPT" }));
});

test("that can't be rewritten gives back what it took on the disk meanwhile", () => {
  makeOlder(40);
  const db = openDatabase(folder.file);
  folder.closeLater(db);
  db.pragma(`max_page_count = ${db.pragma("page_count", { simple: true })}`);
  allowShrinking(db);
  expect(readMode(db)).toBe(NONE);
  expect(statSync(`${folder.file}-wal`).size).toBe(0);
});

test("is left as it is where the disk has not the room, and rewritten once it has", () => {
  makeOlder(4);
  const db = openDatabase(folder.file);
  folder.closeLater(db);
  allowShrinking(db, 6 * MB);
  expect(readMode(db)).toBe(NONE);
  allowShrinking(db, 16 * MB);
  expect(readMode(db)).toBe(INCREMENTAL);
});
