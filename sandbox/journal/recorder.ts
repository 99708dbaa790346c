/**
 * Keeps what a run is told and what it calls, in the order it came about.
 *
 * Invariants:
 * 1. Rows are written one after the other; a row is written with everything that was recorded before it.
 * 2. While a row rides on a turn of the task, nothing else of the run is written.
 * 3. What is recorded is on disk 25 ms later at the latest.
 * 4. Past a limit the journal is given up and nothing fails: the run goes on without one. Not where only persons are
 *    waited for, nor before a replay: there the run has nothing else to go on from.
 */
import type { Json } from "../../src/core/json/json.ts";
import type { JournalAboard, JournalEntry, JournalRide, RunJournal } from "../contract.ts";
import { JOURNAL_LIMITS } from "../limits.ts";
import { BodyPacker } from "./bodies.ts";
import type { BodyRef, CallNote, JournalRecord, JournalStep, SettledContent } from "./record.ts";
import { digestRow, type JournalRow } from "./row.ts";

/** Ms a record may wait for others to be written with. */
const SOON_MS = 25;

/** The part of a row beside its records. */
export type StepHead = Omit<JournalStep, "records">;

export interface RecorderPorts {
  readonly journal: RunJournal;
  /** Time, running time and quotas used as they are now. */
  head(): StepHead;
  /** Tells log lines the way a run without a journal does. */
  log(lines: readonly string[]): void;
  /** An entry will never be on disk: the run can't be kept. */
  failed(error: unknown): void;
}

/** Where a journal stands: what a recorder goes on from. */
export interface RecorderPlace {
  readonly rows: number;
  readonly head: string;
  readonly calls: number;
  readonly bytes: number;
  readonly bodies: Iterable<string>;
}

/** The journal of one run, as it is written. */
export class Recorder {
  readonly #ports: RecorderPorts;
  readonly #packer: BodyPacker;
  #rows: number;
  #head: string;
  #calls: number;
  #bytes: number;
  #records: JournalRecord[] = [];
  /** Records so far, and how many of them are on disk. */
  #recorded = 0;
  #held = 0;
  #lines: string[] = [];
  /** Lines of the present delivery: they count once it has ended. */
  #deliveryLines: string[] = [];
  #written: Promise<void> = Promise.resolve();
  #flushing: Promise<void> | null = null;
  #riding: Promise<void> | null = null;
  #writing = 0;
  #soon: NodeJS.Timeout | undefined;
  readonly #rode = new Set<number>();
  #givenUp = false;
  #closed = false;
  #givingUp: Promise<void> = Promise.resolve();

  constructor(ports: RecorderPorts, place: RecorderPlace = BEGINNING) {
    this.#ports = ports;
    this.#packer = new BodyPacker(place.bodies);
    this.#rows = place.rows;
    this.#head = place.head;
    this.#calls = place.calls;
    this.#bytes = place.bytes;
  }

  /** How many records there are so far, for `holds`. */
  get recorded(): number {
    return this.#recorded;
  }

  /** How many rows were cut so far, on disk or on their way there. */
  get rows(): number {
    return this.#rows;
  }

  /** Nothing is kept any more: a limit was passed. */
  get isGivenUp(): boolean {
    return this.#givenUp;
  }

  /** Keeps what has neither a body nor lines. */
  add(record: Exclude<JournalRecord, { is: "outcome" | "answer" | "turn" }>): void {
    this.#add(record);
  }

