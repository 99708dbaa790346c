/** What a run is told and calls becomes rows: one a flush, within limits, and exactly once where it rides on a turn. */
import { beforeEach, describe, expect, test } from "vitest";
import type { JournalEntry } from "../../../sandbox/contract.ts";
import { readHistory } from "../../../sandbox/journal/history.ts";
import { MemoryJournal } from "../../../sandbox/journal/memory-journal.ts";
import { parseStep } from "../../../sandbox/journal/record.ts";
import { Recorder } from "../../../sandbox/journal/recorder.ts";
import { JOURNAL_LIMITS } from "../../../sandbox/limits.ts";

let journal: MemoryJournal;
let lines: string[];
let failures: unknown[];
let recorder: Recorder;

function open(kept: MemoryJournal): Recorder {
  journal = kept;
  return new Recorder({
    journal,
    head: () => ({ at: 1, ranMs: 2, running: true, used: {} }),
    log: (told) => lines.push(...told),
    failed: (error) => failures.push(error),
  });
}

beforeEach(() => {
  lines = [];
  failures = [];
  recorder = open(new MemoryJournal({ log: (line) => lines.push(line) }));
});

const start = {
  is: "start",
  format: 1,
  entrypoint: "run",
  seed: "seed",
  context: null,
  made: { script: "", guest: "", node: "24" },
} as const;
const note = (id: number) => ({ id, class: "read", hash: null }) as const;

/** Kinds of the records, by row. */
const kinds = () => journal.read().rows.map(({ text }) => parseStep(text)?.records.map(({ is }) => is));

/** Records the start and a turn with calls. */
function begin(...ids: readonly number[]): void {
  recorder.add(start);
  recorder.add({ is: "delivery", id: 0, now: 1 });
  recorder.endDelivery(ids.map(note), false);
}

describe("rows", () => {
  test("all of one stretch stand in one row, however often it is flushed", async () => {
    begin(1);
    const flushed = [recorder.flush(), recorder.flush()];
    recorder.outcome(1, { ok: null });
    await Promise.all(flushed);
    expect(kinds()).toEqual([["start", "delivery", "turn", "outcome"]]);
    await recorder.flush();
    expect(kinds()).toHaveLength(1);
  });

  test("what nobody flushes is written by itself", async () => {
    const written = new Promise<void>((resolve) => {
      recorder = open(new MemoryJournal({ log: () => resolve() }));
    });
    recorder.line("line");
    begin();
    await written;
    expect(kinds()).toEqual([["start", "delivery", "turn"]]);
  });

  test("a later recorder goes on where one was", async () => {
    begin(1);
    await recorder.flush();
    const history = readHistory(journal.read());
    if ("damage" in history) throw new Error(history.damage);
    const ports = {
      journal,
      head: () => ({ at: 3, ranMs: 4, running: true, used: {} }),
      log: () => {},
      failed: () => {},
    };
    const later = new Recorder(ports, history.place);
    later.outcome(1, { ok: null });
    await later.flush();
    expect(readHistory(journal.read())).toMatchObject({ undelivered: [{ id: 1 }], place: { rows: 2, calls: 1 } });
  });

  test("a row that can't be written fails the run, and whoever waits for it", async () => {
    class FullJournal extends MemoryJournal {
      override write(): Promise<void> {
        return Promise.reject(new Error("no room"));
      }
    }
    recorder = open(new FullJournal());
    begin();
    await expect(recorder.flush()).rejects.toThrow("no room");
    expect(failures).toEqual([new Error("no room")]);
    await recorder.close(true);
  });
});

describe("log lines", () => {
  test("count with the end of their turn", async () => {
    begin();
    recorder.line("a");
    await recorder.flush();
    expect(lines).toEqual([]);
    recorder.endDelivery([], false);
    await recorder.flush();
    expect(lines).toEqual(["a"]);
    expect(parseStep(journal.read().rows[1]?.text ?? "")?.records).toEqual([{ is: "turn", calls: [], lines: 1 }]);
  });

  test("are all told at the end, also those of a turn that did not end", async () => {
    begin();
    recorder.line("a");
    await recorder.close(false);
    expect(lines).toEqual(["a"]);
  });

  test("the end of a run keeps what it is asked to", async () => {
    begin(1);
    await recorder.flush();
    recorder.outcome(1, { ok: null });
    await recorder.close(true);
    expect(kinds()).toEqual([["start", "delivery", "turn"], ["outcome"]]);
    recorder.add(start);
    await recorder.flush();
    expect(kinds()).toHaveLength(2);
  });
});

