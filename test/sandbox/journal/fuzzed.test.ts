/** A journal that is not the one that was written ends the run before anything live happens. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type JournalStep, parseStep } from "../../../sandbox/journal/record.ts";
import { type JournalRow, type StoredJournal, sealRows } from "../../../sandbox/journal/row.ts";
import { fuzz } from "../../support/fuzz.ts";
import { createWorkbench, type Workbench } from "../workbench.ts";
import { type Chain, startChain } from "./chain.ts";
import { compile } from "./lives.ts";

let bench: Workbench;
let chain: Chain;
let recorded: Awaited<ReturnType<Chain["play"]>>;
let other: StoredJournal;

beforeAll(async () => {
  bench = createWorkbench(false);
  chain = await startChain(bench);
  recorded = await chain.play();
  expect(recorded).toMatchObject({ failure: null, requests: 8 });
  other = (await chain.play()).journal;
});
afterAll(async () => {
  await chain[Symbol.asyncDispose]();
  await bench[Symbol.asyncDispose]();
});

/** A change of the rows; the digests and the head stay what they were. */
type Change = (rows: readonly JournalRow[], at: number, to: number, by: number) => readonly JournalRow[];

const CHANGES: Readonly<Record<string, Change>> = {
  truncated: (rows, at) => rows.slice(0, at),
  "without a row": (rows, at) => rows.toSpliced(at, 1),
  reordered: (rows, at, to) => swap(rows, at, to),
  doubled: (rows, at, to) => rows.toSpliced(to, 0, rows[at] ?? none()),
  "with a row of another run": (rows, at) => rows.with(at, other.rows[at % other.rows.length] ?? none()),
  "with another byte in a record": (rows, at, to, by) =>
    change(rows, at, (row) => ({ text: tamper(Buffer.from(row.text), to, by).toString() })),
  "with another byte in a body": (rows, at, to, by) =>
    change(rows, at, ({ bytes }) => ({ bytes: tamper(bytes, to, by) })),
  "with another byte in a long body": (rows, at, to, by) =>
    change(rows, at, ({ bodies }) => ({
      bodies: bodies.map(({ sha256, bytes }) => ({ sha256, bytes: tamper(bytes, to, by) })),
    })),
  "with another byte in a digest": (rows, at, to, by) =>
    change(rows, at, ({ digest }) => ({ digest: tamper(Buffer.from(digest), to, by).toString() })),
};

function none(): never {
  throw new Error("no such row");
}

function swap<T>(list: readonly T[], at: number, to: number): readonly T[] {
  const [a, b] = [list[at], list[to]];
  if (a === undefined || b === undefined) return none();
  return list.with(at, b).with(to, a);
}

function change(rows: readonly JournalRow[], at: number, how: (row: JournalRow) => Partial<JournalRow>) {
  const row = rows[at] ?? none();
  return rows.with(at, { ...row, ...how(row) });
}

function tamper(bytes: Uint8Array, at: number, by: number): Buffer {
  const copy = Buffer.from(bytes);
  if (copy.byteLength > 0) copy[at % copy.byteLength] = ((copy[at % copy.byteLength] ?? 0) + by) % 256;
  return copy;
}

/** Whether two journals are the same to the byte. */
const isSame = (a: readonly JournalRow[], b: readonly JournalRow[]) => JSON.stringify(a) === JSON.stringify(b);

const numbers = { at: fc.nat(), to: fc.nat(), by: fc.integer({ min: 1, max: 255 }) };

describe("without its digests", () => {
  fuzz("a changed journal never leads to a request", 150, () =>
    fc.asyncProperty(fc.record({ ...numbers, how: fc.constantFrom(...Object.keys(CHANGES)) }), async (drawn) => {
      const { rows, head } = recorded.journal;
      const changed = CHANGES[drawn.how]?.(rows, drawn.at % rows.length, drawn.to % rows.length, drawn.by) ?? [];
      fc.pre(!isSame(changed, rows));
      expect(await chain.play({ rows: changed, head })).toMatchObject({
        failure: { reason: "replay_diverged", message: expect.stringContaining("the journal is damaged") },
        requests: 0,
        lines: [],
      });
    }),
  );

  test.each(Object.keys(CHANGES))("one that is %s is refused", async (how) => {
    const { rows, head } = recorded.journal;
    // which row has what depends on how many were written together
    const changed = rows.map((_, at) => CHANGES[how]?.(rows, at, 1, 1) ?? rows).find((other) => !isSame(other, rows));
    expect(changed).toBeDefined();
    expect(await chain.play({ rows: changed ?? rows, head })).toMatchObject({
      failure: { reason: "replay_diverged" },
      requests: 0,
    });
  });
});

