import { createHash } from "node:crypto";
import { setImmediate as letOthersRun } from "node:timers/promises";
import type Database from "better-sqlite3";

/** Rows between two pauses: an engine may be running in this process. */
const ROWS_AT_ONCE = 2_000;

type Cell = string | number | Uint8Array | null;

/**
 * The SHA-256 of every row of every table and of how the tables are made, less the digest itself and the statistics of
 * `ANALYZE`. It shows what a disk or a hand has changed since; whoever changes the digest as well goes unnoticed.
 */
export async function digestRows(db: Database.Database, signal?: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  const add = (cell: Cell): void => {
    const bytes = cell instanceof Uint8Array ? cell : Buffer.from(String(cell));
    hash.update(`${cell === null ? "null" : typeof cell} ${bytes.length} `).update(bytes);
  };
  const tables = db
    .prepare<[], [name: string, sql: string]>(
      `SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name <> 'copy' AND name NOT GLOB 'sqlite_stat[14]'
      ORDER BY name`,
    )
    .raw()
    .all();
  for (const [name, sql] of tables) {
    add(name);
    add(sql);
    const next = db
      .prepare<[number], [rowid: number, ...Cell[]]>(
        `SELECT rowid, * FROM "${name}" WHERE rowid > ? ORDER BY rowid LIMIT ${ROWS_AT_ONCE}`,
      )
      .raw();
    for (let rows = next.all(0); rows.length > 0; rows = next.all(rows.at(-1)?.[0] ?? 0)) {
      signal?.throwIfAborted();
      for (const [, ...cells] of rows) for (const cell of cells) add(cell);
      await letOthersRun();
    }
  }
  return hash.digest("hex");
}

/**
 * The digest a copy was given when it was made, empty once a writer has opened it; null once its tasks were taken over, and
 * for any other database.
 */
export function readCopyDigest(db: Database.Database): string | null {
  const hasDigest = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'copy'").get() !== undefined;
  return hasDigest ? (db.prepare<[], string>("SELECT sha256 FROM copy").pluck().get() ?? null) : null;
}
