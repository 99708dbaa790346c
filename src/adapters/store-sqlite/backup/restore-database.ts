/**
 * Puts a backup in a database's place.
 *
 * Invariants:
 * 1. Nothing is changed before the copy that takes the place lies beside it, whole and checked.
 * 2. One rename makes the change: whatever kills the process, the name leads to the old database or to the new one.
 * 3. The database that was there is kept under another name.
 */
import { chownSync, existsSync, realpathSync, renameSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type Database from "better-sqlite3";
import { EngineError } from "../../../core/codes/problems.ts";
import type { Backup, BackupRequest } from "../../../engine/api.ts";
import { changePlainFile } from "../../../files/plain-file.ts";
import { guardLongAccess } from "../faults.ts";
import { takeLock } from "../opening/lock.ts";
import { readSchemaVersion } from "../opening/migrate.ts";
import { openForReading } from "../opening/open-for-reading.ts";
import { MIGRATIONS } from "../schema.ts";
import { isSameFile } from "./back-up.ts";
import { checkCopy } from "./check-copy.ts";
import { digestRows, readCopyDigest } from "./digest-rows.ts";
import { keepAside } from "./keep-aside.ts";
import { makeCopy, removeCopy, syncPath } from "./make-copy.ts";
import { requireOwnSchema } from "./require-own-schema.ts";

export interface RestoreRequest extends Pick<BackupRequest, "signal" | "onProgress"> {
  /** A backup, or any database of Slipway. */
  readonly file: string;
  /** The database whose place it takes; there may be none. */
  readonly db: string;
  /** UTC ms, for the name of the database that is kept. */
  readonly now: number;
  /** Told of each step once it is on the disk. */
  readonly onStep?: (step: RestoreStep) => void;
}

/** The copy lies beside the database; the old one has its second name; the new one has its place. */
export type RestoreStep = "copied" | "kept" | "placed";

/** A backup in its place. */
export interface Restored extends Omit<Backup, "file"> {
  readonly db: string;
  /** The database that was there before; null where there was none. */
  readonly kept: string | null;
}

/**
 * Restores a backup. Throws `STORE_LOCKED` while an engine runs on the database, `STORE_NEWER`, `STORE_FOREIGN`,
 * `STORE_CORRUPT`, `STORE_BACKUP_CHANGED` for the file, the reason of the signal, and the codes of writing.
 */
export async function restoreDatabase(request: RestoreRequest): Promise<Restored> {
  const { now, signal, onStep = () => {} } = request;
  const db = existsSync(request.db) ? realpathSync(request.db) : resolve(request.db);
  const file = resolve(request.file);
  const copy = `${db}.restoring`;
  if (isSameFile(db, file)) throw new EngineError("CLI_USAGE", `"${file}" is the database itself`);
  const unlock = takeLock(resolve(request.db), { pid: process.pid, command: "slipway restore" });
  try {
    removeCopy(copy);
    await guardLongAccess(file, () => withDatabase(file, (source) => copyWhole(source, copy, request)));
    return await guardLongAccess(db, async () => {
      const found = checkCopy(copy);
      if (existsSync(db)) giveOwner(copy, db);
      onStep("copied");
      signal?.throwIfAborted();
      const kept = existsSync(db) ? `${db}.before-${new Date(now).toISOString().replaceAll(":", "-")}` : null;
      if (kept !== null) keepAside(db, kept);
      onStep("kept");
      renameSync(copy, db);
      syncPath(dirname(db));
      onStep("placed");
      return { db, kept, ...found };
    });
  } finally {
    removeCopy(copy);
    unlock();
  }
}

/** The engine's user may open the new one as it could the old one, also where root restores it. */
function giveOwner(copy: string, db: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(db);
  // the folder may be that user's: its name may lead to another file by now
  if (changePlainFile(copy, (entry) => chownSync(entry, uid, gid))) return;
  throw new EngineError("STORE_CANNOT_OPEN", `"${copy}" was replaced while it was written`, { file: copy });
}

async function withDatabase(file: string, use: (db: Database.Database) => Promise<void>): Promise<void> {
  const db = openForReading(file);
  try {
    await use(db);
  } finally {
    db.close();
  }
}

async function copyWhole(source: Database.Database, copy: string, request: RestoreRequest): Promise<void> {
  const { file, signal } = request;
  const version = readSchemaVersion(source, MIGRATIONS.length);
  if (version === 0) throw new EngineError("STORE_FOREIGN", `file "${file}" is empty`, { file });
  requireOwnSchema(source, version);
  const digest = readCopyDigest(source);
  if (digest !== null && digest !== "" && (await digestRows(source, signal)) !== digest) {
    throw new EngineError("STORE_BACKUP_CHANGED", `file "${file}" is not as it was when the backup was made`, { file });
  }
  await makeCopy(source, copy, request);
}