/** A journal with other records, as well-formed as one that was written. */
function reseal(rows: readonly JournalRow[], steps: readonly JournalStep[]): StoredJournal {
  return sealRows(rows.map(({ bytes, bodies }, at) => ({ text: JSON.stringify(steps[at]), bytes, bodies })));
}

function stepsOf(rows: readonly JournalRow[]): readonly JournalStep[] {
  return rows.map(({ text }) => parseStep(text) ?? none());
}

/** Puts the records of all rows in another order, and back in rows of as many. */
function reorder(steps: readonly JournalStep[], how: (records: JournalStep["records"]) => JournalStep["records"]) {
  const records = how(steps.flatMap((step) => step.records));
  let at = 0;
  return steps.map((step, index) => {
    const from = at;
    at = index === steps.length - 1 ? records.length : at + step.records.length;
    return { ...step, records: records.slice(from, at) };
  });
}

/** Plays a foreign journal: it is refused, or the change makes no difference; in no case anything is sent. */
async function playForeign({ rows, head }: StoredJournal) {
  const played = await chain.play({ rows, head });
  expect(played.requests).toBe(0);
  if (played.failure === null) expect(played.result).toBe(recorded.result);
  else expect(played.failure.reason).toBe("replay_diverged");
  return played;
}

describe("with digests of its own", () => {
  const KINDS = ["swapped", "doubled", "moved"] as const;

  fuzz("a foreign journal never leads to a request", 25, () =>
    fc.asyncProperty(fc.record({ ...numbers, how: fc.constantFrom(...KINDS) }), async ({ at, to, how }) => {
      const { rows } = recorded.journal;
      const steps = reorder(stepsOf(rows), (records) => {
        const [from, place] = [at % records.length, to % records.length];
        const record = records[from] ?? none();
        if (how === "swapped") return [...swap(records, from, place)];
        return (how === "moved" ? records.toSpliced(from, 1) : records).toSpliced(place, 0, record);
      });
      await playForeign(reseal(rows, steps));
    }),
  );

  fuzz("records of another run never lead to a request", 10, () =>
    fc.asyncProperty(fc.nat(), async (at) => {
      const { rows } = recorded.journal;
      const [mine, theirs] = [stepsOf(rows), stepsOf(other.rows)];
      const index = at % Math.min(mine.length, theirs.length);
      await playForeign(reseal(rows, mine.with(index, theirs[index] ?? none())));
    }),
  );

  test("a whole journal of another run is known by its seed, its entrypoint and its context", async () => {
    const { rows, head } = recorded.journal;
    for (const options of [{ seed: "other" }, { entrypoint: "start" }, { context: { inputs: { a: 1 } } }]) {
      expect(await chain.play({ rows, head, ...options })).toMatchObject({
        failure: {
          reason: "replay_diverged",
          message: "the journal is another run's: its script began with other data",
        },
        requests: 0,
      });
    }
  });

  test("the journal as it is, played to its end, sends nothing either", async () => {
    const { rows, head } = recorded.journal;
    expect(await chain.play({ rows, head })).toMatchObject({ failure: null, result: recorded.result, requests: 0 });
  });

  test.each(["no JSON", "null", "5", "[]", '{"ok":null}', '{"ok":{"db":"1"}}', '{"error":1}'])(
    "the answer %s to an opened database harms nobody",
    async (line) => {
      const script = await compile(
        bench.sandbox,
        `import { Database } from "bun:sqlite";
        export async function run(ctx: any) {
          try { new Database("/library.db"); } catch {}
          await ctx.setProgress(1);
        }`,
      );
      const { rows } = (await chain.play({ script })).journal;
      const steps = stepsOf(rows).map((step) => ({
        ...step,
        records: step.records.map((record) => (record.is === "answer" ? { ...record, line } : record)),
      }));
      expect(JSON.stringify(steps)).toContain(JSON.stringify(line));
      const { head, rows: foreign } = reseal(rows, steps);
      // the script sees it as an error, as it did
      expect(await chain.play({ script, rows: foreign, head })).toMatchObject({ failure: null, requests: 0 });
    },
  );
});
