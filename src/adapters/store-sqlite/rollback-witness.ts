/**
 * The witness: a few bytes outside the database that say how far it had come. A database older than its witness was
 * rolled back (a dataset snapshot, a restored copy), and what its effects did since is unknown.
 *
 * It is written after each commit and never synced: after a power cut it may be older than the database, which says
 * nothing, but never newer. Put it on another dataset than the database: a rollback of both goes unnoticed.
 */
import { closeSync, constants, openSync, readFileSync, writeSync } from "node:fs";
import { z } from "zod";

const witness = z.object({ incarnation: z.string(), epoch: z.int(), seq: z.int(), journalWrites: z.int() });

/** Which database, its writer's epoch, its last log number, its writes of journals. */
export type WitnessRecord = z.infer<typeof witness>;

export interface RollbackWitness {
  /** Its record when it was opened; null when there was none or it can't be read. */
  readonly found: WitnessRecord | null;
  write(record: WitnessRecord): void;
  close(): void;
}

/** One length for every record, so that no write leaves the tail of a longer one. */
const LINE_BYTES = 128;

/** Opens a witness file, creating it when absent. */
export function openRollbackWitness(path: string): RollbackWitness {
  const found = readWitness(path);
  const file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
  const line = Buffer.alloc(LINE_BYTES, "\n");
  return {
    found,
    write(record) {
      try {
        line.fill(" ", line.write(JSON.stringify(record), "latin1"), LINE_BYTES - 1);
        writeSync(file, line, 0, LINE_BYTES, 0);
      } catch {
        // The commit it follows stands; a witness that is behind says nothing, which is allowed.
      }
    },
    close() {
      closeSync(file);
    },
  };
}

function readWitness(path: string): WitnessRecord | null {
  try {
    return witness.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch {
    return null;
  }
}
