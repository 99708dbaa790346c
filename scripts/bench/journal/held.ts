/** The journal bench's large journals: how long the engine's thread is held while a run comes to where it stood. */
import { setTimeout as pause } from "node:timers/promises";
import { readHistory } from "../../../sandbox/journal/history.ts";
import { cpuMs, watchHeld } from "../../../test/support/held-thread.ts";
import { createRow, type Measured } from "../measure.ts";
import { openStage, stop } from "./stage.ts";

/** Scripts whose journals come close to the limits of one: 16 MB, 2,000 calls. */
const KINDS = [
  { name: "2 answers of 7.5 MB", calls: 2, path: `/bytes/${7.5 * 1024 * 1024}` },
  { name: "250 answers of 60 KB", calls: 250, path: `/bytes/${60 * 1024}` },
  { name: "1,900 answers with a header of 7 KB", calls: 1_900, path: "/head/7000" },
];

/** Ms of the thread's CPU without a moment for other work, and what of it is the reading. */
export async function benchHeld(times: number): Promise<Measured[]> {
  const stage = await openStage();
  const rows: Measured[] = [];
  try {
    for (const { name, calls, path } of KINDS) {
      const script = await stage.compile(
        `for (let i = 0; i < ${calls}; i++) await (await fetch(ctx.baseUrl + "${path}/" + i)).arrayBuffer();
         ctx.log("there"); await ctx.sleep(600000);`,
      );
      const { journal, logged } = stage.openJournal();
      const running = stage.run(script, {}, journal);
      await logged;
      running.suspend(1_000);
      await running.outcome;
      const found = { held: [] as number[], there: [] as number[], read: [] as number[], parse: [] as number[] };
      for (let time = 0; time < times; time += 1) {
        await pause(800);
        const there = Promise.withResolvers<void>();
        const held = watchHeld();
        const start = performance.now();
        held.start();
        const again = stage.run(script, {}, { ...journal, write: async () => {}, wentOn: () => there.resolve() });
        await there.promise;
        found.there.push(performance.now() - start);
        found.held.push(held.stop());
        await stop(again);
        const before = cpuMs();
        const stored = await journal.read(AbortSignal.timeout(60_000));
        found.read.push(cpuMs() - before);
        readHistory(stored);
        found.parse.push(cpuMs() - before - (found.read.at(-1) ?? 0));
      }
      rows.push(
        createRow(`${name}: thread held`, found.held, "ms"),
        createRow(`${name}: until it stands there`, found.there, "ms"),
        createRow(`${name}: store read in parts`, found.read, "ms"),
        createRow(`${name}: history read at once`, found.parse, "ms"),
      );
    }
    return rows;
  } finally {
    await stage.close();
  }
}
