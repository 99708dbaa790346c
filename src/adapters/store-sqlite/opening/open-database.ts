import { writeFileSync } from "node:fs";
import type Database from "better-sqlite3";
import { EngineError } from "../../../core/codes/problems.ts";
import { loadSqlite } from "./load-sqlite.ts";

const BUSY_TIMEOUT_MS = 5_000;
/** What an emptied write-ahead log is filled with again: about 80 commits of a journal's row. */
const LOG_BYTES = 1024 * 1024;

/**
 * Settings of every connection, asserted after they were set. A reopened WAL database shows synchronous NORMAL, which
 * loses the latest commits in a power cut, so it is set at every open (docs/architecture.md).
 * Deleted bytes are overwritten: they may have been a secret. What SQLite sets aside, a whole database as it is rewritten,
 * stays in memory: it would stand on another disk, where nothing overwrites it.
 */
const SETTINGS: readonly (readonly [name: string, value: string, shown: string | number])[] = [
  ["journal_mode", "WAL", "wal"],
  ["synchronous", "FULL", 2],
  ["foreign_keys", "ON", 1],
  ["busy_timeout", `${BUSY_TIMEOUT_MS}`, BUSY_TIMEOUT_MS],
  ["trusted_schema", "OFF", 0],
  ["secure_delete", "ON", 1],
  ["temp_store", "MEMORY", 2],
];

/** Opens the file for writing with every setting in force. Throws `STORE_SETTINGS` where one is not. */
export function openDatabase(file: string): Database.Database {
  const db = new (loadSqlite())(file);
  try {
    // Of a file that is still empty; of any other it takes effect when that is rewritten.
    db.pragma("auto_vacuum = INCREMENTAL");
    for (const [name, value, shown] of SETTINGS) {
      db.pragma(`${name} = ${value}`);
      const found = db.pragma(name, { simple: true });
      if (found !== shown) {
        throw new EngineError("STORE_SETTINGS", `SQLite has ${name} "${found}", "${value}" is needed`, { file, name });
      }
    }
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * Empties the write-ahead log, in which what was deleted since can still be read. Waits for nobody: false where a reader
 * still needs it.
 */
export function emptyLog(db: Database.Database): boolean {
  db.pragma("busy_timeout = 0");
  try {
    return db.pragma("wal_checkpoint(TRUNCATE)", { simple: true }) === 0;
  } finally {
    db.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  }
}

/**
 * Fills the emptied write-ahead log with zeros, which are no log to SQLite but room for one: a commit that has to make the
 * file longer waits for the disk about half as long again.
 */
export function fillLog(db: Database.Database): void {
  try {
    writeFileSync(`${db.name}-wal`, Buffer.alloc(LOG_BYTES), { flag: "r+", flush: true });
  } catch {
    // the disk is full, or will tell the next commit what it has: the log grows as it is written
  }
}

/** Throws `STORE_CORRUPT` with SQLite's first findings when the file is damaged. */
export function checkDatabase(db: Database.Database, how: "quick_check" | "integrity_check"): void {
  const findings = db.prepare<[], string>(`PRAGMA ${how}(5)`).pluck().all();
  if (findings.length === 1 && findings[0] === "ok") return;
  throw new EngineError("STORE_CORRUPT", `database is damaged: "${db.name}"`, { file: db.name, findings });
}
