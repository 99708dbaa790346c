import type Database from "better-sqlite3";
import type { AuditFilter, Store } from "../../engine/ports/store.ts";
import type { AuditRow } from "../../engine/ports/store-rows.ts";
import { prepareInsert } from "./insert.ts";
import { type AuditRecord, toAuditRow } from "./records.ts";
import { toAuditRecord } from "./to-records.ts";

/** The newest that are kept. Refused deeds cost whoever sends them nothing: they push none that was done out of the list. */
const KEPT = { done: 10_000, refused: 1_000 };

/** Writes a deed, in the caller's transaction, and lets go of what is beyond those that are kept. */
export function prepareKeepAudit(db: Database.Database, kept = KEPT): (row: AuditRow) => void {
  const insert = prepareInsert<Omit<AuditRecord, "n">>(db, "INSERT INTO audit", "n");
  const prune = [
    ["IS NULL", kept.done],
    ["IS NOT NULL", kept.refused],
  ].map(([kind, most]) =>
    db.prepare(
      `DELETE FROM audit WHERE refused ${kind}
        AND n <= (SELECT n FROM audit WHERE refused ${kind} ORDER BY n DESC LIMIT 1 OFFSET ${most})`,
    ),
  );
  return (row) => {
    insert.run(toAuditRecord(row));
    for (const statement of prune) statement.run();
  };
}

/** Reads deeds, newest first. */
export function prepareReadAudit(db: Database.Database): Store["audit"] {
  const read = db.prepare<[Record<keyof AuditFilter, string | number | null>], AuditRecord>(
    `SELECT * FROM audit WHERE (:before IS NULL OR n < :before) AND (:appId IS NULL OR app_id = :appId)
      AND (:taskId IS NULL OR task = :taskId) AND (:actorId IS NULL OR actor_id = :actorId)
      ORDER BY n DESC LIMIT :limit`,
  );
  const all = { before: null, appId: null, taskId: null, actorId: null };
  return (filter) => read.all({ ...all, ...filter }).map(toAuditRow);
}
