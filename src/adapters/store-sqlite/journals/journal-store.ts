import type Database from "better-sqlite3";
import type { Store } from "../../../engine/ports/store.ts";
import type { LifeCounters } from "../life-counters.ts";
import { measureJournals } from "../probe-room.ts";
import type { Journals } from "./journals.ts";

/** The port's methods for journals. */
export type JournalStore = Pick<
  Store,
  "writeJournals" | "journal" | "dropJournal" | "journalAliveAt" | "takeGrownJournals"
>;

export interface JournalStoreOptions {
  readonly db: Database.Database;
  readonly journals: Journals;
  readonly counters: LifeCounters;
  /** Last sign of the life before this one, UTC ms. */
  readonly lastAlive: number | null;
  /** Runs each access. */
  readonly guard: <T>(access: () => T) => T;
  /** Runs a write of about so many bytes. */
  readonly write: <T>(bytes: () => number, access: () => T) => T;
}

/**
 * Every write is a transaction of its own and counted in `meta`: no entry of the log tells of it, and the rollback witness
 * must (rollback-witness.ts).
 */
export function createJournalStore(options: JournalStoreOptions): JournalStore {
  const { db, journals, counters, guard } = options;
  const note = db.prepare<[{ journalWrites: number }]>("UPDATE meta SET journal_writes = :journalWrites");

  const transaction = db.transaction((make: () => void, journalWrites: number) => {
    make();
    note.run({ journalWrites });
  }).immediate;

  function change(bytes: () => number, make: () => void): void {
    counters.commitJournals((journalWrites) => options.write(bytes, () => transaction(make, journalWrites)));
  }

  return {
    writeJournals(writes) {
      if (writes.length === 0) return;
      change(
        () => measureJournals(writes),
        () => {
          for (const entry of writes) journals.write(entry);
        },
      );
    },
    journal: (effectId, from = 0) => guard(() => journals.read(effectId, from)),
    dropJournal(effectId) {
      change(
        () => 0,
        () => journals.drop(effectId),
      );
    },
    journalAliveAt: (effectId) => guard(() => journals.aliveAt(effectId)),
    takeGrownJournals: () => guard(() => journals.takeGrown(options.lastAlive)),
  };
}
