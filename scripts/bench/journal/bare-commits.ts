/** What the disk alone takes: commits of a row as long as a journal's, by SQLite with our settings and nothing else to do. */
import { closeSync, fdatasyncSync, openSync, writeSync } from "node:fs";
import { emptyLog, fillLog, openDatabase } from "../../../src/adapters/store-sqlite/opening/open-database.ts";

/** About what a journal's row takes, in bytes. */
const ROW_BYTES = 600;
/** Pages synced in one measurement. */
const SYNCS = 50;

export interface BareCommits {
  /** Commits one row; it is on the disk then. */
  commit(): void;
  close(): void;
}

/** Opens a database of its own, with a log that has room as the store's has. */
export function openBareCommits(path: string): BareCommits {
  const db = openDatabase(path);
  db.exec("CREATE TABLE rows (n INTEGER PRIMARY KEY, sealed BLOB NOT NULL) STRICT");
  if (emptyLog(db)) fillLog(db);
  const insert = db.prepare<[Uint8Array]>("INSERT INTO rows (sealed) VALUES (?)");
  const row = Buffer.alloc(ROW_BYTES);
  return {
    commit: () => void insert.run(row),
    close: () => void db.close(),
  };
}

/** Us of one write of a page that is synced. */
export function syncPages(path: string): number {
  const file = openSync(path, "w");
  const page = Buffer.alloc(4_096);
  const start = performance.now();
  for (let count = 0; count < SYNCS; count += 1) {
    writeSync(file, page, 0, page.length, 0);
    fdatasyncSync(file);
  }
  const us = ((performance.now() - start) * 1_000) / SYNCS;
  closeSync(file);
  return us;
}
