import type Database from "better-sqlite3";
import type { TurnRows } from "../../engine/ports/store.ts";

/** Bytes a probe writes as long as every turn was taken: turns of the demo's installs write 20 to 50 KB. */
const USUAL_BYTES = 32 * 1024;
/** Ms a probe that was taken speaks for those after it: each costs a commit, and anybody may ask for health. */
const TRUSTED_MS = 1_000;
/** No probe writes more, however large the turn was. */
const MOST_BYTES = 8 * 1024 * 1024;

/** Finds out whether the disk would take a turn. */
export interface RoomProbe {
  /** Notes a turn that was refused: from now on a probe writes as much as that turn would have. */
  refused(turn: TurnRows): void;
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
    refused(turn) {
      trustedUntil = 0;
      bytes = Math.min(MOST_BYTES, Math.max(USUAL_BYTES, Buffer.byteLength(JSON.stringify(turn))));
    },
    write() {
      if (performance.now() < trustedUntil) return;
      write.run(bytes);
      bytes = USUAL_BYTES;
      trustedUntil = performance.now() + TRUSTED_MS;
    },
  };
}
