/**
 * Reads a journal back: what entered the isolate, what it called, and what is still open. Pure.
 *
 * Invariant: a journal is read as a whole or refused; whatever follows the last row that was committed, a changed byte, a
 * row that is missing, doubled or from elsewhere is damage.
 */
import { runAtOnce } from "../in-slices.ts";
import { JOURNAL_LIMITS } from "../limits.ts";
import { BodyReader } from "./bodies.ts";
import type { CallClass } from "./call-class.ts";
import {
  type CallNote,
  type JournalRecord,
  type JournalStep,
  parseStep,
  type RecordOf,
  type SettledContent,
} from "./record.ts";
import type { RecorderPlace } from "./recorder.ts";
import { digestRow, type JournalRow, type StoredJournal } from "./row.ts";

/** The earlier lives of a run. */
export interface History {
  readonly start: RecordOf<"start">;
  /** In the order of delivery; only the last may not have ended. */
  readonly deliveries: readonly RecordedDelivery[];
  /** Outcomes that were kept and not delivered, in the order they were recorded. */
  readonly undelivered: readonly RecordedOutcome[];
  /** Calls without an outcome that nobody has stopped, in the order of calling. */
  readonly open: readonly OpenCall[];
  /** Of the last row: its time, running time and quotas used. */
  readonly last: Omit<JournalStep, "records">;
  /** Why nothing was kept any more; null where all was. */
  readonly givenUp: string | null;
  /** Time of the last delivery, ms since 1970. */
  readonly now: number;
  readonly place: RecorderPlace;
}

export interface RecordedOutcome {
  readonly id: number;
  readonly content: SettledContent;
  readonly body?: Uint8Array;
}

/** One delivery and what the script did in it; the start has id 0 and no content. */
export interface RecordedDelivery extends RecordedOutcome {
  readonly now: number;
  readonly answers: readonly RecordedAnswer[];
  /** null: the delivery had not ended. */
  readonly end: RecordOf<"turn"> | null;
}

export interface RecordedAnswer {
  readonly hash: string | null;
  readonly line: string;
  readonly body?: { readonly encoding: "latin1" | "utf8"; readonly bytes: Uint8Array };
}

/** A call whose outcome is not known. */
export interface OpenCall {
  readonly id: number;
  readonly class: CallClass;
  /** Of a timer. */
  readonly due?: number;
  /** It left, and where it went. */
  readonly left?: RecordOf<"left">;
  /** The decision of a person about it since. */
  readonly choice?: RecordOf<"choice">["choice"];
  /** The checkpoint a person was asked about. */
  readonly asked?: string;
}

/** Reads a journal; `damage` says in words what is wrong with it. A run that has not begun has no rows. */
export function readHistory(stored: StoredJournal): History | { readonly damage: string } {
  return runAtOnce(readHistoryInSteps(stored));
}

