/** The journal bench's runs: how long one takes to begin, and how long to stand where an earlier life of it stood. */
import { setTimeout as pause } from "node:timers/promises";
import type { RunJournal } from "../../../sandbox/contract.ts";
import { computeMedian, createRow, type Measured, measureInterleaved } from "../measure.ts";
import { openStage, stop } from "./stage.ts";

const LENGTHS = [
  { calls: 10, target: "8 ms" },
  { calls: 100, target: "20 ms" },
  { calls: 1_000, target: "120 ms" },
];
/** Longer than a new warm child takes, ms. */
const SPARE_MS = 800;

/** Ms from `Sandbox.run` to a script's first call, and to where one stood that had made so many requests. */
export async function benchRuns(blocks: number): Promise<Measured[]> {
  const stage = await openStage();
  const { compile, run, openJournal } = stage;

  const first = await compile(`await ctx.getInstalledAppUrl("app"); await ctx.sleep(600000);`);
  const startMs = async (journal?: RunJournal): Promise<number> => {
    await pause(SPARE_MS);
    const called = Promise.withResolvers<number>();
    const start = performance.now();
    const running = run(first, { call: async () => called.resolve(performance.now() - start) ?? null }, journal);
    const ms = await called.promise;
    await stop(running);
    return ms;
  };

  const replays = await Promise.all(
    LENGTHS.map(async ({ calls }) => {
      const script = await compile(
        `for (let i = 0; i < ${calls}; i++) await (await fetch(ctx.baseUrl + "/" + i)).arrayBuffer();
        ctx.log("there"); await ctx.sleep(600000);`,
      );
      const kept = openJournal();
      const running = run(script, {}, kept.journal);
      await kept.logged;
      running.suspend(1_000);
      await running.outcome;
      return { script, kept };
    }),
  );
  /** Of the longest return. */
  const cpu = { engine: [] as number[], script: [] as number[] };
  const replayMs = (at: number) => async (): Promise<number> => {
    const { script, kept } = replays[at] ?? {};
    if (script === undefined || kept === undefined) throw new Error("nothing was recorded");
    await pause(SPARE_MS);
    const before = process.cpuUsage();
    const arrived = Promise.withResolvers<number>();
    const start = performance.now();
    const wentOn = () => arrived.resolve(performance.now() - start);
    const running = run(script, {}, { ...kept.journal, write: async () => {}, wentOn });
    void running.outcome.then((outcome) => arrived.reject(new Error(JSON.stringify(outcome))));
    const ms = await arrived.promise;
    const { user, system } = process.cpuUsage(before);
    await stop(running);
    if (at === LENGTHS.length - 1) {
      cpu.engine.push((user + system) / 1_000);
      cpu.script.push((await running.outcome).usage.cpuMs);
    }
    return ms;
  };

  const sendMs = (at: number) => async (): Promise<number> => {
    const { script } = replays[at] ?? {};
    if (script === undefined) throw new Error("nothing was recorded");
    await pause(SPARE_MS);
    const there = Promise.withResolvers<number>();
    const start = performance.now();
    const running = run(script, { log: () => there.resolve(performance.now() - start) });
    const ms = await there.promise;
    await stop(running);
    return ms;
  };

  try {
    const found = await measureInterleaved(blocks, {
      without: () => startMs(),
      kept: () => startMs(openJournal().journal),
      ten: replayMs(0),
      hundred: replayMs(1),
      thousand: replayMs(2),
      sent: sendMs(2),
    });
    const ratio = computeMedian(found.kept) / computeMedian(found.without);
    return [
      createRow("start to first call, warm child, no journal", found.without, "ms", { target: "5 ms" }),
      createRow("start to first call, warm child, journalled", found.kept, "ms", { ratio }),
      ...[found.ten, found.hundred, found.thousand].map((values, at) =>
        createRow(`run to where it stood, ${LENGTHS[at]?.calls} requests behind it`, values, "ms", {
          target: LENGTHS[at]?.target ?? "",
        }),
      ),
      // the first has warmed up
      createRow("the last, the engine's processor time", cpu.engine.slice(1), "ms"),
      createRow("the last, the script's processor time", cpu.script.slice(1), "ms"),
      createRow("run to where 1,000 requests are sent, no journal", found.sent, "ms", {
        ratio: computeMedian(found.sent) / computeMedian(found.thousand),
      }),
    ];
  } finally {
    await stage.close();
  }
}
