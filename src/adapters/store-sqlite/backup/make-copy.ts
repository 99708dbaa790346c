/**
 * A copy of a database that is whole in one file and says that it is a copy.
 *
 * Invariants:
 * 1. It is read in one transaction: everything the database held at one moment, whatever its owner writes meanwhile.
 * 2. Whoever opens it as a store learns that it is an older copy (table `copy`), also where no rollback witness is left.
 * 3. It holds no hook's journal: nothing is played back from a copy, and a journal holds what apps answered.
 */
import { closeSync, fsyncSync, openSync, rmSync } from "node:fs";
import type Database from "better-sqlite3";
import type { CopyProgress } from "../../../engine/api.ts";
import { KEY_BYTES } from "../journals/seal.ts";
import { loadSqlite } from "../opening/load-sqlite.ts";
import { applyMigrations, readSchemaVersion } from "../opening/migrate.ts";
import { createPrivateFile } from "../opening/private-file.ts";
import { MIGRATIONS } from "../schema.ts";
import { digestRows } from "./digest-rows.ts";
import { requireOwnSchema } from "./require-own-schema.ts";

/** About 1 MB, which takes some ms: an engine may be running in this process. */
const PAGES_AT_ONCE = 256;

export interface CopyOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: CopyProgress) => void;
}

/**
 * Writes the copy, brought to the newest schema; what is written is on the disk when it resolves. Throws
 * `STORE_BACKUP_CHANGED` for a schema that is not Slipway's.
 */
export async function makeCopy(source: Database.Database, copy: string, options: CopyOptions = {}): Promise<void> {
  createPrivateFile(copy);
  await copyPages(source, copy, options);
  const db = new (loadSqlite())(copy);
  try {
    db.pragma("trusted_schema = OFF");
    db.pragma("journal_mode = DELETE");
    db.pragma("synchronous = FULL");
    db.pragma("secure_delete = ON");
    // of the copy itself: whoever may write the source may have done so since it was looked at
    requireOwnSchema(db, readSchemaVersion(db, MIGRATIONS.length));
    applyMigrations(db, MIGRATIONS);
    db.transaction(() => db.exec(BECOME_A_COPY))();
    const sha256 = await digestRows(db, options.signal);
    db.prepare("INSERT INTO copy (id, sha256) VALUES (1, ?)").run(sha256);
  } finally {
    db.close();
  }
  syncPath(copy);
}

/** Removes a copy and whatever SQLite made beside it. */
export function removeCopy(copy: string): void {
  for (const end of ["", "-journal", "-wal", "-shm"]) rmSync(`${copy}${end}`, { force: true });
}

/** Waits until a file, or the names in a folder, are on the disk. */
export function syncPath(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

const BECOME_A_COPY = `
  DELETE FROM copy;
  DELETE FROM journal_bodies;
  DELETE FROM journal_rows;
  DELETE FROM journals;
  UPDATE journal_keys SET key = zeroblob(${KEY_BYTES});
  UPDATE meta SET clean = 1;
`;

async function copyPages(source: Database.Database, copy: string, { signal, onProgress }: CopyOptions): Promise<void> {
  const pageBytes = Number(source.pragma("page_size", { simple: true }));
  // Held over all steps: else the copy begins anew whenever the owner commits.
  source.exec("BEGIN");
  try {
    source.prepare("SELECT 1 FROM sqlite_schema").get();
    await source.backup(copy, {
      progress({ totalPages, remainingPages }) {
        signal?.throwIfAborted();
        onProgress?.({ copiedBytes: (totalPages - remainingPages) * pageBytes, totalBytes: totalPages * pageBytes });
        return PAGES_AT_ONCE;
      },
    });
  } finally {
    source.exec("COMMIT");
  }
}
