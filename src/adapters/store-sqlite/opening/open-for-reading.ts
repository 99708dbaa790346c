import { accessSync, constants, existsSync, readFileSync, statSync } from "node:fs";
import type Database from "better-sqlite3";
import { EngineError } from "../../../core/codes/problems.ts";
import { loadSqlite } from "./load-sqlite.ts";

/**
 * Opens a database for reading only.
 *
 * SQLite reads a WAL database only where it can make the shared memory beside it. On a read-only file system it can't;
 * a database whose owner has closed it, so that no `-wal` is left, is whole in itself and is read from a copy in memory.
 */
export function openForReading(file: string): Database.Database {
  // Asked first: for a folder that is missing better-sqlite3 throws a `TypeError` without a code.
  accessSync(file, constants.R_OK);
  // Of a directory SQLite says that the disk answers with an error; a pipe it would wait for without end.
  const found = statSync(file);
  if (!found.isFile()) {
    const what = found.isDirectory() ? "a directory" : "no regular file";
    throw new EngineError("STORE_CANNOT_OPEN", `can't open the database "${file}": it is ${what}`, { file });
  }
  const db = new (loadSqlite())(file, { readonly: true, fileMustExist: true });
  try {
    db.pragma("busy_timeout = 5000");
    db.pragma("trusted_schema = OFF");
    db.prepare("SELECT 1 FROM sqlite_schema").get();
    return db;
  } catch (error) {
    db.close();
    const unmade = error instanceof loadSqlite().SqliteError && error.code.startsWith("SQLITE_CANTOPEN");
    if (!unmade || existsSync(`${file}-wal`)) throw error;
    return new (loadSqlite())(withoutWal(readFileSync(file)), { readonly: true });
  }
}

/** Says in the header that no log is used (https://sqlite.org/fileformat2.html section 1.3.3): memory has none. */
function withoutWal(image: Buffer): Buffer {
  image.fill(1, 18, 20);
  return image;
}
