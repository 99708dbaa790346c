import { constants, copyFileSync, existsSync, linkSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { EngineError } from "../../../core/codes/problems.ts";
import { emptyLog, openDatabase } from "../opening/open-database.ts";
import { syncPath } from "./make-copy.ts";

/**
 * Gives a database that nobody owns a second name and leaves nothing beside it that SQLite would read into another one in
 * its place. One that can't be opened is kept with its write-ahead log. Throws `STORE_LOCKED` while somebody reads it.
 */
export function keepAside(database: string, aside: string): void {
  const isWhole = takeInLog(database);
  if (!isWhole && existsSync(`${database}-wal`)) {
    copyFileSync(`${database}-wal`, `${aside}-wal`, constants.COPYFILE_EXCL);
  }
  linkSync(database, aside);
  syncPath(dirname(database));
  for (const end of ["-wal", "-shm"]) rmSync(`${database}${end}`, { force: true });
}

/** Moves what stands in the write-ahead log into the database; false where the database is damaged. */
function takeInLog(database: string): boolean {
  try {
    const db = openDatabase(database);
    try {
      if (emptyLog(db)) return true;
    } finally {
      db.close();
    }
  } catch {
    return false;
  }
  throw new EngineError("STORE_LOCKED", `database "${database}" is being read by another process`, { file: database });
}