describe("limits", () => {
  const { calls, bytes, outcomeBytes } = JOURNAL_LIMITS;

  /** Resolves with the reason once the journal was given up. */
  const givenUp = () => expect.poll(() => journal.givenUp);

  test("as many calls as there may be, and one more", async () => {
    recorder.add(start);
    recorder.add({ is: "delivery", id: 0, now: 1 });
    for (let at = 0; at < calls; at += 1) recorder.answer("", "{}");
    await recorder.flush();
    expect([recorder.isGivenUp, journal.givenUp]).toEqual([false, null]);
    recorder.line("before");
    recorder.endDelivery([note(1)], false);
    recorder.line("after");
    await givenUp().toBe("more than 2000 calls");
    expect(lines).toContain("before");
    expect(lines).toContain("after");
    expect([recorder.isGivenUp, journal.read().rows]).toEqual([true, []]);
  });

  test("a stop is no call", async () => {
    recorder.add(start);
    recorder.add({ is: "delivery", id: 0, now: 1 });
    recorder.endDelivery(
      Array.from({ length: calls + 1 }, () => ({ ...note(1), class: "stop" as const })),
      false,
    );
    await recorder.flush();
    expect(recorder.isGivenUp).toBe(false);
  });

  test("bytes of all bodies", async () => {
    begin(...Array.from({ length: 5 }, (_, at) => at + 1));
    const quarter = bytes / 4;
    for (const id of [1, 2, 3, 4]) recorder.outcome(id, { ok: null }, new Uint8Array(quarter).fill(id));
    expect(recorder.isGivenUp).toBe(false);
    // one that is kept already adds nothing
    recorder.outcome(5, { ok: null }, new Uint8Array(quarter).fill(1));
    expect(recorder.isGivenUp).toBe(false);
    recorder.answer("", "{}", { encoding: "latin1", bytes: Buffer.of(1) });
    await givenUp().toBe("a journal of more than 16 MB");
  });

  test("bytes of one outcome", async () => {
    begin(1, 2);
    recorder.outcome(1, { ok: null }, new Uint8Array(outcomeBytes));
    expect(recorder.isGivenUp).toBe(false);
    recorder.outcome(2, { ok: null }, new Uint8Array(outcomeBytes + 1));
    await givenUp().toBe("an outcome is larger than 8 MB");
  });

  test("what was kept says that it was given up, until it is gone", async () => {
    const written: JournalEntry[] = [];
    class Seen extends MemoryJournal {
      override write(entry: JournalEntry): Promise<void> {
        written.push(entry);
        return super.write(entry);
      }
    }
    recorder = open(new Seen());
    begin(1);
    recorder.outcome(1, { ok: null }, new Uint8Array(outcomeBytes + 1));
    await givenUp().not.toBeNull();
    const last = parseStep(written.at(-1)?.row.text ?? "");
    expect(last?.records).toEqual([{ is: "givenUp", reason: "an outcome is larger than 8 MB" }]);
  });

  test("a run that ends or is stopped at that moment leaves nothing behind", async () => {
    for (const keep of [true, false]) {
      recorder = open(new MemoryJournal({ log: (line) => lines.push(line) }));
      begin(1);
      await recorder.flush();
      recorder.outcome(1, { ok: null }, new Uint8Array(outcomeBytes + 1));
      await recorder.close(keep);
      expect([journal.givenUp, journal.read().rows]).toEqual(["an outcome is larger than 8 MB", []]);
    }
  });

  test("the end of a run after that writes nothing", async () => {
    begin(1);
    recorder.outcome(1, { ok: null }, new Uint8Array(outcomeBytes + 1));
    await givenUp().not.toBeNull();
    recorder.line("last");
    await recorder.close(true);
    expect([journal.read().rows, lines]).toEqual([[], ["last"]]);
  });
});

