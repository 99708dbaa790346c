/** What a run owes to the time between two lives: its place, its timers, its quotas and its questions. */
import { afterAll, describe, expect, test } from "vitest";
import type { ScriptHost, UncertainRequest } from "../../../sandbox/contract.ts";
import { MemoryJournal } from "../../../sandbox/journal/memory-journal.ts";
import { aboutRequest } from "../../../src/core/task/decision.ts";
import { startApp } from "../app-server.ts";
import { begin, ended, has, kill, nextLife, openSandbox, records, sandbox } from "./kept-runs.ts";

afterAll(() => sandbox.close());

test("a run that waits for another person still leaves its place, and takes it without waiting on the press", async () => {
  const narrow = openSandbox({ concurrency: { hook: 1, widget: 1 }, parkMs: 20 });
  const questions = new Map<string, (choice: string) => void>();
  const call: ScriptHost["call"] = async (asked, _, ride) => {
    if (asked.kind !== "awaitCheckpointRetry") return null;
    const aboard = await ride?.take(null);
    if (aboard) await journal.write(aboard.entry).then(() => aboard.settle(true));
    return new Promise((resolve) => questions.set(asked.id, resolve));
  };
  const journal = new MemoryJournal();
  const code = `const wait = async (id) => { ctx.log(id + " " + (await ctx.awaitCheckpointRetry(id, new Error("no")))); };
    await Promise.all([wait("a"), wait("b")]);`;
  const lines: string[] = [];
  const first = await begin(code, journal, { in: narrow, call, log: (line) => lines.push(line) });
  await expect.poll(() => questions.size).toBe(2);
  // it holds the only place
  const second = await begin("await ctx.sleep(60000);", new MemoryJournal(), { in: narrow });
  await second.begun;
  questions.get("a")?.("retry");
  await expect.poll(() => records(journal).filter(({ is }) => is === "turn").length).toBe(2);
  second.stop();
  await ended(second);
  const third = await begin("return 3;", new MemoryJournal(), { in: narrow });
  expect(await ended(third)).toMatchObject({ result: 3 });
  questions.get("b")?.("skip");
  expect(await ended(first)).toMatchObject({ status: "completed" });
  await narrow.close();
});

describe("timers", () => {
  const later = (ms: number) => openSandbox({ now: () => Date.now() + ms });

  test("that are over end in the order they were due in", async () => {
    const code = `return await Promise.race([ctx.sleep(60000).then(() => "slow"), ctx.sleep(30000).then(() => "fast")]);`;
    const journal = new MemoryJournal();
    await kill(code, journal, () => has(journal, "turn"));
    const tomorrow = later(86_400_000);
    expect(await ended(await begin(code, nextLife(journal), { in: tomorrow }))).toMatchObject({ result: "fast" });
    await tomorrow.close();
  });

  test("that are over keep that order for a life after one that died before they ended", async () => {
    const code = `void ctx.sleep(60000); void ctx.sleep(30000); await new Promise(() => {});`;
    const journal = new MemoryJournal();
    await kill(code, journal, () => has(journal, "turn"));
    const tomorrow = later(86_400_000);
    const next = nextLife(journal);
    await kill(code, next, () => has(next, "outcome"), { in: tomorrow });
    const ended = records(next).flatMap((record) => (record.is === "outcome" ? [record.id] : []));
    // the second call was due first, and what it was due at is as it was
    expect(ended[0]).toBe(2);
    expect(has(next, "due")).toBe(false);
    await tomorrow.close();
  });

  test("beside a request keep what was left of them over any number of lives", async () => {
    await using app = await startApp({ "GET /a": () => null });
    const code = `const tick = async () => { for (;;) await ctx.sleep(200); };
      return await Promise.race([tick(), ctx.sleep(60000), fetch(ctx.baseUrl + "/a")]);`;
    const journal = new MemoryJournal();
    await kill(code, journal, () => has(journal, "turn"), { port: app.port });
    let kept = journal;
    for (const hours of [1, 2]) {
      const ms = hours * 3_600_000;
      const within = later(ms);
      const next = nextLife(kept, { lastAlive: Date.now() + ms - 3_600_000 });
      const grown = () => next.read().rows.length > kept.read().rows.length;
      await kill(code, next, grown, { port: app.port, in: within });
      const due = records(next).flatMap((record) => (record.is === "due" && record.id === 2 ? [record.due] : []));
      expect((due.at(-1) ?? 0) - Date.now() - ms).toBeGreaterThan(30_000);
      kept = next;
      await within.close();
    }
  });
});

describe("a life that gets no further leaves no trace of progress: it counts as a crash", () => {
  const rowsAfter = (next: MemoryJournal, before: MemoryJournal) =>
    next
      .read()
      .rows.slice(before.read().rows.length)
      .map(({ text }) => text);

  test("beside a timer that guards a request", async () => {
    await using app = await startApp({ "GET /a": () => null });
    const code = `await Promise.all([ctx.sleep(400), fetch(ctx.baseUrl + "/a")]);`;
    const journal = new MemoryJournal();
    await kill(code, journal, () => has(journal, "turn"), { port: app.port });
    const next = nextLife(journal);
    await kill(code, next, () => records(next).filter(({ is }) => is === "outcome").length === 1, { port: app.port });
    // what it kept first is the end of the timer, with where it stood before
    const [first] = rowsAfter(next, journal);
    expect(["wentOn", "due", "outcome"].map((kind) => first?.includes(`"is":"${kind}"`))).toEqual([true, true, true]);
  });

  test("with a request that is sent again by itself", async () => {
    await using app = await startApp({ "POST /a": () => null });
    const code = `await fetch(ctx.baseUrl + "/a", { method: "POST", body: "x" });`;
    const journal = new MemoryJournal({ resends: true });
    await kill(code, journal, () => app.received.length === 1, { port: app.port });
    const next = nextLife(journal, { resends: true });
    await kill(code, next, () => app.received.length === 2, { port: app.port });
    expect(rowsAfter(next, journal)).toEqual([]);
  });
});

describe("checkpoints", () => {
  const emit = (from: number, to: number) => `for (let i = ${from}; i < ${to}; i++) ctx.emitCheckpoint("c" + i);`;
  const never = () => new Promise<never>(() => {});

  test.each([
    ["as many as allowed", 200, { status: "completed" }],
    ["more than allowed", 230, { status: "failed", reason: "quota_checkpoints" }],
  ])("count once over restarts: %s", async (_, most, outcome) => {
    const code = `${emit(0, 150)} await ctx.sleep(1); ${emit(150, most)}`;
    const journal = new MemoryJournal();
    await kill(code, journal, () => has(journal, "turn"), { call: never });
    expect(await ended(await begin(code, nextLife(journal)))).toMatchObject(outcome);
  });
});

test("two requests that are alike are asked about one by one", async () => {
  await using app = await startApp({ "POST /a": () => null });
  const code = `await Promise.allSettled(["x", "x"].map((body) => fetch(ctx.baseUrl + "/a", { method: "POST", body })));`;
  const journal = new MemoryJournal();
  await kill(code, journal, () => app.received.length === 2, { port: app.port });
  const asked: string[] = [];
  const askAboutRequest = async (request: UncertainRequest) => {
    asked.push(aboutRequest(request));
    return "skip" as const;
  };
  expect(await ended(await begin(code, nextLife(journal, { askAboutRequest }), { port: app.port }))).toMatchObject({
    status: "completed",
  });
  expect([asked.length, new Set(asked).size]).toEqual([2, 2]);
});
