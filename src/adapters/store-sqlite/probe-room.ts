import type Database from "better-sqlite3";
import type { JournalWrite, TurnRows } from "../../engine/ports/turn-rows.ts";

/** Bytes a probe writes as long as every turn was taken: turns of the demo's installs write 20 to 50 KB. */
const USUAL_BYTES = 32 * 1024;
/** Ms a probe that was taken speaks for those after it: each costs a commit, and anybody may ask for health. */
const TRUSTED_MS = 1_000;
/** No probe writes more, however large the turn was. */
const MOST_BYTES = 8 * 1024 * 1024;

/**
 * Finds out whether the disk would take a turn. A probe is a real commit: a page rewritten in place fits into a full disk,
 * and so does a transaction that is rolled back. It rewrites one row, so that the database grows by it once, with bytes no
 * file system can compress away.
 */
export class RoomProbe {
  readonly #write: Database.Statement<[{ readonly bytes: number }]>;
  #bytes = USUAL_BYTES;
  /** Ms of the monotonic clock. */
  #trustedUntil = 0;

  constructor(db: Database.Database) {
    this.#write = db.prepare("REPLACE INTO probe (id, filling) VALUES (1, randomblob(:bytes))");
  }

  /** Notes that so many bytes were refused: from now on a probe writes as many. */
  refused(size: number): void {
    this.#trustedUntil = 0;
    this.#bytes = Math.min(MOST_BYTES, Math.max(USUAL_BYTES, size));
  }

  /** Writes and commits, unless it did so a moment ago; throws as SQLite does. */
  write(): void {
    if (performance.now() < this.#trustedUntil) return;
    this.#write.run({ bytes: this.#bytes });
    this.#bytes = USUAL_BYTES;
    this.#trustedUntil = performance.now() + TRUSTED_MS;
  }
}

/** About what a turn writes. */
export function measureTurn({ journal, ...turn }: TurnRows): number {
  return Buffer.byteLength(JSON.stringify(turn)) + measureJournals(journal === undefined ? [] : [journal]);
}

/** About what journal entries write. */
export function measureJournals(writes: readonly JournalWrite[]): number {
  return writes.reduce((sum, { row, lines }) => {
    const parts = [row, ...row.bodies].map(({ bytes }) => bytes.byteLength);
    const texts = [row.text, ...lines].map((text) => Buffer.byteLength(text));
    return [...parts, ...texts].reduce((total, size) => total + size, sum);
  }, 0);
}
