import { statSync } from "node:fs";
import type Database from "better-sqlite3";
import { FINAL_STATES } from "../../core/task-states.ts";
import type { StoreTally } from "../../engine/ports/store.ts";
import { listInSql } from "./sql-list.ts";

/** Counts by the indexes over what is unfinished and open, never by the whole tables. */
export function prepareTally(db: Database.Database): () => StoreTally {
  const tasks = db.prepare<[], StoreTally["tasks"][number]>(
    `SELECT kind, state, count(*) AS count FROM tasks
      WHERE state NOT IN (${listInSql(FINAL_STATES)}) GROUP BY kind, state`,
  );
  const effects = db.prepare<[], StoreTally["effects"][number]>(
    "SELECT name, count(*) AS count, min(intended_at) AS oldest FROM effects WHERE state = 'intent' GROUP BY name",
  );
  return () => ({
    tasks: tasks.all(),
    effects: effects.all(),
    bytes: readBytes(db.name) + readBytes(`${db.name}-wal`),
  });
}

function readBytes(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
