import type Database from "better-sqlite3";
import { EngineError } from "../../../core/codes/problems.ts";
import { loadSqlite } from "../opening/load-sqlite.ts";
import { applyMigrations } from "../opening/migrate.ts";
import { MIGRATIONS } from "../schema.ts";

/** What the schema says of one table, index, view or trigger. */
interface Entry {
  readonly type: string;
  readonly name: string;
  readonly tbl_name: string;
  readonly sql: string | null;
}

/**
 * Refuses a file of this schema version with anything in its schema that the migrations have not made: a trigger or a view
 * would be run by whoever reads or writes the tables. Throws `STORE_BACKUP_CHANGED`.
 */
export function requireOwnSchema(db: Database.Database, version: number): void {
  const own = makeSchema(version);
  const found = readSchema(db);
  const odd = [...found].find(([text]) => !own.has(text)) ?? [...own].find(([text]) => !found.has(text));
  if (odd === undefined) return;
  const [, { type, name }] = odd;
  const message = `file "${db.name}" was changed: ${type} "${name}" is not as version ${version} of the schema has it`;
  throw new EngineError("STORE_BACKUP_CHANGED", message, { file: db.name });
}

function makeSchema(version: number): ReadonlyMap<string, Entry> {
  const db = new (loadSqlite())(":memory:");
  try {
    applyMigrations(db, MIGRATIONS.slice(0, version));
    return readSchema(db);
  } finally {
    db.close();
  }
}

/** Of `ANALYZE`, which whoever looks at a database may run; the second by a build with `SQLITE_ENABLE_STAT4`. */
const STATISTICS = [
  { name: "sqlite_stat1", sql: "CREATE TABLE sqlite_stat1(tbl,idx,stat)" },
  { name: "sqlite_stat4", sql: "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)" },
].map(({ name, sql }): Entry => ({ type: "table", name, tbl_name: name, sql }));

/** The entries by all they say, but for statistics. */
function readSchema(db: Database.Database): ReadonlyMap<string, Entry> {
  const entries = db.prepare<[], Entry>("SELECT type, name, tbl_name, sql FROM sqlite_schema").all();
  const found = new Map(entries.map((entry) => [describeEntry(entry), entry]));
  for (const statistics of STATISTICS) found.delete(describeEntry(statistics));
  return found;
}

function describeEntry({ type, name, tbl_name, sql }: Entry): string {
  return JSON.stringify([type, name, tbl_name, sql]);
}
