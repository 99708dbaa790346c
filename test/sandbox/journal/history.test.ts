/** A journal is read as a whole or refused: every damage there is has a row. */
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { type History, readHistory } from "../../../sandbox/journal/history.ts";
import type { JournalRecord } from "../../../sandbox/journal/record.ts";
import { type StoredJournal, sealRows } from "../../../sandbox/journal/row.ts";
import { JOURNAL_LIMITS } from "../../../sandbox/limits.ts";

const start: JournalRecord = {
  is: "start",
  format: 1,
  entrypoint: "run",
  seed: "seed",
  context: null,
  made: { script: "", guest: "", node: "24" },
};
const deliver = (id: number): JournalRecord => ({ is: "delivery", id, now: 1_000 + id });
const call = (id: number, kind: "read" | "once" | "timer" | "person" | "stop" = "read") => ({
  id,
  class: kind,
  hash: null,
  ...(kind === "timer" && { due: 7 }),
});
const end = (...calls: ReturnType<typeof call>[]): JournalRecord => ({ is: "turn", calls, lines: 0 });
const done: JournalRecord = { is: "turn", calls: [], lines: 0, done: true };
const outcome = (id: number): JournalRecord => ({ is: "outcome", id, ok: id });
const left = (id: number): JournalRecord => ({ is: "left", id, method: "POST", url: "http://app/", at: 5 });
const answer: JournalRecord = { is: "answer", hash: null, line: "{}" };

const rowOf = (records: readonly JournalRecord[], more: Partial<{ text: string; bytes: Uint8Array }> = {}) => ({
  text: JSON.stringify({ at: 1, ranMs: 2, running: true, used: {}, records }),
  bytes: Buffer.of(),
  bodies: [],
  ...more,
});

/** A journal of one row per list of records. */
const journalOf = (...rows: readonly (readonly JournalRecord[])[]): StoredJournal =>
  sealRows(rows.map((row) => rowOf(row)));

function historyOf(stored: StoredJournal): History {
  const history = readHistory(stored);
  if ("damage" in history) throw new Error(history.damage);
  return history;
}

const fits = journalOf(
  [start, deliver(0), answer, end(call(1), call(2, "once"), call(3, "timer")), left(2)],
  [outcome(1), deliver(1), end(call(3, "stop"), call(4, "person"))],
  [{ is: "asked", id: 4, checkpoint: "a" }, outcome(2)],
);

test("a whole one says what was, what is known and what is open", () => {
  const history = historyOf(fits);
  expect(history.deliveries.map(({ id, now, answers }) => [id, now, answers.length])).toEqual([
    [0, 1_000, 1],
    [1, 1_001, 0],
  ]);
  expect(history.undelivered).toEqual([{ id: 2, content: { ok: 2 } }]);
  expect(history.open).toEqual([{ id: 4, class: "person", asked: "a" }]);
  expect(history).toMatchObject({ now: 1_001, givenUp: null, start: { seed: "seed" } });
  // three calls, a person and an answer; what stops is no call
  expect(history.place).toMatchObject({ rows: 3, head: fits.head, calls: 5 });
});

test("what a person chose counts until the request has left again", () => {
  const opened = [start, deliver(0), end(call(1, "once")), left(1)];
  const choice: JournalRecord = { is: "choice", id: 1, choice: "retry" };
  expect(historyOf(journalOf(opened, [choice])).open).toMatchObject([{ id: 1, choice: "retry" }]);
  const [again] = historyOf(journalOf(opened, [choice], [left(1)])).open;
  expect(again).not.toHaveProperty("choice");
});

test("a call may leave and be settled before its stop has come through", () => {
  const history = historyOf(
    journalOf([start, deliver(0), end(call(1, "once"), call(1, "stop")), left(1)], [outcome(1)]),
  );
  expect([history.open, history.undelivered]).toEqual([[], [{ id: 1, content: { ok: 1 } }]]);
});

test("an outcome that rode on a turn may be delivered behind one that came later", () => {
  const { deliveries, undelivered } = historyOf(
    journalOf([
      start,
      deliver(0),
      end(call(1), call(2), call(3)),
      outcome(1),
      outcome(2),
      outcome(3),
      deliver(2),
      end(),
    ]),
  );
  expect(deliveries.map(({ id, content }) => [id, content])).toEqual([
    [0, {}],
    [2, { ok: 2 }],
  ]);
  expect(undelivered.map(({ id }) => id)).toEqual([1, 3]);
});

test("given up is told, and a delivery that had not ended", () => {
  const history = historyOf(journalOf([start, deliver(0), answer], [{ is: "givenUp", reason: "why" }]));
  expect(history).toMatchObject({ givenUp: "why", deliveries: [{ id: 0, end: null }] });
});

