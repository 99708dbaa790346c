/**
 * Gives room back to the file system that deleted rows have left in the file.
 *
 * Invariants:
 * 1. No page is moved while a hook has a journal: its key would leave a copy where it stood (`journals/journal-keys.ts`).
 * 2. A step is one short transaction, so that whoever waits for the database waits some ms.
 */
import { statfsSync } from "node:fs";
import type Database from "better-sqlite3";
import { checkDatabase, emptyLog } from "./opening/open-database.ts";

/** Moved in one step: 0.5 MB. */
const PAGES_AT_ONCE = 128;
/** Free pages that are worth it, and those that are left for what comes next: the next tasks would ask for them at once. */
const WORTH_PAGES = 512;
const LEFT_PAGES = 128;
/** No larger database is rewritten, since memory holds all of it meanwhile; retention makes it smaller first. */
const MOST_BYTES = 256 * 1024 * 1024;
/** A database that is rewritten stands in the write-ahead log once more, and once more where the disk overwrites nothing. */
const ROOM_TIMES = 2;
/** `PRAGMA auto_vacuum`. */
const INCREMENTAL = 2;

/** The pages of a database that hold nothing. */
export class FreePages {
  readonly #db: Database.Database;
  readonly #hasJournal: Database.Statement<[], number>;
  /** Under way: it goes on until little is left. */
  #shrinks = false;

  constructor(db: Database.Database) {
    this.#db = db;
    this.#hasJournal = db.prepare<[], number>("SELECT 1 FROM journals LIMIT 1").pluck();
  }

  /** Bytes of the database that hold something. */
  usedBytes(): number {
    return (this.#read("page_count") - this.#read("freelist_count")) * this.#read("page_size");
  }

  /** Gives some back; whether there is more to give, now or once no hook has a journal any more. */
  shrink(): boolean {
    const free = this.#read("freelist_count");
    this.#shrinks = free > (this.#shrinks ? LEFT_PAGES : WORTH_PAGES) && this.#read("auto_vacuum") === INCREMENTAL;
    if (!this.#shrinks || this.#hasJournal.get() !== undefined) return false;
    this.#db.pragma(`incremental_vacuum(${Math.min(PAGES_AT_ONCE, free - LEFT_PAGES)})`);
    return true;
  }

  #read(name: string): number {
    return Number(this.#db.pragma(name, { simple: true }));
  }
}

/**
 * Rewrites a database that was made without the means to become smaller; where a hook has a journal, or the disk lacks the
 * room, it stays as it is until a later opening. Takes a second for 50 MB. `roomBytes` are free on its disk. Throws
 * `STORE_CORRUPT` for one that is damaged: rewritten, it would no longer show what it has lost.
 */
export function allowShrinking(db: Database.Database, roomBytes = readRoom(db.name)): void {
  if (db.pragma("auto_vacuum", { simple: true }) === INCREMENTAL) return;
  const bytes = new FreePages(db).usedBytes();
  if (bytes > MOST_BYTES || bytes * ROOM_TIMES > roomBytes) return;
  if (db.prepare("SELECT 1 FROM journals LIMIT 1").get() !== undefined) return;
  checkDatabase(db, "quick_check");
  db.pragma("auto_vacuum = INCREMENTAL");
  // the write-ahead log is as long as the database by now, also where the first was taken back
  for (const step of [() => db.exec("VACUUM"), () => emptyLog(db)]) {
    try {
      step();
    } catch {
      // the disk is full: it is opened as it is
    }
  }
}

function readRoom(file: string): number {
  const { bavail, bsize } = statfsSync(file);
  return bavail * bsize;
}
