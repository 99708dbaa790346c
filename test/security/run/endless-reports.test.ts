/** What a hook may call as often as it likes neither holds the engine's thread nor fills its database. */
import { describe, expect } from "vitest";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { settledTask } from "../../support/engine/engine-world.ts";
import { createMeasuredFolder } from "../../support/engine/measured-folder.ts";
import { watchHeld } from "../../support/held-thread.ts";
import { rawHook } from "../../support/scripts/scripts.ts";
import { SLOWNESS } from "../../support/slowness.ts";
import { WITHIN_MS } from "../../support/within.ts";

const { path: parent, databaseBytes } = createMeasuredFolder();

const MB = 1024 * 1024;
/** Most ms of CPU at a stretch: 50 on an idle machine, with room for one that shares its cores. */
const HELD_MS = 150 * SLOWNESS;

const HOOKS: readonly (readonly [string, string])[] = [
  ["19,000 percentages", "for (let i = 0; i < 19000; i++) ctx.setProgress(i % 100);"],
  ["5,000 percentages, one after the other", "for (let i = 0; i < 5000; i++) await ctx.setProgress(i % 100);"],
  [
    "texts of 100 KB",
    "await ctx.registerCheckpoints(['a']); for (let i = 0; i < 600; i++) ctx.updateCheckpointMessage('a', i + 'x'.repeat(100000));",
  ],
  [
    "an announcement made again and again",
    "for (let i = 0; i < 3000; i++) ctx.registerCheckpoints([{ id: 'a', message: 'm' + i }]);",
  ],
  ["an end made again and again", "for (let i = 0; i < 5000; i++) ctx.emitCheckpoint('a', 'm' + i, i % 100);"],
  ["10,000 requests at once", "for (let i = 0; i < 10000; i++) fetch('http://127.0.0.1:9/').catch(() => {});"],
  ["1 MB of log lines", "for (let i = 0; i < 5000; i++) ctx.log('%5Cu' + 'l'.repeat(200));"],
  ["a result of 512 KB", "return Array(100000).fill('%41');"],
];

describe("the engine is not held by", () => {
  it.each(HOOKS)("%s", async (_name, body) => {
    const hook = rawHook({
      id: "press",
      events: ["userAction"],
      scriptContent: `export async function run(ctx) { await ctx.setProgress(42); ${body} await ctx.setProgress(42); }`,
    });
    const world = await openWorld({ catalog: { demo: { hooks: [hook] } }, parent });
    await settledTask(world.engine, (await world.engine.install("demo")).id);
    const before = databaseBytes();
    const held = watchHeld();
    held.start();
    const { id } = await world.engine.runAction("demo", "press");
    const task = await world.engine.settled(id, AbortSignal.timeout(WITHIN_MS));
    const heldMs = held.stop();
    expect(["COMPLETED", "AWAITING_RETRY"]).toContain(task.state);
    expect(heldMs).toBeLessThan(HELD_MS);
    expect(databaseBytes() - before).toBeLessThan(10 * MB);
    const reports = world.store.taskLog(id).map(({ event }) => event);
    expect(reports.length).toBeLessThan(300);
    const percents = reports.filter(({ type }) => type === "script.progress");
    if (task.state === "COMPLETED") expect(percents.at(-1)).toMatchObject({ percent: 42 });
    for (const { message } of reports) if (typeof message === "string") expect(message.length).toBeLessThanOrEqual(500);
  });
});
