/**
 * A journal for other eyes: what is secret in it replaced, and what depends on that not compared. Pure.
 *
 * Invariants:
 * 1. Values are replaced alike wherever they stand, so that a script that compares them sees what it saw.
 * 2. A hash is kept only where the script made the same call without the secrets: none is left that one could guess by.
 */
import type { Json, JsonObject } from "../../src/core/json/json.ts";
import { BodyPacker, BodyReader } from "../journal/bodies.ts";
import { hashCall, hashText, writeCanonicalJson } from "../journal/call-class.ts";
import { type BodyRef, type JournalRecord, parseStep, type RecordOf } from "../journal/record.ts";
import { digestRow, type JournalRow, type StoredJournal } from "../journal/row.ts";
import {
  type Concealment,
  concealContext,
  createConcealment,
  type Draw,
  deriveDraw,
  listSecrets,
} from "./concealment.ts";

/** Calls of a run without the secrets: hashes of calls by id, of questions in their order. */
export interface MadeHashes {
  readonly calls: ReadonlyMap<number, string>;
  readonly questions: readonly string[];
}

/** A run's journal and what its script saw of the world. */
export interface KeptRun {
  readonly journal: StoredJournal;
  readonly context: JsonObject;
}

/**
 * A run without the values of its secret inputs, by their names, and of `crypto`. Hashes are kept where they are those of
 * `made`. The journal is one that `readHistory` reads.
 */
export function concealSecrets(
  { journal, context }: KeptRun,
  secretInputs: readonly string[],
  made: MadeHashes = { calls: new Map(), questions: [] },
): KeptRun {
  const draws = listDraws(journal);
  const concealment = createConcealment(listSecrets(context, secretInputs), draws);
  const shown = concealContext(context, secretInputs, concealment);
  const rewriting = new Rewriting({ concealment, draws, made, context: hashText(writeCanonicalJson(shown)) });
  const rows: JournalRow[] = [];
  let head = "";
  for (const row of journal.rows) {
    const rewritten = rewriting.row(row);
    head = digestRow(head, rewritten);
    rows.push({ ...rewritten, digest: head });
  }
  return { journal: { rows, head }, context: shown };
}

/** Every `crypto` value of a run, and what stands for it. */
function listDraws(journal: StoredJournal): readonly Draw[] {
  const draws: Draw[] = [];
  const bodies = new BodyReader();
  let seed = "";
  for (const row of journal.rows) {
    bodies.take(row);
    for (const record of parseStep(row.text)?.records ?? []) {
      if (record.is === "start") seed = record.seed;
      const bytes = record.is === "answer" ? readDraw(record, bodies, row) : null;
      if (bytes !== null) draws.push({ bytes, shown: deriveDraw(seed, draws.length, bytes.byteLength) });
    }
  }
  return draws;
}

/** The random bytes a record answers a question with; null for any other answer. */
function readDraw({ hash, body }: RecordOf<"answer">, bodies: BodyReader, row: JournalRow): Uint8Array | null {
  const isDraw = body !== undefined && hash === hashCall({ op: "random", bytes: body.length });
  return isDraw ? bodies.read(body, row) : null;
}

interface RewritingPorts {
  readonly concealment: Concealment;
  readonly draws: readonly Draw[];
  readonly made: MadeHashes;
  /** Hash of the context as it is shown. */
  readonly context: string;
}

/** The rows of one journal, written anew. */
class Rewriting {
  readonly #ports: RewritingPorts;
  readonly #bodies = new BodyReader();
  readonly #packer = new BodyPacker();
  #draws = 0;
  #questions = 0;

  constructor(ports: RewritingPorts) {
    this.#ports = ports;
  }

  row(row: JournalRow): Omit<JournalRow, "digest"> {
    this.#bodies.take(row);
    const step = parseStep(row.text);
    if (step === null) throw new Error(`row ${row.seq} of the journal is not what was written`);
    const records = step.records.map((record) => this.#record(record, row));
    // what was used up tells lengths
    return { seq: row.seq, text: JSON.stringify({ ...step, used: {}, records }), ...this.#packer.take() };
  }

  #record(record: JournalRecord, row: JournalRow): JournalRecord {
    const { context, concealment, made } = this.#ports;
    switch (record.is) {
      case "start":
        return { ...record, context };
      case "outcome":
        return this.#outcome(record, row);
      case "answer":
        return this.#answer(record, row);
      case "turn": {
        const calls = record.calls.map((call) => ({
          ...call,
          hash: made.calls.get(call.id) === call.hash ? call.hash : null,
        }));
        return { ...record, calls };
      }
      case "left":
        return { ...record, url: concealment.text(record.url) };
      case "asked":
        return { ...record, checkpoint: concealment.text(record.checkpoint) };
      case "delivery":
      case "due":
      case "wentOn":
      case "givenUp":
      case "choice":
        return record;
    }
  }

  #outcome({ ok, error, body, ...record }: RecordOf<"outcome">, row: JournalRow): RecordOf<"outcome"> {
    const { text, json } = this.#ports.concealment;
    const path = error?.path;
    return {
      ...record,
      ...(ok !== undefined && { ok: json(ok) }),
      ...(error && {
        error: { ...error, message: text(error.message), ...(path !== undefined && { path: text(path) }) },
      }),
      ...(body && { body: this.#body(body, row) }),
    };
  }

  #answer(record: RecordOf<"answer">, row: JournalRow): RecordOf<"answer"> {
    const { made, draws } = this.#ports;
    const hash = made.questions[this.#questions] === record.hash ? record.hash : null;
    this.#questions += 1;
    if (readDraw(record, this.#bodies, row) === null) {
      const { line, body } = record;
      return { ...record, hash, line: this.#line(line, row), ...(body && { body: this.#body(body, row) }) };
    }
    const draw = draws[this.#draws];
    this.#draws += 1;
    return { ...record, hash, ...(draw && { body: this.#packer.put(draw.shown).ref }) };
  }

  /** The line of an answer is JSON text. */
  #line(line: RecordOf<"answer">["line"], row: JournalRow): RecordOf<"answer">["line"] {
    const text = typeof line === "string" ? line : Buffer.from(this.#read(line, row)).toString();
    const answered: Json = JSON.parse(text);
    const shown = JSON.stringify(this.#ports.concealment.json(answered));
    return typeof line === "string" ? shown : this.#packer.put(Buffer.from(shown)).ref;
  }

  #body(ref: BodyRef, row: JournalRow): BodyRef {
    return this.#packer.put(this.#ports.concealment.bytes(this.#read(ref, row))).ref;
  }

  #read(ref: BodyRef, row: JournalRow): Uint8Array {
    const bytes = this.#bodies.read(ref, row);
    if (bytes === null) throw new Error(`a body of row ${row.seq} is missing in the journal`);
    return bytes;
  }
}
