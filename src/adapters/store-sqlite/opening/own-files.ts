import { existsSync, realpathSync } from "node:fs";
import { assertOwnState } from "../../../files/own-state.ts";

/** What SQLite and the lock put beside a database. */
const BESIDE = ["-wal", "-shm", "-journal", ".lock"];

/** The path a database is opened by: SQLite follows links, and its other files lie beside the real one. */
export function resolveDatabase(file: string): string {
  return existsSync(file) ? realpathSync(file) : file;
}

/** Throws `STORE_UNTRUSTED` when another user could have written the database, a file beside it or its witness. */
export function assertOwnFiles(file: string, witness: string): void {
  assertOwnState(file);
  const real = resolveDatabase(file);
  for (const end of BESIDE) assertOwnState(`${real}${end}`);
  assertOwnState(witness);
}
