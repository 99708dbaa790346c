import type Database from "better-sqlite3";

/** The end of the log in which no number is missing. */
export class UnbrokenTail {
  readonly #newest: Database.Statement<[], number>;
  readonly #afterLastGap: Database.Statement<[], number>;
  /** Commits make the tail longer at its other end, so that its beginning stands until entries are deleted. */
  #begin: number | null = null;

  constructor(db: Database.Database) {
    this.#newest = db.prepare<[], number>("SELECT max(seq) FROM log").pluck();
    this.#afterLastGap = db
      .prepare<[], number>(
        `SELECT seq FROM log AS entry WHERE NOT EXISTS (SELECT 1 FROM log WHERE seq = entry.seq - 1)
          ORDER BY seq DESC LIMIT 1`,
      )
      .pluck();
  }

  /** The first number of the tail, of a log whose last number ever given out is `lastSeq`. */
  begin(lastSeq: number): number {
    this.#begin ??= this.#newest.get() === lastSeq ? (this.#afterLastGap.get() ?? lastSeq + 1) : lastSeq + 1;
    return this.#begin;
  }

  /** Entries were deleted. */
  forget(): void {
    this.#begin = null;
  }
}
