/** How often a run goes to the disk: once for what is settled together, and not at all for what tells it nothing. */
import { setImmediate as nextTick } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import type { Answered, JournalEntry, ScriptIo, ScriptIoReply, ScriptIoRequest } from "../../../sandbox/contract.ts";
import { MemoryJournal } from "../../../sandbox/journal/memory-journal.ts";
import { parseStep } from "../../../sandbox/journal/record.ts";
import { createSandbox } from "../../../sandbox/sandbox.ts";

/** Requests that have left, in order, each to be answered by the test. */
const left: ((answer: Answered<ScriptIoReply>) => void)[] = [];
let sent = Promise.withResolvers<void>();
/** Answers a request at once; null: the test does. */
let answerNow: ((request: ScriptIoRequest) => Answered<ScriptIoReply>) | null = null;
const REQUESTS = 8;
const head = { status: 200, statusText: "OK", headers: [], url: "http://app/", redirected: false };
const ANSWER = { ok: { head, body: new Uint8Array() } };

const refuse = async () => ({ error: { name: "Error", message: "not offered" } });
const scriptIo: ScriptIo = {
  open: () => ({
    fetch: (request) =>
      new Promise((resolve) => {
        if (answerNow !== null) resolve(answerNow(request));
        left.push(resolve);
        if (left.length === REQUESTS) sent.resolve();
      }),
    readFile: refuse,
    list: refuse,
    stat: refuse,
    openDatabase: refuse,
    query: refuse,
    closeDatabase: refuse,
    close: async () => {},
  }),
};
const sandbox = createSandbox({ allowWeakSandbox: true, scriptIo });
afterAll(() => sandbox.close());

/** Keeps nothing before it is let. */
class SlowJournal extends MemoryJournal {
  readonly asked = Promise.withResolvers<void>();
  readonly let = Promise.withResolvers<void>();

  override async write(entry: JournalEntry): Promise<void> {
    if (entry.row.text.includes('"outcome"')) this.asked.resolve();
    await this.let.promise;
    await super.write(entry);
  }

  /** Outcomes in each row that has some. */
  get outcomes(): readonly number[] {
    const rows = this.read().rows.map(({ text }) => parseStep(text)?.records ?? []);
    return rows.map((records) => records.filter(({ is }) => is === "outcome").length).filter((count) => count > 0);
  }
}

/** Writes in the next turn of the event loop, as the engine does. */
class BatchedJournal extends MemoryJournal {
  override async write(entry: JournalEntry): Promise<void> {
    await nextTick();
    await super.write(entry);
  }
}

async function start(body: string, journal: MemoryJournal, heard = () => {}) {
  const source = { kind: "inline", content: `export async function run(ctx) { ${body} }` } as const;
  const compiled = await sandbox.compile({ app: "app", root: null, source, entrypoint: "run", label: "inline.ts" });
  if (!compiled.ok) throw new Error(compiled.problems[0]?.message);
  return sandbox.run(
    {
      runId: "test",
      kind: "hook",
      script: compiled.script,
      entrypoint: "run",
      context: {},
      secrets: [],
      wallMs: 20_000,
      network: { lanIp: "", lanPorts: async () => [], internet: false, readOnly: false },
      mounts: [],
      seed: "test",
      journal,
    },
    { call: async () => heard() ?? null, log: () => {}, audit: () => {} },
  );
}

test("outcomes that come while one is written are written together, before the next of them enters", async () => {
  const journal = new SlowJournal();
  sent = Promise.withResolvers<void>();
  const running = await start(
    `await Promise.all(Array.from({ length: ${REQUESTS} }, () => fetch("http://app/"))); return "all";`,
    journal,
  );
  await sent.promise;
  for (const [at, answer] of left.entries()) {
    answer(ANSWER);
    if (at === 0) await journal.asked.promise;
    await nextTick();
  }
  journal.let.resolve();
  expect(await running.outcome).toMatchObject({ status: "completed", result: "all" });
  // what waits is written after 25 ms all the same
  expect(journal.outcomes.length).toBeLessThan(REQUESTS / 2);
});

test("a request that is sent again leaves without a commit of its own: what led to it is on disk", async () => {
  const journal = new MemoryJournal();
  const onDisk: (string | undefined)[] = [];
  answerNow = () => {
    const records = journal.read().rows.flatMap(({ text }) => parseStep(text)?.records ?? []);
    onDisk.push(records.map(({ is }) => is).findLast((is) => is !== "turn"));
    return ANSWER;
  };
  const running = await start(`for (let i = 0; i < 4; i++) await fetch("http://app/", { method: "PUT" });`, journal);
  expect(await running.outcome).toMatchObject({ status: "completed" });
  answerNow = null;
  expect(onDisk).toEqual(["delivery", "delivery", "delivery", "delivery"]);
  // the start, and each outcome with its delivery
  expect(journal.read().rows).toHaveLength(5);
});

test("requests that are called for after outcomes that are on disk leave together, after one commit", async () => {
  const journal = new BatchedJournal();
  answerNow = () => ANSWER;
  const running = await start(
    `const order = [];
     await Promise.all(Array.from({ length: ${REQUESTS} }, async (_, at) => {
       for (let i = 0; i < 4; i++) { await fetch("http://app/", { method: "POST" }); order.push(at); }
     }));
     return order;`,
    journal,
  );
  const inTurn = Array.from({ length: 4 * REQUESTS }, (_, at) => at % REQUESTS);
  expect(await running.outcome).toMatchObject({ status: "completed", result: inTurn });
  answerNow = null;
  // one by one each would leave after a commit of its own
  expect(journal.read().rows.length).toBeLessThan(2 * REQUESTS);
});

describe("a request that stands in line is not kept as one that has left", () => {
  const POST = `const post = () => fetch("http://app/", { method: "POST" });`;
  test.each([
    ["behind a wait for an app", `ctx.waitForApp("http://app/"); for (let i = 0; i < 8; i++) post();`, 7],
    [
      "behind calls of a delivery before it",
      // while its outcome is written those of the others come, which are on disk together then
      `ctx.getInstalledAppUrl("first");
       ctx.getInstalledAppUrl("a").then(() => { post(); for (let i = 0; i < 7; i++) fetch("http://app/"); });
       ctx.getInstalledAppUrl("b").then(post);`,
      1,
    ],
  ])("%s", async (_where, body, gone) => {
    left.length = 0;
    sent = Promise.withResolvers<void>();
    const journal = new BatchedJournal();
    const running = await start(`${POST} ${body} await new Promise(() => {});`, journal);
    await sent.promise;
    const records = journal.read().rows.flatMap(({ text }) => parseStep(text)?.records ?? []);
    running.stop();
    await running.outcome;
    expect(records.filter(({ is }) => is === "left")).toHaveLength(gone);
  });
});

test("a report is heard without a wait for the disk", async () => {
  const journal = new SlowJournal();
  let calls = 0;
  const running = await start(`for (let i = 1; i <= 3; i++) await ctx.setProgress(i);`, journal, () => {
    calls += 1;
    if (calls === 3) journal.let.resolve();
  });
  expect(await running.outcome).toMatchObject({ status: "completed" });
  expect(calls).toBe(3);
});
