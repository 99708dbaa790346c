/** What running hooks keep to go on where they were; its writes belong into a transaction of the caller. */
import type Database from "better-sqlite3";
import type { JournalBody, StoredJournal } from "../../../../sandbox/journal/row.ts";
import { EngineError } from "../../../core/codes/problems.ts";
import type { JournalWrite, Store } from "../../../engine/ports/store.ts";
import { ROWS_OF_A_JOURNAL } from "../schema.ts";

/** The journals in the database, as the port has them. */
export interface Journals {
  /** Throws `STORE_FENCED`. */
  write(entry: JournalWrite): void;
  read(effectId: string): StoredJournal;
  drop(effectId: string): void;
  takeGrown(): ReadonlySet<string>;
}

interface JournalRecord {
  readonly id: number;
  readonly rows: number;
  readonly head: string;
}

interface RowRecord {
  readonly seq: number;
  readonly digest: string;
  readonly text: string;
  /** JSON: the hashes of the row's bodies, in order. */
  readonly bodies: string;
  readonly bytes: Uint8Array;
}

/** Prepares every statement once; `appendLines` writes log lines, `dropped` is called for each journal that goes. */
export function prepareJournals(
  db: Database.Database,
  appendLines: Store["appendHookLog"],
  dropped: () => void,
): Journals {
  const ofEffect = db.prepare<[string], JournalRecord>("SELECT id, rows, head FROM journals WHERE effect = ?");
  const isOpen = db.prepare<[string]>("SELECT 1 FROM effects WHERE id = ? AND state = 'intent'").pluck();
  const begin = db.prepare<[string, string], JournalRecord>(
    "INSERT INTO journals (effect, task, rows, head, recovered) VALUES (?, ?, 0, '', 0) RETURNING id, rows, head",
  );
  const insertRow = db.prepare<[RowRecord & { readonly id: number }]>(
    `INSERT INTO journal_rows (n, digest, text, bodies, bytes)
      VALUES (:id * ${ROWS_OF_A_JOURNAL} + :seq, :digest, :text, :bodies, :bytes)`,
  );
  const keepBody = db.prepare<[number, string, Uint8Array]>(
    "INSERT OR IGNORE INTO journal_bodies (journal, sha256, bytes) VALUES (?, ?, ?)",
  );
  const advance = db.prepare<[string, number]>("UPDATE journals SET rows = rows + 1, head = ? WHERE id = ?");
  const ofJournal = `n BETWEEN :id * ${ROWS_OF_A_JOURNAL} AND :id * ${ROWS_OF_A_JOURNAL} + ${ROWS_OF_A_JOURNAL - 1}`;
  const rowsOf = db.prepare<[{ readonly id: number }], RowRecord>(
    `SELECT n % ${ROWS_OF_A_JOURNAL} AS seq, digest, text, bodies, bytes FROM journal_rows WHERE ${ofJournal} ORDER BY n`,
  );
  const bodiesOf = db.prepare<[number], JournalBody>("SELECT sha256, bytes FROM journal_bodies WHERE journal = ?");
  const deletions = [
    `DELETE FROM journal_rows WHERE ${ofJournal}`,
    "DELETE FROM journal_bodies WHERE journal = :id",
    "DELETE FROM journals WHERE id = :id",
  ].map((sql) => db.prepare<[{ readonly id: number }]>(sql));
  const takeGrown = db
    .prepare<[], string>("UPDATE journals SET recovered = rows WHERE rows > recovered RETURNING task")
    .pluck();

  return {
    write({ effectId, taskId, at, row, lines }) {
      appendLines(taskId, at, lines);
      if (isOpen.get(effectId) === undefined) return;
      const journal = ofEffect.get(effectId) ?? begin.get(effectId, taskId);
      if (journal?.rows !== row.seq) {
        throw new EngineError("STORE_FENCED", `journal of effect "${effectId}" does not go on with row ${row.seq}`);
      }
      const { seq, digest, text, bytes } = row;
      const bodies = JSON.stringify(row.bodies.map(({ sha256 }) => sha256));
      insertRow.run({ id: journal.id, seq, digest, text, bodies, bytes });
      for (const body of row.bodies) keepBody.run(journal.id, body.sha256, body.bytes);
      advance.run(digest, journal.id);
    },
    read(effectId) {
      const journal = ofEffect.get(effectId);
      if (journal === undefined) return { rows: [], head: "" };
      const known = new Map(bodiesOf.all(journal.id).map((body) => [body.sha256, body]));
      const rows = rowsOf.all({ id: journal.id }).map(({ seq, digest, text, bodies, bytes }) => {
        const hashes: readonly string[] = JSON.parse(bodies);
        // a body that is lost shows by the row's digest
        return { seq, digest, text, bytes, bodies: hashes.flatMap((sha256) => known.get(sha256) ?? []) };
      });
      return { rows, head: journal.head };
    },
    drop(effectId) {
      const journal = ofEffect.get(effectId);
      if (journal === undefined) return;
      for (const deletion of deletions) deletion.run({ id: journal.id });
      dropped();
    },
    takeGrown: () => new Set(takeGrown.all()),
  };
}
