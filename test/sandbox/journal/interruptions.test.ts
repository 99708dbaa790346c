/** Runs that are interrupted where it hurts: what they leave is gone on from, and nobody waits for ever. */
import { setImmediate as nextTick, setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, test, vi } from "vitest";
import type { Run, RunOutcome, ScriptHost } from "../../../sandbox/contract.ts";
import { readHistory } from "../../../sandbox/journal/history.ts";
import { MemoryJournal, type MemoryJournalOptions } from "../../../sandbox/journal/memory-journal.ts";
import type { JournalRecord } from "../../../sandbox/journal/record.ts";
import { sealRows } from "../../../sandbox/journal/row.ts";
import { createSandbox, type SandboxOptions } from "../../../sandbox/sandbox.ts";
import { createScriptIo } from "../../../src/adapters/script-io/script-io.ts";
import { startApp } from "../app-server.ts";

const scriptIo = createScriptIo({ loopback: true });
const openSandbox = (options: Partial<SandboxOptions> = {}) =>
  createSandbox({ allowWeakSandbox: true, scriptIo, ...options });
const sandbox = openSandbox();
afterAll(() => sandbox.close());
const PATIENT = { timeout: 10_000, interval: 5 };

interface Life {
  readonly port?: number;
  readonly call?: ScriptHost["call"];
  readonly log?: (line: string) => void;
  readonly wallMs?: number;
  readonly in?: ReturnType<typeof openSandbox>;
}

/** Starts the body of an entrypoint with a journal. */
async function begin(code: string, journal: MemoryJournal, life: Life = {}): Promise<Run> {
  const { port, call = async () => null, log = () => {}, wallMs = 20_000 } = life;
  const content = `export async function run(ctx) {\n${code}\n}`;
  const source = { kind: "inline", content } as const;
  const within = life.in ?? sandbox;
  const compiled = await within.compile({ app: "app", root: null, source, entrypoint: "run", label: "inline.ts" });
  if (!compiled.ok) throw new Error(compiled.problems.map(({ message }) => message).join("\n"));
  const network = {
    lanIp: "127.0.0.1",
    lanPorts: async () => (port === undefined ? [] : [port]),
    internet: false,
    readOnly: false,
  };
  return within.run(
    {
      runId: "test",
      kind: "hook",
      script: compiled.script,
      entrypoint: "run",
      context: { baseUrl: `http://127.0.0.1:${port ?? 1}`, host: "127.0.0.1" },
      secrets: [],
      wallMs,
      network,
      mounts: [],
      seed: "seed",
      journal,
    },
    { call, log, audit: () => {} },
  );
}

const records = (journal: MemoryJournal): JournalRecord[] =>
  journal.read().rows.flatMap(({ text }) => JSON.parse(text).records);
/** The journal as a kill leaves it that comes right after the first record of a kind. */
function cutAfter(journal: MemoryJournal, kind: JournalRecord["is"]) {
  const { rows } = journal.read();
  const last = rows.findIndex(({ text }) => text.includes(`"is":"${kind}"`));
  return sealRows(
    rows.slice(0, last + 1).map(({ text, bytes, bodies }, at) => {
      const step = JSON.parse(text);
      const end = step.records.findIndex(({ is }: JournalRecord) => is === kind) + 1;
      return {
        text: JSON.stringify(at < last ? step : { ...step, records: step.records.slice(0, end) }),
        bytes,
        bodies,
      };
    }),
  );
}
/** The journal for a later life. */
function nextLife(journal: MemoryJournal, options: MemoryJournalOptions = {}): MemoryJournal {
  return new MemoryJournal(options, journal.read().rows);
}
const ended = async (run: Run): Promise<RunOutcome> => run.outcome;

describe("stopped calls", () => {
  test("a request that is aborted in the turn that made it leaves a journal that can be read", async () => {
    await using app = await startApp({ "POST /a": () => null });
    const journal = new MemoryJournal();
    const run = await begin(
      `const stop = new AbortController();
       const sent = fetch(ctx.baseUrl + "/a", { method: "POST", body: "x", signal: stop.signal }).catch((error) => error.name);
       stop.abort();
       await sent; await ctx.sleep(60000);`,
      journal,
      { port: app.port },
    );
    await vi.waitUntil(() => records(journal).some((record) => record.is === "turn"), PATIENT);
    await sleep(60);
    run.stop();
    await ended(run);
    expect(readHistory(journal.read())).not.toHaveProperty("fault");
  });

  test("what is settled while its end is on the way to the disk does not spoil the journal", async () => {
    await using app = await startApp({ "POST /a": () => ({ body: "1" }) });
    class Slow extends MemoryJournal {
      override async write(entry: Parameters<MemoryJournal["write"]>[0]): Promise<void> {
        await super.write(entry);
        await sleep(40);
      }
    }
    const journal = new Slow();
    const run = await begin(
      `const timer = setTimeout(() => {}, 20); await ctx.sleep(5); clearTimeout(timer);
       return await (await fetch(ctx.baseUrl + "/a", { method: "POST" })).text();`,
      journal,
      { port: app.port },
    );
    expect(await ended(run)).toMatchObject({ status: "completed" });
    expect(readHistory(journal.read())).not.toHaveProperty("fault");
  });
});

