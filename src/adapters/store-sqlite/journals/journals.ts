/** Journals by which running hooks go on where they were; every write belongs into a transaction of the caller. */
import type { KeyObject } from "node:crypto";
import type Database from "better-sqlite3";
import type { JournalBody, JournalRow, StoredJournal } from "../../../../sandbox/journal/row.ts";
import { EngineError } from "../../../core/codes/problems.ts";
import type { Store } from "../../../engine/ports/store.ts";
import type { JournalWrite } from "../../../engine/ports/turn-rows.ts";
import { prepareInsert } from "../insert.ts";
import { ROWS_OF_A_JOURNAL } from "../schema.ts";
import { prepareJournalKeys } from "./journal-keys.ts";
import { applyKey } from "./seal.ts";

/** The journals in the database, as the port has them. */
export interface Journals {
  /** Throws `STORE_FENCED`. */
  write(entry: JournalWrite): void;
  read(effectId: string, from: number): StoredJournal;
  drop(effectId: string): void;
  /** `lastAlive`: the last sign of the life before this one, UTC ms. */
  takeGrown(lastAlive: number | null): ReadonlySet<string>;
  aliveAt(effectId: string): number | null;
  /** The caller's transaction was taken back. */
  takenBack(): void;
}

interface JournalRecord {
  readonly id: number;
  readonly rows: number;
  readonly head: string;
}

interface OfEffect {
  readonly effect: string;
}

interface RowRecord {
  readonly seq: number;
  readonly digest: string;
  /** JSON: the hashes of the row's bodies, in order. */
  readonly bodies: string;
  /** How long the text is in `sealed`. */
  readonly text_bytes: number;
  /** The row's text in UTF-8 and its bytes behind it, encrypted. */
  readonly sealed: Uint8Array;
}

interface BodyRecord {
  readonly sha256: string;
  readonly sealed: Uint8Array;
}

/** What is read at once, in bytes of rows and bodies: the thread has other work in between. */
const PART_BYTES = 1024 * 1024;

