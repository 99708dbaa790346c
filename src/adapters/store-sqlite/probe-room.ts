import type Database from "better-sqlite3";
import type { JournalWrite, TurnRows } from "../../engine/ports/store.ts";

/** Bytes a probe writes as long as every turn was taken: turns of the demo's installs write 20 to 50 KB. */
const USUAL_BYTES = 32 * 1024;
/** Ms a probe that was taken speaks for those after it: each costs a commit, and anybody may ask for health. */
const TRUSTED_MS = 1_000;
/** No probe writes more, however large the turn was. */
const MOST_BYTES = 8 * 1024 * 1024;

/** Finds out whether the disk would take a turn. */
export interface RoomProbe {
  /** Notes that so many bytes were refused: from now on a probe writes as many. */
  refused(bytes: number): void;
  /** Writes and commits, unless it did so a moment ago; throws as SQLite does. */
  write(): void;
}

/**
 * A probe is a real commit: a page rewritten in place fits into a full disk, and so does a transaction that is rolled
 * back. It rewrites one row, so that the database grows by it once, with bytes no file system can compress away.
 */
export function prepareRoomProbe(db: Database.Database): RoomProbe {
  const write = db.prepare("INSERT OR REPLACE INTO probe VALUES (1, randomblob(?))");
  let bytes = USUAL_BYTES;
  /** Ms of the monotonic clock. */
  let trustedUntil = 0;
  return {
    refused(size) {
      trustedUntil = 0;
      bytes = Math.min(MOST_BYTES, Math.max(USUAL_BYTES, size));
    },
    write() {
      if (performance.now() < trustedUntil) return;
      write.run(bytes);
      bytes = USUAL_BYTES;
      trustedUntil = performance.now() + TRUSTED_MS;
    },
  };
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