  /** Keeps it with what comes about next: a life that gets no further leaves no trace of progress. */
  addLater(record: Exclude<JournalRecord, { is: "outcome" | "answer" | "turn" }>): void {
    if (this.#givenUp) return;
    this.#records.push(record);
    this.#recorded += 1;
  }

  /**
   * Keeps the outcome of a call, unless it rode on a turn; one with a body past the limit ends the journal. Answers the
   * outcome's mark: how many records `holds` it.
   */
  outcome(id: number, { ok = null, error }: SettledContent, body?: Uint8Array): number {
    if (this.#givenUp || this.#rode.delete(id)) return 0;
    if ((body?.byteLength ?? 0) > JOURNAL_LIMITS.outcomeBytes) {
      this.#giveUp("an outcome is larger than 8 MB");
      return 0;
    }
    const settled = error === undefined ? { ok } : { error };
    this.#add({ is: "outcome", id, ...settled, ...(body && { body: this.#keep(body) }) });
    const mark = this.#recorded;
    if (body !== undefined) this.#limit();
    return mark;
  }

  /** So many records are on disk, or nothing is kept any more. */
  holds(mark: number): boolean {
    return this.#givenUp || this.#held >= mark;
  }

  /** Keeps the answer to a question of the present delivery. */
  answer(
    hash: string,
    line: string,
    body?: { readonly encoding: "latin1" | "utf8"; readonly bytes: Uint8Array },
  ): void {
    if (this.#givenUp) return;
    this.#calls += 1;
    this.#add({
      is: "answer",
      hash,
      line: line.length > JOURNAL_LIMITS.inlineBytes ? this.#keep(Buffer.from(line)) : line,
      ...(body !== undefined && { body: this.#keep(body.bytes), encoding: body.encoding }),
    });
    this.#limit();
  }

  /** Keeps a log line of the present delivery. */
  line(text: string): void {
    if (this.#givenUp) this.#ports.log([text]);
    else this.#deliveryLines.push(text);
  }

  /** Keeps the end of the present delivery; `done`: of the script too. Takes no more `calls` than may be kept. */
  endDelivery(calls: Iterable<CallNote>, done: boolean): void {
    if (this.#givenUp) return;
    const noted: CallNote[] = [];
    for (const call of calls) {
      if (call.class !== "stop") this.#calls += 1;
      this.#limit();
      if (this.#givenUp) return;
      noted.push(call);
    }
    const lines = this.#deliveryLines.length;
    this.#takeDeliveryLines();
    this.#add({ is: "turn", calls: noted, lines, ...(done && { done: true }) });
    this.#limit();
  }

  /** Resolves once everything recorded so far is on disk; rejects where it never will be. */
  flush(): Promise<void> {
    // in one row with what else comes about in this stretch
    this.#flushing ??= allowRejection(
      Promise.resolve().then(async () => {
        while (this.#riding !== null) await this.#riding;
        this.#flushing = null;
        if (this.#records.length > 0) this.#write(this.#cut());
        return this.#written;
      }),
    );
    return this.#flushing;
  }

  /**
   * The end of the run in this process. `keep`: it is gone on with later, and everything is kept but the lines of a delivery
   * that did not end, which writes them again; else its last lines are, also those of such a delivery, and what is not on
   * disk goes along with what is told after it.
   */
  async close(keep: boolean): Promise<void> {
    if (!keep) this.#takeDeliveryLines();
    while (this.#riding !== null) await this.#riding;
    if (this.#givenUp) await this.#givingUp;
    else if ((keep && !this.#isEmpty) || this.#lines.length > 0) this.#write(this.#cut());
    clearTimeout(this.#soon);
    this.#closed = !this.#givenUp;
    this.#givenUp = true;
    await this.#written.catch(() => undefined);
  }

  /** How a call takes the journal along into the turns it causes; `record` says what came of the call by the last. */
  ride(record: (answer: Json) => JournalRecord): JournalRide {
    return { take: (answer) => this.#take(record(answer)), ahead: () => this.#take(null) };
  }

  async #take(last: JournalRecord | null): Promise<JournalAboard | null> {
    while (this.#riding !== null || this.#writing > 0) await (this.#riding ?? this.#written.catch(() => undefined));
    if (this.#givenUp && !this.#closed) return null;
    if (this.#records.length === 0 && (last === null || this.#closed)) return null;
    const before = this.#head;
    const records = [...this.#records];
    if (last !== null) this.#add(last);
    const entry = this.#cut();
    const mark = this.#recorded;
    const settled = Promise.withResolvers<void>();
    this.#riding = settled.promise;
    return {
      entry,
      settle: (committed) => {
        if (this.#riding !== settled.promise) return;
        this.#riding = null;
        if (committed && last?.is === "outcome") this.#rode.add(last.id);
        if (committed) this.#held = mark;
        else this.#write(this.#seal(before, { ...entry.row, text: this.#textOf(records) }, entry.lines), mark);
        settled.resolve();
      },
    };
  }

  #add(record: JournalRecord): void {
    if (this.#givenUp) return;
    this.#records.push(record);
    this.#recorded += 1;
    this.#soon ??= setTimeout(() => void this.flush(), SOON_MS);
  }

  #limit(): void {
    if (this.#calls > JOURNAL_LIMITS.calls) this.#giveUp(`more than ${JOURNAL_LIMITS.calls} calls`);
    else if (this.#bytes > JOURNAL_LIMITS.bytes)
      this.#giveUp(`a journal of more than ${JOURNAL_LIMITS.bytes >> 20} MB`);
  }

  #keep(bytes: Uint8Array): BodyRef {
    const { ref, added } = this.#packer.put(bytes);
    this.#bytes += added;
    return ref;
  }

  #takeDeliveryLines(): void {
    this.#lines.push(...this.#deliveryLines);
    this.#deliveryLines = [];
  }

  /** Makes a row of what was recorded since the last one. */
  #cut(): JournalEntry {
    clearTimeout(this.#soon);
    this.#soon = undefined;
    const text = this.#textOf(this.#records);
    this.#bytes += text.length;
    this.#records = [];
    const lines = this.#lines;
    this.#lines = [];
    this.#rows += 1;
    return this.#seal(this.#head, { seq: this.#rows - 1, text, ...this.#packer.take() }, lines);
  }

  #textOf(records: readonly JournalRecord[]): string {
    const step: JournalStep = { ...this.#ports.head(), records: [...records] };
    return JSON.stringify(step);
  }

  #seal(before: string, row: Omit<JournalRow, "digest">, lines: readonly string[]): JournalEntry {
    this.#head = digestRow(before, row);
    return { row: { ...row, digest: this.#head }, lines };
  }

  /** `mark`: so many records are on disk with it. */
  #write(entry: JournalEntry, mark = this.#recorded): void {
    this.#writing += 1;
    this.#written = this.#ports.journal
      .write(entry)
      .then(() => {
        this.#held = Math.max(this.#held, mark);
      })
      .finally(() => {
        this.#writing -= 1;
      });
    this.#written.catch(this.#ports.failed);
  }

  #giveUp(reason: string): void {
    this.#givenUp = true;
    this.#takeDeliveryLines();
    // a later life must not take what was kept for all that came about
    this.#records = [{ is: "givenUp", reason }];
    // what is on its way is written first: nothing may follow a row that is gone
    this.#givingUp = (async () => {
      while (this.#riding !== null) await this.#riding;
      this.#write(this.#cut());
      await this.#written.catch(() => undefined);
      this.#ports.journal.giveUp(reason);
    })().catch(() => undefined); // where it can't be dropped, its last row has a later life do so
  }

  /** The run has not begun. */
  get #isEmpty(): boolean {
    return this.#rows === 0 && this.#records.length === 0;
  }
}

/** A promise that may reject with nobody waiting for it: whoever does hears of it. */
function allowRejection<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

const BEGINNING: RecorderPlace = { rows: 0, head: "", calls: 0, bytes: 0, bodies: [] };