/** Prepares every statement once; `appendLines` writes log lines, `dropped` is called for each journal that goes. */
export function prepareJournals(
  db: Database.Database,
  appendLines: Store["appendHookLog"],
  dropped: () => void,
): Journals {
  const ofEffect = db.prepare<[OfEffect], JournalRecord>("SELECT id, rows, head FROM journals WHERE effect = :effect");
  const isOpen = db.prepare<[OfEffect]>("SELECT 1 FROM effects WHERE id = :effect AND state = 'intent'").pluck();
  const keys = prepareJournalKeys(db);
  const begin = db.prepare<[OfEffect & { readonly id: number; readonly task: string }], JournalRecord>(
    `INSERT INTO journals (id, effect, task, rows, head, recovered)
      VALUES (:id, :effect, :task, 0, '', 0) RETURNING id, rows, head`,
  );
  const insertRow = db.prepare<[RowRecord & { readonly id: number }]>(
    `INSERT INTO journal_rows (n, digest, bodies, text_bytes, sealed)
      VALUES (:id * ${ROWS_OF_A_JOURNAL} + :seq, :digest, :bodies, :text_bytes, :sealed)`,
  );
  const keepBody = prepareInsert<BodyRecord & { journal: number }>(db, "INSERT OR IGNORE INTO journal_bodies");
  const advance = db.prepare<[{ readonly id: number; readonly head: string }]>(
    "UPDATE journals SET rows = rows + 1, head = :head WHERE id = :id",
  );
  const toLast = `:id * ${ROWS_OF_A_JOURNAL} + ${ROWS_OF_A_JOURNAL - 1}`;
  const rowsFrom = db.prepare<[{ readonly id: number; readonly from: number }], RowRecord>(
    `SELECT n % ${ROWS_OF_A_JOURNAL} AS seq, digest, bodies, text_bytes, sealed FROM journal_rows
      WHERE n BETWEEN :id * ${ROWS_OF_A_JOURNAL} + :from AND ${toLast} ORDER BY n`,
  );
  const bodyOf = db
    .prepare<[{ readonly id: number; readonly sha256: string }], Uint8Array>(
      "SELECT sealed FROM journal_bodies WHERE journal = :id AND sha256 = :sha256",
    )
    .pluck();
  const deletions = [
    `DELETE FROM journal_rows WHERE n BETWEEN :id * ${ROWS_OF_A_JOURNAL} AND ${toLast}`,
    "DELETE FROM journal_bodies WHERE journal = :id",
    "DELETE FROM journals WHERE id = :id",
  ].map((sql) => db.prepare<[{ readonly id: number }]>(sql));
  const takeGrown = db
    .prepare<[{ readonly aliveAt: number | null }], string>(
      "UPDATE journals SET recovered = rows, alive_at = :aliveAt WHERE rows > recovered RETURNING task",
    )
    .pluck();
  const aliveAt = db
    .prepare<[OfEffect], number | null>("SELECT alive_at FROM journals WHERE effect = :effect AND rows = recovered")
    .pluck();

  return {
    write({ effectId, taskId, at, row, lines }) {
      appendLines(taskId, at, lines);
      if (isOpen.get({ effect: effectId }) === undefined) return;
      const journal =
        ofEffect.get({ effect: effectId }) ?? begin.get({ id: keys.create(), effect: effectId, task: taskId });
      if (journal?.rows !== row.seq) {
        throw new EngineError("STORE_FENCED", `journal of effect "${effectId}" does not go on with row ${row.seq}`);
      }
      const { id } = journal;
      const key = keys.read(id);
      insertRow.run({ id, ...sealRow(key, row) });
      for (const { sha256, bytes } of row.bodies) {
        keepBody.run({ journal: id, sha256, sealed: applyKey(key, `body ${sha256}`, bytes) });
      }
      advance.run({ id, head: row.digest });
    },
    read(effectId, from) {
      const journal = ofEffect.get({ effect: effectId });
      if (journal === undefined) return { rows: [], head: "" };
      const { id, head } = journal;
      const key = keys.read(id);
      const rows: JournalRow[] = [];
      let bytes = 0;
      for (const record of rowsFrom.iterate({ id, from })) {
        const row = openRow(key, record, (sha256) => bodyOf.get({ id, sha256 }));
        rows.push(row);
        bytes += record.sealed.length;
        for (const body of row.bodies) bytes += body.bytes.byteLength;
        if (bytes > PART_BYTES) break;
      }
      return { rows, head };
    },
    drop(effectId) {
      const journal = ofEffect.get({ effect: effectId });
      if (journal === undefined) return;
      for (const deletion of deletions) deletion.run({ id: journal.id });
      keys.destroy(journal.id);
      dropped();
    },
    takeGrown: (lastAlive) => new Set(takeGrown.all({ aliveAt: lastAlive })),
    aliveAt: (effectId) => aliveAt.get({ effect: effectId }) ?? null,
    takenBack: () => keys.forget(),
  };
}

function sealRow(key: KeyObject, { seq, digest, text, bytes, bodies }: JournalRow): RowRecord {
  const encoded = Buffer.from(text);
  return {
    seq,
    digest,
    bodies: JSON.stringify(bodies.map(({ sha256 }) => sha256)),
    text_bytes: encoded.length,
    sealed: applyKey(key, `row ${seq}`, Buffer.concat([encoded, bytes])),
  };
}

function openRow(key: KeyObject, record: RowRecord, find: (sha256: string) => Uint8Array | undefined): JournalRow {
  const { seq, digest, bodies, text_bytes, sealed } = record;
  const opened = applyKey(key, `row ${seq}`, sealed);
  const hashes: readonly string[] = JSON.parse(bodies);
  return {
    seq,
    digest,
    text: opened.toString("utf8", 0, text_bytes),
    bytes: opened.subarray(text_bytes),
    // a body that is lost shows by the row's digest
    bodies: hashes.flatMap((sha256): JournalBody[] => {
      const body = find(sha256);
      return body === undefined ? [] : [{ sha256, bytes: applyKey(key, `body ${sha256}`, body) }];
    }),
  };
}
