import type { Code } from "../../core/codes/code.ts";
import { EngineError } from "../../core/codes/problems.ts";
import { loadSqlite } from "./opening/load-sqlite.ts";

/** SQLite's result codes (https://sqlite.org/rescode.html) -> ours; the first matching prefix counts. */
const FAULTS: readonly (readonly [prefix: string, code: Code, text: string])[] = [
  ["SQLITE_FULL", "STORE_FULL", "disk is full"],
  ["SQLITE_READONLY", "STORE_READ_ONLY", "database is read-only"],
  ["SQLITE_PERM", "STORE_READ_ONLY", "database is not permitted to be written"],
  ["SQLITE_CORRUPT", "STORE_CORRUPT", "database is damaged"],
  ["SQLITE_NOTADB", "STORE_FOREIGN", "file is not a database"],
  ["SQLITE_CANTOPEN", "STORE_CANNOT_OPEN", "database can't be opened"],
  ["SQLITE_BUSY", "STORE_LOCKED", "database is locked by another process"],
  ["SQLITE_IOERR", "STORE_IO", "disk answers with an error"],
];

/** Errors of the file system while the database's files are made; any other is `STORE_CANNOT_OPEN`. */
const FILE_FAULTS: Readonly<Record<string, Code>> = {
  ENOSPC: "STORE_FULL",
  EDQUOT: "STORE_FULL",
  EROFS: "STORE_READ_ONLY",
  EACCES: "STORE_READ_ONLY",
  EPERM: "STORE_READ_ONLY",
};

/** Runs one access to the database; what SQLite throws becomes an `EngineError` naming the file. */
export function guardAccess<T>(file: string, access: () => T): T {
  try {
    return access();
  } catch (error) {
    throw storeError(file, error);
  }
}

/** The same for an access that waits in between. */
export async function guardLongAccess<T>(file: string, access: () => T | Promise<T>): Promise<T> {
  try {
    return await access();
  } catch (error) {
    throw storeError(file, error);
  }
}

/** The `EngineError` of what SQLite or the file system threw; any other error is returned as it is. */
export function storeError(file: string, error: unknown): unknown {
  if (error instanceof loadSqlite().SqliteError) {
    const fault = FAULTS.find(([prefix]) => error.code.startsWith(prefix));
    if (fault === undefined) return error;
    return new EngineError(fault[1], `${fault[2]}: "${file}" (${error.code})`, { file, sqlite: error.code }, error);
  }
  if (error instanceof Error && "syscall" in error) {
    const errno = "code" in error ? String(error.code) : "";
    const code = FILE_FAULTS[errno] ?? "STORE_CANNOT_OPEN";
    return new EngineError(code, `can't open the database "${file}": ${error.message}`, { file, errno }, error);
  }
  return error;
}