describe("a turn that had not ended", () => {
  test("keeps its answers once, over however many lives", async () => {
    const code = `const first = crypto.randomUUID(); ctx.log(first); await ctx.sleep(0); await ctx.sleep(60000);`;
    const journal = new MemoryJournal();
    const run = await begin(code, journal);
    await vi.waitUntil(() => records(journal).filter(({ is }) => is === "turn").length === 2, PATIENT);
    run.stop();
    await ended(run);
    // a kill between the answer and the end of its turn
    const { rows } = cutAfter(journal, "answer");
    const second = new MemoryJournal({}, rows);
    const again = await begin(code, second);
    await vi.waitUntil(() => records(second).filter(({ is }) => is === "turn").length === 2, PATIENT);
    again.stop();
    await ended(again);
    expect(records(second).filter(({ is }) => is === "answer").length).toBe(1);
    const third = nextLife(second);
    const last = await begin(code, third);
    await last.begun;
    last.stop();
    expect(await ended(last)).toMatchObject({ reason: "stopped" });
  });

  test("tells its lines again only where it is suspended", async () => {
    const code = `ctx.log("once"); let n = 0; for (let i = 0; i < 4e8; i++) n += i; await ctx.sleep(60000);`;
    const lines: string[] = [];
    const journal = new MemoryJournal({ log: (line) => lines.push(line) });
    const run = await begin(code, journal);
    await run.begun;
    await sleep(200);
    run.suspend();
    await ended(run);
    expect(lines).toEqual([]);
  });
});

describe("a run that is suspended", () => {
  test("before it began leaves nothing, and begins the next time", async () => {
    const narrow = openSandbox({ concurrency: { hook: 1, widget: 1 } });
    const first = await begin("await ctx.sleep(60000);", new MemoryJournal(), { in: narrow });
    await first.begun;
    const journal = new MemoryJournal();
    const waiting = await begin("return 1;", journal, { in: narrow });
    waiting.suspend();
    await ended(waiting);
    first.stop();
    const again = await begin("return 1;", nextLife(journal), { in: narrow });
    expect(await ended(again)).toMatchObject({ status: "completed", result: 1 });
    await narrow.close();
  });

  test("ends while a person is asked about a request", async () => {
    await using app = await startApp({ "POST /a": () => null });
    const code = `await fetch(ctx.baseUrl + "/a", { method: "POST", body: "x" });`;
    const journal = new MemoryJournal();
    const run = await begin(code, journal, { port: app.port });
    await vi.waitUntil(() => records(journal).some(({ is }) => is === "left"), PATIENT);
    run.stop();
    await ended(run);
    for (const end of ["stop", "suspend"] as const) {
      const asked = Promise.withResolvers<void>();
      const next = nextLife(journal, {
        askAboutRequest: () => {
          asked.resolve();
          return new Promise(() => {});
        },
      });
      const again = await begin(code, next, { port: app.port });
      await asked.promise;
      again[end]();
      expect(await Promise.race([ended(again), sleep(3_000, "it hangs")])).toMatchObject({ reason: "stopped" });
    }
  });

  test("asks nobody about a request that did not leave", async () => {
    await using app = await startApp({ "POST /a": () => ({ body: "1" }) });
    const code = `return await (await fetch(ctx.baseUrl + "/a", { method: "POST", body: "x" })).text();`;
    const leaving = Promise.withResolvers<void>();
    class Held extends MemoryJournal {
      override async write(entry: Parameters<MemoryJournal["write"]>[0]): Promise<void> {
        await super.write(entry);
        if (!entry.row.text.includes('"left"')) return;
        leaving.resolve();
        // longer than a turn may take to end
        await sleep(1_500);
      }
    }
    const journal = new Held();
    const run = await begin(code, journal, { port: app.port });
    await leaving.promise;
    run.suspend();
    await ended(run);
    expect(app.received.length).toBe(0);
    const asked = vi.fn(async () => "skip" as const);
    const again = await begin(code, nextLife(journal, { askAboutRequest: asked }), { port: app.port });
    expect(await ended(again)).toMatchObject({ status: "completed", result: "1" });
    expect(asked).not.toHaveBeenCalled();
    expect(app.received.length).toBe(1);
  });
});

test("a journal that can't be dropped ends nothing", async () => {
  class Stuck extends MemoryJournal {
    override giveUp(): void {
      throw new Error("the disk is full");
    }
  }
  const journal = new Stuck();
  const run = await begin(
    `for (let i = 0; i < 2100; i++) crypto.getRandomValues(new Uint8Array(1)); return 1;`,
    journal,
  );
  expect(await ended(run)).toMatchObject({ status: "completed", result: 1 });
  await nextTick();
});
