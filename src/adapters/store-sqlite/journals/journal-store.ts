import type Database from "better-sqlite3";
import type { Store } from "../../../engine/ports/store.ts";
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
  /** Writes of journals in the database. */
  readonly count: number;
  /** Last sign of the life before this one, UTC ms. */
  readonly lastAlive: number | null;
  /** Runs each access. */
  readonly guard: <T>(access: () => T) => T;
  /** Runs a write of about so many bytes. */
  readonly write: <T>(bytes: () => number, access: () => T) => T;
  /** Called after each write with the count as it is now. */
  readonly written: (count: number) => void;
}

/**
 * Every write is a transaction of its own and counted in `meta`: no entry of the log tells of it, and the rollback witness
 * must (rollback-witness.ts).
 */
export function createJournalStore(options: JournalStoreOptions): JournalStore {
  const { db, journals, guard } = options;
  const note = db.prepare<[number]>("UPDATE meta SET journal_writes = ?");
  let { count } = options;

  const transaction = db.transaction((make: () => void, next: number) => {
    make();
    note.run(next);
  }).immediate;

  function change(bytes: () => number, make: () => void): void {
    const next = count + 1;
    options.write(bytes, () => transaction(make, next));
    count = next;
    options.written(count);
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
    journal: (effectId) => guard(() => journals.read(effectId)),
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
