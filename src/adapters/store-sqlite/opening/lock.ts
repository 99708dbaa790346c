/**
 * The lock beside the database, taken before the database is opened.
 *
 * The lock is a kernel lock (SQLite's RESERVED lock on a file of its own), so it ends with its process, whatever killed
 * it: no stale file, no guessing whether a process id is still the same process. The file's one row names the owner, with a
 * nonce that only the owner's user can read: `serve` proves by it to the CLI that it is this owner.
 */
import { randomBytes } from "node:crypto";
import { chmodSync, lstatSync } from "node:fs";
import type Database from "better-sqlite3";
import { EngineError, isEngineError } from "../../../core/codes/problems.ts";
import { changePlainFile } from "../../../files/plain-file.ts";
import { storeError } from "../faults.ts";
import { loadSqlite } from "./load-sqlite.ts";
import { resolveDatabase } from "./own-files.ts";
import { createPrivateFile } from "./private-file.ts";

export interface LockOwner {
  readonly pid: number;
  readonly command: string;
}

/** The owner as the lock file names it; `nonce` is base64url, of 32 bytes. */
export interface NamedOwner extends LockOwner {
  readonly nonce: string;
}

const NONCE_BYTES = 32;
/** Ms to wait for processes that hold the lock for a moment only, to see whether it is held. */
const TAKE_MS = 200;
/** Ms one such process waits for another. */
const LOOK_MS = 20;
/** Permission bits of others than the owner. */
const FOREIGN_BITS = 0o077;

/** Takes the lock of a database; the returned function frees it. Throws `STORE_LOCKED {pid, command}`. */
export function takeLock(file: string, owner: LockOwner): () => void {
  const path = nameLock(file);
  const db = openLock(file, path);
  try {
    db.pragma("journal_mode = DELETE");
    db.pragma("synchronous = OFF");
    db.exec("BEGIN IMMEDIATE");
    // An earlier version may have left another table.
    db.exec("DROP TABLE IF EXISTS owner");
    db.exec("CREATE TABLE owner (pid INTEGER, command TEXT, nonce TEXT) STRICT");
    const named: NamedOwner = { ...owner, nonce: randomBytes(NONCE_BYTES).toString("base64url") };
    db.prepare<[NamedOwner]>("INSERT INTO owner (pid, command, nonce) VALUES (:pid, :command, :nonce)").run(named);
    db.exec("COMMIT");
    // Held for life. A process that comes in between wins, and this one is refused like any other.
    db.exec("BEGIN IMMEDIATE");
    const holder = readName(db);
    if (holder?.nonce !== named.nonce) throw createLockedError(file, holder);
    return () => db.close();
  } catch (error) {
    db.close();
    if (error instanceof loadSqlite().SqliteError && error.code.startsWith("SQLITE_BUSY")) {
      throw createLockedError(file, readOwner(path), error);
    }
    throw createLockFault(path, storeError(path, error));
  }
}

/**
 * The process that holds the lock of a database now; null when none does. A lock file that another user could have written,
 * or that no process holds, names nobody: a folder from elsewhere may have brought it.
 */
export function readLockOwner(file: string): NamedOwner | null {
  const path = nameLock(file);
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || !found.isFile() || (found.mode & FOREIGN_BITS) !== 0) return null;
  if (process.geteuid !== undefined && found.uid !== process.geteuid()) return null;
  return isHeld(path) ? readOwner(path) : null;
}

/** The kernel's answer: the lock ends with its process. */
function isHeld(path: string): boolean {
  const { SqliteError } = loadSqlite();
  let db: Database.Database | undefined;
  try {
    db = new (loadSqlite())(path, { fileMustExist: true, timeout: LOOK_MS });
    db.exec("BEGIN IMMEDIATE");
    return false;
  } catch (error) {
    if (error instanceof SqliteError) return error.code.startsWith("SQLITE_BUSY");
    throw error;
  } finally {
    db?.close();
  }
}

/** One lock for one database, through whatever link it is opened. */
function nameLock(file: string): string {
  return `${resolveDatabase(file)}.lock`;
}

function openLock(file: string, path: string): Database.Database {
  try {
    makePrivate(path);
    return new (loadSqlite())(path, { timeout: TAKE_MS });
  } catch (error) {
    throw storeError(file, error);
  }
}

/** Makes the lock file, or removes the access of others to it. */
function makePrivate(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) createPrivateFile(path);
  else if (found.isFile() && (found.mode & FOREIGN_BITS) === 0) return;
  else if (!changePlainFile(path, (entry) => chmodSync(entry, 0o600))) throw createLockFault(path);
}

/** An error with a code is returned as it is. */
function createLockFault(path: string, cause?: unknown): EngineError {
  if (isEngineError(cause)) return cause;
  return new EngineError("STORE_CANNOT_OPEN", `"${path}" is no lock file of Slipway`, { file: path }, cause);
}

function readOwner(path: string): NamedOwner | null {
  const db = new (loadSqlite())(path, { readonly: true, timeout: TAKE_MS });
  try {
    return readName(db);
  } catch (error) {
    // The owner is writing its name this very moment; that it is locked is known all the same.
    if (error instanceof loadSqlite().SqliteError) return null;
    throw error;
  } finally {
    db.close();
  }
}

function readName(db: Database.Database): NamedOwner | null {
  return db.prepare<[], NamedOwner>("SELECT pid, command, nonce FROM owner").get() ?? null;
}

function createLockedError(file: string, named: NamedOwner | null, cause?: unknown): EngineError {
  const owner = named === null ? null : { pid: named.pid, command: named.command };
  const by = owner === null ? "another process" : `process ${owner.pid} ("${owner.command}")`;
  return new EngineError("STORE_LOCKED", `database "${file}" is in use by ${by}`, { file, ...owner }, cause);
}
