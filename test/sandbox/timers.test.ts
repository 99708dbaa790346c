/** Timers of a script in an engine that is late: which of them ends first is a matter of when they are due, nothing else. */
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import type { ScriptHost } from "../../sandbox/contract.ts";
import { MemoryJournal } from "../../sandbox/journal/memory-journal.ts";
import { Timers } from "../../sandbox/run/time/timers.ts";
import { WallTime } from "../../sandbox/run/time/wall-time.ts";
import { begin, ended, has, kill, openSandbox, records, sandbox } from "./journal/kept-runs.ts";

afterAll(() => sandbox.close());

/** Holds this thread, which is the engine's too, for some ms. */
function hold(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

describe("timers of a script", () => {
  const start = `const ended = [];
    const start = (name, ms) => new Promise((done) => setTimeout(() => { ended.push(name); done(); }, ms));`;

  test("may be as long as Node's own, and a moment longer", async () => {
    const warnings: string[] = [];
    const warn = ({ name }: Error) => warnings.push(name);
    process.on("warning", warn);
    const timers = new Timers(() => {});
    // its start is a moment told up, to whole ms
    timers.start(1, Math.ceil(performance.now()) + 2 ** 31 - 1 + 0.5);
    timers.clearAll();
    await new Promise((done) => setImmediate(done));
    process.off("warning", warn);
    expect(warnings).toEqual([]);
  });

  test("end in the order they are due in, also where one of the same length was started before", async () => {
    const code = `${start}
      const first = start("300, started first", 300);
      await ctx.setProgress(20);
      const others = [start("200", 200), start("300", 300)];
      void ctx.setProgress(60);
      await Promise.all([first, ...others]);
      return ended;`;
    const call: ScriptHost["call"] = async (asked) => {
      if (asked.kind === "setProgress") hold(10 * asked.percent);
      return null;
    };
    const run = await begin(code, new MemoryJournal(), { call });
    expect(await ended(run)).toMatchObject({ result: ["300, started first", "200", "300"] });
  });

  test("end in the order they are due in, however late the engine is while it starts them", async () => {
    let isOver = false;
    const beLate = () => {
      hold(80);
      if (!isOver) setImmediate(beLate);
    };
    const call: ScriptHost["call"] = async (asked) => {
      if (asked.kind === "setProgress") setImmediate(beLate);
      return null;
    };
    const code = `${start}
      await ctx.setProgress(1);
      const all = [start("90", 90)];
      // so many that they are not started at a stretch
      for (let i = 0; i < 3_000; i++) clearTimeout(setTimeout(() => {}, 1e6));
      all.push(start("30", 30), start("60", 60), start("60 again", 60));
      await Promise.all(all);
      return ended;`;
    const outcome = await ended(await begin(code, new MemoryJournal(), { call })).finally(() => {
      isOver = true;
    });
    expect(outcome).toMatchObject({ result: ["30", "60", "60 again", "90"] });
  });

  test("are kept as due at the end of the delivery that started them and their length after it", async () => {
    let readings = 0;
    // each reading of the clock is late by more
    const late = openSandbox({ now: () => Date.now() + 40 * readings++ });
    const journal = new MemoryJournal();
    const code = `for (const ms of [90, 30, 60]) setTimeout(() => {}, ms); await new Promise(() => {});`;
    await kill(code, journal, () => has(journal, "turn"), { in: late });
    const [calls = []] = records(journal).flatMap((record) => (record.is === "turn" ? [record.calls] : []));
    const [since = Number.NaN] = calls.map(({ due = 0 }) => due - 90);
    expect(calls.map(({ due }) => due)).toEqual([since + 90, since + 30, since + 60]);
    await late.close();
  });
});

describe("Timers", () => {
  const PATIENCE_MS = 30_000;

  /** The order in which they end; several are over when the thread is let go. */
  async function endAll(dues: readonly number[], cleared: ReadonlySet<number>, isHeld: boolean): Promise<number[]> {
    const ended: number[] = [];
    const over = Promise.withResolvers<void>();
    const timers: Timers = new Timers((id) => {
      ended.push(id);
      if (id === dues.length) over.resolve();
    });
    const now = performance.now();
    if (isHeld) timers.hold();
    for (const [id, due] of dues.entries()) timers.start(id, now + due);
    for (const id of cleared) timers.clear(id);
    // later than all others
    timers.start(dues.length, now + 6);
    hold(2);
    if (isHeld) timers.release();
    await over.promise;
    return ended.slice(0, -1);
  }

  test(
    "end each once in the order they are due in, then of their ids, but for those that were cleared",
    async () => {
      const due = fc.integer({ min: -3, max: 5 });
      await fc.assert(
        fc.asyncProperty(
          fc.array(due, { maxLength: 12 }),
          fc.array(fc.nat(11), { maxLength: 3 }),
          fc.boolean(),
          async (dues, cleared, isHeld) => {
            const wanted = [...dues.keys()]
              .filter((id) => !cleared.includes(id))
              .toSorted((one, other) => (dues[one] ?? 0) - (dues[other] ?? 0) || one - other);
            expect(await endAll(dues, new Set(cleared), isHeld)).toEqual(wanted);
          },
        ),
        { numRuns: 100 },
      );
    },
    PATIENCE_MS,
  );

  test("that are all cleared leave nothing behind", async () => {
    const ended: number[] = [];
    const timers = new Timers((id) => ended.push(id));
    timers.start(1, performance.now());
    timers.start(2, performance.now() + 5);
    expect([timers.clear(2), timers.clear(2)]).toEqual([true, false]);
    timers.clearAll();
    const later = Promise.withResolvers<void>();
    const after = new Timers(() => later.resolve());
    after.start(3, performance.now() + 10);
    await later.promise;
    expect(ended).toEqual([]);
  });
});

describe("WallTime", () => {
  test("moments keep their distances, however late the wall clock is read", () => {
    let late = 0;
    const wallTime = new WallTime(() => {
      late += 1;
      hold(late);
      return Date.now();
    });
    const first = wallTime.of(0);
    expect([5, 3, 10].map((moment) => wallTime.of(moment) - first)).toEqual([5, 3, 10]);
    expect(Math.abs(first - (Date.now() - performance.now()))).toBeLessThan(500);
  });

  test.each([
    ["forward", 3_600_000],
    ["back", -3_600_000],
  ])("a wall clock that is set %s is followed", (_, byMs) => {
    let ahead = 0;
    const wallTime = new WallTime(() => Date.now() + ahead);
    const before = wallTime.of(0);
    ahead = byMs;
    expect(Math.abs(wallTime.of(0) - before - byMs)).toBeLessThan(500);
  });
});