/** `readHistory` in steps of a row each: a journal may be large. */
export function* readHistoryInSteps(stored: StoredJournal): Generator<void, History | { readonly damage: string }> {
  const reading = new Reading();
  let head = "";
  for (const [at, row] of stored.rows.entries()) {
    const step = parseStep(row.text);
    if (row.seq !== at || digestRow(head, row) !== row.digest || step === null || !reading.bodies.take(row)) {
      return { damage: `row ${at} is not what was written` };
    }
    head = row.digest;
    for (const record of step.records) {
      const damage = reading.take(record, row);
      if (damage !== null) return { damage: `row ${at}: ${damage}` };
    }
    reading.last = step;
    reading.bytes += row.text.length + row.bytes.byteLength;
    for (const { bytes } of row.bodies) reading.bytes += bytes.byteLength;
    yield;
  }
  if (head !== stored.head) return { damage: `its end is missing: ${stored.rows.length} rows are left` };
  return reading.history(stored.rows.length, head) ?? { damage: "it has no beginning" };
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** A history in the making. */
class Reading {
  readonly bodies = new BodyReader();
  bytes = 0;
  givenUp: string | null = null;
  last: JournalStep | null = null;
  #start: RecordOf<"start"> | null = null;
  readonly #deliveries: (Mutable<RecordedDelivery> & { answers: RecordedAnswer[] })[] = [];
  readonly #undelivered: RecordedOutcome[] = [];
  readonly #open = new Map<number, Mutable<OpenCall>>();
  /** Stopped while they were open: what happens to one before its stop has come through is kept all the same. */
  readonly #stopped = new Set<number>();
  #calls = 0;
  #hasEnded = false;

  /** Takes the next record; says what is wrong where it can't stand here. */
  take(record: JournalRecord, row: JournalRow): string | null {
    if (record.is === "start") {
      if (this.#start !== null) return "it begins twice";
      this.#start = record;
      return null;
    }
    if (this.#start === null) return "it has no beginning";
    switch (record.is) {
      case "givenUp":
        this.givenUp = record.reason;
        return null;
      case "outcome":
        return this.#settle(record, row);
      case "delivery":
        return this.#deliver(record);
      case "answer":
        return this.#answer(record, row);
      case "turn":
        return this.#end(record);
      case "wentOn":
        return null;
      case "left":
      case "choice":
      case "asked":
      case "due":
        return this.#note(record);
    }
  }

  history(rows: number, head: string): History | null {
    if (this.#start === null || this.last === null || this.#deliveries.length === 0) return null;
    return {
      start: this.#start,
      deliveries: this.#deliveries,
      undelivered: this.#undelivered,
      open: [...this.#open.values()],
      last: this.last,
      givenUp: this.givenUp,
      now: this.#deliveries.at(-1)?.now ?? 0,
      place: { rows, head, calls: this.#calls, bytes: this.bytes, bodies: this.bodies.known },
    };
  }

  /** The delivery under way. */
  get #delivery() {
    const delivery = this.#deliveries.at(-1);
    return delivery?.end === null ? delivery : undefined;
  }

  #settle({ id, ok, error, body: ref }: RecordOf<"outcome">, row: JournalRow): string | null {
    if (!this.#open.delete(id) && !this.#stopped.delete(id)) return `call ${id} has an outcome and is not open`;
    const body = ref === undefined ? undefined : this.bodies.read(ref, row);
    if (body === null) return `the body of call ${id} is missing`;
    const content = error === undefined ? { ok: ok ?? null } : { error };
    this.#undelivered.push({ id, content, ...(body !== undefined && { body }) });
    return null;
  }

  /** Takes a known outcome: one that rode on a turn is known before its call is answered, another may come first. */
  #takeOutcome(id: number): RecordedOutcome | undefined {
    const at = this.#undelivered.findIndex((outcome) => outcome.id === id);
    return at === -1 ? undefined : this.#undelivered.splice(at, 1)[0];
  }

  #deliver({ id, now }: RecordOf<"delivery">): string | null {
    if (this.#delivery !== undefined) return `outcome ${id} was delivered within another`;
    if (this.#hasEnded) return `outcome ${id} was delivered after the script's end`;
    const outcome = this.#deliveries.length === 0 ? { id: 0, content: {} } : this.#takeOutcome(id);
    if (outcome?.id !== id) return `outcome ${id} was delivered and is not known`;
    this.#deliveries.push({ ...outcome, now, answers: [], end: null });
    return null;
  }

  #answer({ hash, line, body: ref, encoding = "latin1" }: RecordOf<"answer">, row: JournalRow): string | null {
    const delivery = this.#delivery;
    if (delivery === undefined) return "a question was answered outside a delivery";
    const text = typeof line === "string" ? line : this.bodies.read(line, row);
    const bytes = ref === undefined ? undefined : this.bodies.read(ref, row);
    if (text === null || bytes === null) return "the answer to a question is missing";
    this.#calls += 1;
    delivery.answers.push({
      hash,
      line: typeof text === "string" ? text : Buffer.from(text).toString(),
      ...(bytes !== undefined && { body: { encoding, bytes } }),
    });
    return this.#limit();
  }

  #end(record: RecordOf<"turn">): string | null {
    const delivery = this.#delivery;
    if (delivery === undefined) return "a delivery ended that had not begun";
    delivery.end = record;
    this.#hasEnded = record.done === true;
    for (const call of record.calls) this.#call(call);
    return this.#limit();
  }

  /** No recorder keeps more, and reading takes with the square of them: a file may be anybody's. */
  #limit(): string | null {
    return this.#calls > JOURNAL_LIMITS.calls ? `more than ${JOURNAL_LIMITS.calls} calls` : null;
  }

  #call({ id, class: kind, due }: CallNote): void {
    if (kind === "stop") {
      if (this.#open.delete(id)) this.#stopped.add(id);
      return;
    }
    this.#calls += 1;
    this.#open.set(id, { id, class: kind, ...(due !== undefined && { due }) });
  }

  #note(record: RecordOf<"left" | "choice" | "asked" | "due">): string | null {
    const open = this.#open.get(record.id);
    if (open === undefined) return this.#stopped.has(record.id) ? null : `call ${record.id} is not open`;
    if (record.is === "left") {
      open.left = record;
      delete open.choice;
    } else if (record.is === "choice") open.choice = record.choice;
    else if (record.is === "due") open.due = record.due;
    else open.asked = record.checkpoint;
    return null;
  }
}
