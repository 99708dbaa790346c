/**
 * A journal as it is kept: rows in order, each the durable step of one run.
 *
 * Invariants:
 * 1. Rows are numbered 0, 1, 2, ... without a gap, and each row's digest covers the digest of the row before it.
 * 2. A row is on disk as a whole or not at all; one that is there is never changed.
 */
import { hash } from "node:crypto";

/** One step of a run's journal: what one commit writes. */
export interface JournalRow {
  readonly seq: number;
  /** JSON text of a `JournalStep` (record.ts). */
  readonly text: string;
  /** Bodies the text's records name by their place here. */
  readonly bytes: Uint8Array;
  /** Larger bodies the text's records name by their SHA-256 in hex, each once for a run. */
  readonly bodies: readonly JournalBody[];
  /** SHA-256 of the previous row's digest and everything of this row but the digest, hex. */
  readonly digest: string;
}

/** A body kept once for a run, however often it was answered. */
export interface JournalBody {
  /** Hex. */
  readonly sha256: string;
  readonly bytes: Uint8Array;
}

/** Everything that was kept of a run, and the digest its store says it ends with. */
export interface StoredJournal {
  readonly rows: readonly JournalRow[];
  /** Of the last row ever written: rows that are missing at the end are noticed by it. */
  readonly head: string;
}

/** The digest of a row that follows one with the digest `before`; `""` before the first. */
export function digestRow(before: string, row: Omit<JournalRow, "digest">): string {
  const said = JSON.stringify([before, row.seq, row.text, row.bodies.map(({ sha256 }) => sha256)]);
  return hash("sha256", Buffer.concat([Buffer.from(said), row.bytes]));
}

/** A journal of these rows as if they had been written one after the other: numbered, chained, with its head. */
export function sealRows(rows: readonly Omit<JournalRow, "seq" | "digest">[]): StoredJournal {
  let head = "";
  const sealed = rows.map((row, seq) => {
    head = digestRow(head, { ...row, seq });
    return { ...row, seq, digest: head };
  });
  return { rows: sealed, head };
}