describe("a row that rides on a turn of the task", () => {
  /** Takes the journal along as a call with this id does. */
  const ride = (id: number) => recorder.ride((ok) => ({ is: "outcome", id, ok })).take(null);

  test("is on disk with the turn, and the outcome counts once", async () => {
    begin(1, 2);
    const aboard = await ride(1);
    if (aboard === null) throw new Error("nothing was taken along");
    expect(parseStep(aboard.entry.row.text)?.records.map(({ is }) => is)).toEqual([
      "start",
      "delivery",
      "turn",
      "outcome",
    ]);
    recorder.outcome(2, { ok: null });
    let isFlushed = false;
    const flushed = recorder.flush().then(() => {
      isFlushed = true;
    });
    await new Promise(setImmediate);
    expect([isFlushed, kinds()]).toEqual([false, []]);
    await journal.write(aboard.entry);
    aboard.settle(true);
    aboard.settle(false);
    recorder.outcome(1, { ok: null });
    await flushed;
    expect(kinds()).toEqual([["start", "delivery", "turn", "outcome"], ["outcome"]]);
    expect(readHistory(journal.read())).toMatchObject({ undelivered: [{ id: 1 }, { id: 2 }], open: [] });
  });

  test("is on disk with each turn of a call, the outcome with the last", async () => {
    begin(1);
    const { ahead, take } = recorder.ride((ok) => ({ is: "outcome", id: 1, ok }));
    const first = await ahead();
    if (first === null) throw new Error("nothing was taken along");
    await journal.write(first.entry);
    first.settle(true);
    expect(await ahead()).toBeNull();
    const last = await take(null);
    if (last === null) throw new Error("nothing was taken along");
    await journal.write(last.entry);
    last.settle(true);
    await recorder.flush();
    expect(kinds()).toEqual([["start", "delivery", "turn"], ["outcome"]]);
  });

  test("takes along what the run's end left, for what is told after it", async () => {
    begin(1);
    const { ahead, take } = recorder.ride((ok) => ({ is: "outcome", id: 1, ok }));
    await recorder.close(false);
    expect(kinds()).toEqual([]);
    const last = await ahead();
    if (last === null) throw new Error("nothing was taken along");
    await journal.write(last.entry);
    last.settle(true);
    expect(kinds()).toEqual([["start", "delivery", "turn"]]);
    expect([await ahead(), await take(null)]).toEqual([null, null]);
  });

  test("that was not committed comes back, without the outcome", async () => {
    recorder.line("line");
    begin(1);
    const aboard = await ride(1);
    aboard?.settle(false);
    await recorder.flush();
    expect([kinds(), lines]).toEqual([[["start", "delivery", "turn"]], ["line"]]);
    recorder.outcome(1, { error: { name: "Error", message: "not taken" } });
    await recorder.flush();
    expect(readHistory(journal.read())).toMatchObject({ undelivered: [{ id: 1, content: { error: {} } }] });
  });

  test("waits for what is being written, and for another one", async () => {
    const gate = Promise.withResolvers<void>();
    class Slow extends MemoryJournal {
      override async write(entry: JournalEntry): Promise<void> {
        await gate.promise;
        await super.write(entry);
      }
    }
    recorder = open(new Slow());
    begin(1, 2);
    const flushed = recorder.flush();
    await new Promise(setImmediate);
    const rides = [ride(1), ride(2)];
    const taken: number[] = [];
    for (const [at, riding] of rides.entries()) void riding.then(() => taken.push(at));
    await new Promise(setImmediate);
    expect(taken).toEqual([]);
    gate.resolve();
    await flushed;
    const first = await rides[0];
    await new Promise(setImmediate);
    expect(taken).toEqual([0]);
    if (first === undefined || first === null) throw new Error("nothing was taken along");
    await journal.write(first.entry);
    first.settle(true);
    const second = await rides[1];
    expect(second?.entry.row.seq).toBe(2);
    second?.settle(true);
  });

  test("there is none past a limit: the call takes effect without the journal", async () => {
    begin(1);
    recorder.outcome(1, { ok: null }, new Uint8Array(JOURNAL_LIMITS.outcomeBytes + 1));
    expect(await ride(2)).toBeNull();
  });

  test("a limit that is passed while one is under way waits for it", async () => {
    begin(1, 2);
    const aboard = await ride(1);
    recorder.outcome(2, { ok: null }, new Uint8Array(JOURNAL_LIMITS.outcomeBytes + 1));
    await new Promise(setImmediate);
    expect(journal.givenUp).toBeNull();
    if (aboard === null) throw new Error("nothing was taken along");
    await journal.write(aboard.entry);
    aboard.settle(true);
    await expect.poll(() => journal.givenUp).toBe("an outcome is larger than 8 MB");
    expect(journal.read().rows).toEqual([]);
  });
});
