/** Runs that are interrupted where it hurts: what they leave is gone on from, and nobody waits for ever. */
import { setImmediate as nextTick, setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, test, vi } from "vitest";
import { readHistory } from "../../../sandbox/journal/history.ts";
import { MemoryJournal } from "../../../sandbox/journal/memory-journal.ts";
import { startApp } from "../app-server.ts";
import { begin, cutAfter, ended, has, nextLife, openSandbox, records, sandbox } from "./kept-runs.ts";

afterAll(() => sandbox.close());

/** Longer than a test may take: whoever waits for it hangs. */
const SUSPEND_MS = 60_000;

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
    await expect.poll(() => has(journal, "turn")).toBe(true);
    await sleep(60);
    run.stop();
    await ended(run);
    expect(readHistory(journal.read())).not.toHaveProperty("damage");
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
    expect(readHistory(journal.read())).not.toHaveProperty("damage");
  });
});

describe("a turn that had not ended", () => {
  test("keeps its answers once, over however many lives", async () => {
    const code = `const first = crypto.randomUUID(); ctx.log(first); await ctx.sleep(0); await ctx.sleep(60000);`;
    const journal = new MemoryJournal();
    const run = await begin(code, journal);
    await expect.poll(() => records(journal).filter(({ is }) => is === "turn").length).toBe(2);
    run.stop();
    await ended(run);
    // a kill between the answer and the end of its turn
    const { rows } = cutAfter(journal, "answer");
    const second = new MemoryJournal({}, rows);
    const again = await begin(code, second);
    await expect.poll(() => records(second).filter(({ is }) => is === "turn").length).toBe(2);
    again.stop();
    await ended(again);
    expect(records(second).filter(({ is }) => is === "answer").length).toBe(1);
    const third = nextLife(second);
    const last = await begin(code, third);
    await last.begun;
    last.stop();
    expect(await ended(last)).toMatchObject({ reason: "stopped" });
  });

  test("asks the rest only, in every later life", async () => {
    const code = `const first = crypto.randomUUID(); return [first, crypto.randomUUID()];`;
    const journal = new MemoryJournal({ isRead: true });
    await ended(await begin(code, journal));
    const second = new MemoryJournal({ isRead: true }, cutAfter(journal, "answer").rows);
    const outcome = await ended(await begin(code, second));
    expect(outcome).toMatchObject({ status: "completed", result: [expect.any(String), expect.any(String)] });
    expect(records(second).filter(({ is }) => is === "answer").length).toBe(2);
    expect(await ended(await begin(code, nextLife(second)))).toMatchObject({ ...outcome, usage: expect.anything() });
  });

  test("tells its lines again only where it is suspended", async () => {
    const code = `ctx.log("once"); let n = 0; for (let i = 0; i < 4e8; i++) n += i; await ctx.sleep(60000);`;
    const lines: string[] = [];
    const journal = new MemoryJournal({ log: (line) => lines.push(line) });
    const run = await begin(code, journal);
    await run.begun;
    await sleep(200);
    run.suspend(SUSPEND_MS);
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
    await expect.poll(() => narrow.load().waiting).toEqual({ hook: 1, widget: 0 });
    expect(narrow.load().children).toBeGreaterThan(0);
    waiting.suspend(SUSPEND_MS);
    await ended(waiting);
    first.stop();
    const again = await begin("return 1;", nextLife(journal), { in: narrow });
    expect(await ended(again)).toMatchObject({ status: "completed", result: 1 });
    await narrow.close();
    expect(narrow.load()).toEqual({ children: 0, waiting: { hook: 0, widget: 0 } });
  });

  test("while its child is on its way has not begun, and begins the next time", async () => {
    for (let time = 0; time < 5; time++) {
      const journal = new MemoryJournal();
      const run = await begin("return 1;", journal);
      run.suspend(SUSPEND_MS);
      await ended(run);
      expect(records(journal).filter(({ is }) => is === "start")).toHaveLength(
        records(journal).filter(({ is }) => is === "delivery").length,
      );
      const again = await begin("return 1;", nextLife(journal));
      expect(await ended(again)).toMatchObject({ status: "completed", result: 1 });
    }
  });

  test("ends while a person is asked about a request", async () => {
    await using app = await startApp({ "POST /a": () => null });
    const code = `await fetch(ctx.baseUrl + "/a", { method: "POST", body: "x" });`;
    const journal = new MemoryJournal();
    const run = await begin(code, journal, { port: app.port });
    await expect.poll(() => has(journal, "left")).toBe(true);
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
      again[end](SUSPEND_MS);
      expect(await ended(again)).toMatchObject({ reason: "stopped" });
    }
  });

  test.each([
    ["PUT", false],
    ["DELETE", false],
    ["POST", true],
  ])("waits for no %s that is sent again (resends: %s)", async (method, resends) => {
    await using app = await startApp({ [`${method} /a`]: () => (app.received.length === 1 ? null : { body: "1" }) });
    const code = `return await (await fetch(ctx.baseUrl + "/a", { method: "${method}" })).text();`;
    const journal = new MemoryJournal({ resends });
    const run = await begin(code, journal, { port: app.port });
    await expect.poll(() => app.received.length).toBe(1);
    run.suspend(SUSPEND_MS);
    expect(await ended(run)).toMatchObject({ reason: "stopped" });
    const again = await begin(code, nextLife(journal, { resends }), { port: app.port });
    expect(await ended(again)).toMatchObject({ status: "completed", result: "1" });
  });

  test("has one patience for its turn and its requests, and asks about the one that was not answered", async () => {
    await using app = await startApp({ "POST /a": () => null, "GET /b": () => ({ body: "computes" }) });
    const code = `const posted = fetch(ctx.baseUrl + "/a", { method: "POST" }).catch(({ code }) => code);
      await fetch(ctx.baseUrl + "/b");
      ctx.log("computes");
      for (let i = 0; i < 4e9; i++);
      return await posted;`;
    const journal = new MemoryJournal();
    const run = await begin(code, journal, { port: app.port });
    await expect.poll(() => app.received.length).toBe(2);
    await expect.poll(() => records(journal).filter(({ is }) => is === "delivery").length).toBe(2);
    run.suspend(1);
    expect(await ended(run)).toMatchObject({ reason: "stopped" });
    const asked = vi.fn(async () => "skip" as const);
    const again = await begin(code.replace("4e9", "0"), nextLife(journal, { askAboutRequest: asked }), {
      port: app.port,
    });
    expect(await ended(again)).toMatchObject({ status: "completed", result: "outcome_unknown" });
    expect(asked).toHaveBeenCalledOnce();
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
    run.suspend(SUSPEND_MS);
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
    // not all in one turn, which may only take so long
    `for (let i = 0; i < 2100; i++) { crypto.getRandomValues(new Uint8Array(1)); if (i % 100 === 0) await ctx.sleep(0); }
     return 1;`,
    journal,
  );
  expect(await ended(run)).toMatchObject({ status: "completed", result: 1 });
  await nextTick();
});
