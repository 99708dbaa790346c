import type Database from "better-sqlite3";
import { emptyLog } from "../opening/open-database.ts";

/** Notes deletions that still stand in the write-ahead log, where somebody could read them. */
export class DeletedTraces {
  readonly #db: Database.Database;
  #held: boolean;

  /** `held`: an earlier life may have left some. */
  constructor(db: Database.Database, held: boolean) {
    this.#db = db;
    this.#held = held;
  }

  holds(): boolean {
    return this.#held;
  }

  /** Something is deleted by the transaction under way. */
  note(): void {
    this.#held = true;
  }

  /** True where the write-ahead log is empty now; else it is as it was, with what was committed to it. */
  erase(): boolean {
    if (!this.#held) return false;
    this.#held = !emptyLog(this.#db);
    return !this.#held;
  }
}
