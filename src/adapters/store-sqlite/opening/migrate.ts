import { renameSync, rmSync } from "node:fs";
import type Database from "better-sqlite3";
import { EngineError } from "../../../core/codes/problems.ts";
import { createPrivateFile } from "./private-file.ts";

/** Marks a file as ours (`PRAGMA application_id`): "SLWY". */
const APPLICATION_ID = 0x534c5759;

/**
 * Brings the database to the newest schema, a migration per transaction; before the first one a copy of the whole
 * database is written beside it (`<file>.backup-v<version>`). Throws `STORE_NEWER`, `STORE_FOREIGN`.
 */
export function migrate(db: Database.Database, migrations: readonly string[]): void {
  const version = readSchemaVersion(db, migrations.length);
  if (version > 0 && version < migrations.length) backUp(db, version);
  applyMigrations(db, migrations);
}

/** The same without a copy. */
export function applyMigrations(db: Database.Database, migrations: readonly string[]): void {
  const version = readSchemaVersion(db, migrations.length);
  for (const [index, sql] of migrations.entries()) {
    if (index < version) continue;
    db.transaction(() => {
      db.exec(sql);
      db.pragma(`user_version = ${index + 1}`);
      db.pragma(`application_id = ${APPLICATION_ID}`);
    }).exclusive();
  }
}

/**
 * The schema a database has; 0 for one that is empty. Throws `STORE_NEWER` above the newest one known, `STORE_FOREIGN`
 * for a database of another program.
 */
export function readSchemaVersion(db: Database.Database, known: number): number {
  const version = Number(db.pragma("user_version", { simple: true }));
  const application = Number(db.pragma("application_id", { simple: true }));
  const empty = db.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").get() === undefined;
  if (!empty && application !== APPLICATION_ID) {
    throw new EngineError("STORE_FOREIGN", `file "${db.name}" is not a Slipway database`, { file: db.name });
  }
  if (version > known) {
    throw new EngineError(
      "STORE_NEWER",
      `database "${db.name}" has schema ${version}, this version knows up to ${known}`,
      { file: db.name, found: version, known },
    );
  }
  return version;
}

/** Throws `STORE_OUTDATED` for a database that no writer of this version has opened yet, and as `readSchemaVersion`. */
export function requireNewestSchema(db: Database.Database, known: number): void {
  const found = readSchemaVersion(db, known);
  if (found === known) return;
  const message = `database "${db.name}" has schema ${found}, ${known} is needed to read it`;
  throw new EngineError("STORE_OUTDATED", message, { file: db.name, found, known });
}

function backUp(db: Database.Database, version: number): void {
  const path = `${db.name}.backup-v${version}`;
  const partial = `${path}.partial`;
  rmSync(partial, { force: true });
  // VACUUM INTO accepts an empty file that exists: made first, it is private from its first byte.
  createPrivateFile(partial);
  db.prepare("VACUUM INTO ?").run(partial);
  renameSync(partial, path);
}
