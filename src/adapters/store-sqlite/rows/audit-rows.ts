import type Database from "better-sqlite3";
import type { AuditMethod } from "../../../engine/api.ts";
import type { AuditFilter, Store } from "../../../engine/ports/store.ts";
import type { AuditRow } from "../../../engine/ports/store-rows.ts";
import { prepareInsert } from "../insert.ts";
import { type AuditRecord, toAuditRow } from "../records.ts";
import { toAuditRecord } from "../to-records.ts";

type Kind = AuditRecord["kind"];

/** Done again and again at no cost, as being refused is; who opens a password is not to bury that under the others. */
const KIND_OF: Readonly<Partial<Record<AuditMethod, Kind>>> = {
  readNotification: "light",
  readNotifications: "light",
  arrangeDashboard: "light",
  revealAnswer: "revealed",
};

/** The newest that are kept, of each kind: what costs nothing pushes nothing else out of the list. */
const KEPT: Readonly<Record<Kind, number>> = { done: 10_000, revealed: 1_000, light: 1_000, refused: 1_000 };
const KINDS = ["done", "revealed", "light", "refused"] as const;

/** Deeds between two looks for what is beyond: each look reads past all that are kept. */
const LOOK_EVERY = 100;

/** Writes a deed, in the caller's transaction, and now and then lets go of what is beyond those that are kept. */
export function prepareKeepAudit(db: Database.Database, kept = KEPT, every = LOOK_EVERY): (row: AuditRow) => void {
  const insert = prepareInsert<Omit<AuditRecord, "n">>(db, "INSERT INTO audit", "n");
  const prune = db.prepare<[{ kind: Kind; most: number }]>(
    `DELETE FROM audit WHERE kind = :kind
      AND n <= (SELECT n FROM audit WHERE kind = :kind ORDER BY n DESC LIMIT 1 OFFSET :most)`,
  );
  return (row) => {
    const kind = row.refused === null ? (KIND_OF[row.method] ?? "done") : "refused";
    const { lastInsertRowid } = insert.run({ ...toAuditRecord(row), kind });
    if (Number(lastInsertRowid) % every > 0) return;
    for (const each of KINDS) prune.run({ kind: each, most: kept[each] });
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