const DAMAGES: readonly (readonly [title: string, records: readonly JournalRecord[], damage: string])[] = [
  ["a beginning that is missing", [deliver(0)], "row 0: it has no beginning"],
  ["a second beginning", [start, start], "row 0: it begins twice"],
  ["a delivery within another", [start, deliver(0), deliver(1)], "outcome 1 was delivered within another"],
  ["a delivery after the end", [start, deliver(0), done, deliver(1)], "outcome 1 was delivered after the script's end"],
  ["another delivery than the start first", [start, deliver(1)], "outcome 1 was delivered and is not known"],
  [
    "a delivery of what is not known",
    [start, deliver(0), end(call(1)), deliver(1)],
    "outcome 1 was delivered and is not known",
  ],
  [
    "a second delivery",
    [start, deliver(0), end(call(1)), outcome(1), deliver(1), end(), deliver(1)],
    "outcome 1 was delivered and is not known",
  ],
  ["an outcome of a call nobody made", [start, outcome(1)], "call 1 has an outcome and is not open"],
  [
    "a second outcome",
    [start, deliver(0), end(call(1)), outcome(1), outcome(1)],
    "call 1 has an outcome and is not open",
  ],
  [
    "a second outcome of a call that was stopped",
    [start, deliver(0), end(call(1), call(1, "stop")), outcome(1), outcome(1)],
    "call 1 has an outcome and is not open",
  ],
  ["an answer outside a delivery", [start, answer], "a question was answered outside a delivery"],
  ["the end of no delivery", [start, end()], "a delivery ended that had not begun"],
  ["a second end of a delivery", [start, deliver(0), end(), end()], "a delivery ended that had not begun"],
  ["a departure of no call", [start, deliver(0), end(), left(1)], "call 1 is not open"],
  ["a choice about no call", [start, { is: "choice", id: 1, choice: "skip" }], "call 1 is not open"],
  ["a question to a person by no call", [start, { is: "asked", id: 1, checkpoint: "a" }], "call 1 is not open"],
  [
    "a body outside its row",
    [start, deliver(0), end(call(1)), { is: "outcome", id: 1, ok: null, body: { at: 0, length: 1 } }],
    "the body of call 1 is missing",
  ],
  [
    "a long body that is not kept",
    [start, deliver(0), { is: "answer", hash: null, line: { sha256: "0".repeat(64), length: 1 } }],
    "the answer to a question is missing",
  ],
  [
    "one call more than is ever kept",
    [start, deliver(0), end(...Array.from({ length: JOURNAL_LIMITS.calls + 1 }, (_, n) => call(n + 1)))],
    "more than 2000 calls",
  ],
  [
    "one answer more than is ever kept",
    [start, deliver(0), ...Array.from({ length: JOURNAL_LIMITS.calls + 1 }, () => answer)],
    "more than 2000 calls",
  ],
];

describe("damage is said in words", () => {
  test.each(DAMAGES)("%s", (_, records, damage) => {
    expect(readHistory(journalOf(records))).toEqual({ damage: expect.stringContaining(damage) });
    // the same with a row for each record
    expect(readHistory(journalOf(...records.map((record) => [record])))).toHaveProperty("damage");
  });

  const { rows, head } = fits;
  const [first, second, third] = rows;
  if (first === undefined || second === undefined || third === undefined) throw new Error("three rows");
  const changed = (text: string) => ({ rows: [first, { ...second, text }, third], head });
  const STORES: readonly (readonly [title: string, stored: StoredJournal, damage: string])[] = [
    ["no rows", { rows: [], head: "" }, "it has no beginning"],
    ["no rows but a head", { rows: [], head }, "its end is missing: 0 rows are left"],
    ["a missing end", { rows: [first, second], head }, "its end is missing: 2 rows are left"],
    ["a head of elsewhere", { rows, head: second.digest }, "its end is missing: 3 rows are left"],
    ["a missing first row", { rows: [second, third], head }, "row 0 is not what was written"],
    ["a missing row", { rows: [first, third], head }, "row 1 is not what was written"],
    ["a doubled row", { rows: [first, first, second, third], head }, "row 1 is not what was written"],
    ["rows the other way round", { rows: [first, third, second], head }, "row 1 is not what was written"],
    ["a changed text", changed(second.text.replace("true", "false")), "row 1 is not what was written"],
    [
      "a changed body",
      { rows: [{ ...first, bytes: Buffer.of(1) }], head: first.digest },
      "row 0 is not what was written",
    ],
    ["another number", { rows: [{ ...first, seq: 1 }], head: first.digest }, "row 0 is not what was written"],
    ["text that is not JSON", sealRows([rowOf([], { text: "{" })]), "row 0 is not what was written"],
    ["a step of another form", sealRows([rowOf([], { text: "{}" })]), "row 0 is not what was written"],
    [
      "a record of no kind",
      sealRows([rowOf([start], { text: rowOf([start]).text.replace('"start"', '"begin"') })]),
      "row 0 is not what was written",
    ],
    [
      "a format of later",
      sealRows([rowOf([], { text: rowOf([start]).text.replace('"format":1', '"format":2') })]),
      "row 0 is not what was written",
    ],
    [
      "a long body that is another",
      sealRows([{ ...rowOf([start]), bodies: [{ sha256: createHash("sha256").digest("hex"), bytes: Buffer.of(1) }] }]),
      "row 0 is not what was written",
    ],
  ];
  test.each(STORES)("%s", (_, stored, damage) => {
    expect(readHistory(stored)).toEqual({ damage });
  });

  test("the same rows with another run's digests", () => {
    const other = journalOf([start, deliver(0), end()]).rows[0];
    if (other === undefined) throw new Error("one row");
    expect(readHistory({ rows: [other, second, third], head })).toEqual({ damage: "row 1 is not what was written" });
  });
});
