/** The beginning of a life of the database: how the last one ended, and where this one goes on. */
import { randomUUID } from "node:crypto";
import type Database from "better-sqlite3";
import type { StoreOpened } from "../../../engine/ports/store.ts";
import { readCopyDigest } from "../backup/digest-rows.ts";
import { prepareInsert } from "../insert.ts";
import type { RollbackWitness } from "../rollback-witness.ts";
import { checkDatabase } from "./open-database.ts";

/** One life of the database, from `openStore` to `close`. */
export interface Life {
  readonly incarnation: string;
  readonly opened: StoreOpened;
  /** The last log number ever given out. */
  readonly seq: number;
  /** Writes of journals in the database. */
  readonly journalWrites: number;
}

interface MetaRecord {
  readonly incarnation: string;
  readonly epoch: number;
  readonly clean: number;
  readonly alive_at: number | null;
  readonly journal_writes: number;
  readonly branched: number;
}

const NEW = { epoch: 1, clean: 0, alive_at: null, journal_writes: 0, branched: 1 } as const;

/** Marks the database as in use by a new life, after finding out how the last one ended. */
export function beginLife(db: Database.Database, witness: RollbackWitness): Life {
  const meta = db
    .prepare<[], MetaRecord>("SELECT incarnation, epoch, clean, alive_at, journal_writes, branched FROM meta")
    .get();
  if (meta === undefined) {
    const incarnation = randomUUID();
    prepareInsert<MetaRecord & { readonly id: 1 }>(db, "INSERT INTO meta").run({ id: 1, incarnation, ...NEW });
    const { epoch } = NEW;
    const opened = {
      after: "new",
      rolledBack: false,
      epoch,
      history: nameHistory(incarnation, epoch),
      lastAlive: null,
    } as const;
    return { incarnation, seq: 0, journalWrites: 0, opened };
  }
  if (meta.clean === 0) checkDatabase(db, "quick_check");
  const copied = readCopyDigest(db);
  // One copy may be put back twice, and their histories are two.
  const incarnation = copied ? randomUUID() : meta.incarnation;
  const last = db
    .prepare<[], { readonly seq: number; readonly at: number }>(
      "SELECT coalesce(max(seq), 0) AS seq, coalesce(max(at), 0) AS at FROM log",
    )
    .get() ?? { seq: 0, at: 0 };
  const ours = witness.found?.incarnation === meta.incarnation ? witness.found : null;
  const epoch = Math.max(meta.epoch, ours?.epoch ?? 0) + 1;
  const seq = Math.max(last.seq, ours?.seq ?? 0);
  const rolledBack = copied !== null || seq > last.seq || (ours?.journalWrites ?? 0) > meta.journal_writes;
  const branched = rolledBack ? epoch : meta.branched;
  db.transaction(() => {
    db.prepare("UPDATE meta SET incarnation = :incarnation, epoch = :epoch, clean = 0, branched = :branched").run({
      incarnation,
      epoch,
      branched,
    });
    if (!rolledBack) return;
    // Kept until what it holds is taken over: this life may end before, and the witness forgets with the next commit.
    db.exec("REPLACE INTO copy (id, sha256) VALUES (1, '')");
    db.exec("UPDATE effects SET doubtful = 1 WHERE state = 'intent'");
  }).immediate();
  return {
    incarnation,
    seq,
    journalWrites: meta.journal_writes,
    opened: {
      after: meta.clean === 1 ? "clean" : "unclean",
      rolledBack,
      epoch,
      history: nameHistory(incarnation, branched),
      lastAlive: Math.max(meta.alive_at ?? 0, last.at),
    },
  };
}

/** An epoch is given out once, so that a second older copy has another name than the first. */
function nameHistory(incarnation: string, branched: number): string {
  return `${incarnation}.${branched}`;
}
