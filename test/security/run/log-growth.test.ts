/** The event log grows with what a hook reports, not with its square: the worst hooks, against file and journal. */
import { describe, expect } from "vitest";
import type { Engine } from "../../../src/engine/api.ts";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { settledTask } from "../../support/engine/engine-world.ts";
import { createMeasuredFolder } from "../../support/engine/measured-folder.ts";
import { rawHook } from "../../support/scripts/scripts.ts";
import { WITHIN_MS } from "../../support/within.ts";

const { path: parent, databaseBytes } = createMeasuredFolder();

const MB = 1024 * 1024;
/** How much faster than ours the engine's clock goes: texts are told at a pace. */
const SPEED = 500;

function createFastClock() {
  const start = Date.now();
  const since = () => performance.now() * SPEED;
  return {
    now: () => Math.floor(start + since()),
    monotonic: since,
    after(ms: number, run: () => void) {
      const timer = setTimeout(run, ms / SPEED);
      return () => clearTimeout(timer);
    },
  };
}

/** A run that waits for a person may go on reporting. */
async function lastCheckpointEnded(engine: Engine, id: string): Promise<void> {
  for await (const { task } of engine.watch(0, AbortSignal.timeout(WITHIN_MS))) {
    if (task.id === id && task.checkpoints.filter(({ state }) => state === "COMPLETED").length >= 199) return;
  }
  throw new Error("the checkpoints were not ended in time");
}

/** Escaped in JSON, the longest a character can be. */
const TEXT = "const text = (i) => i + '\\u0001'.repeat(500);";
const ANNOUNCE = "for (const id of ids) await ctx.registerCheckpoints([{ id, message: text(id) }]);";
const IDS = "const ids = Array.from({ length: 200 }, (_, i) => String(i).padStart(64, 'c'));";
const CHANGES = `for (let i = 0; i < 1000; i++) {
  ctx.updateCheckpointMessage(ids[i % 200], text(i));
  await new Promise((resolve) => setTimeout(resolve, 3));
}`;
const ENDS =
  "for (const id of ids) { await ctx.emitCheckpoint(id, text(id + 'e')); await ctx.emitCheckpoint(id, text(id)); }";
const LINES = "for (let i = 0; i < 5000; i++) ctx.log(i + 'l'.repeat(4090));";
const FAIL =
  "ctx.fail(text(0).repeat(4), Array.from({ length: 20 }, (_, i) => ({ label: 'l' + i, value: text(i).repeat(4) })));";

const HOOKS: readonly (readonly [string, string, Readonly<Record<string, unknown>>])[] = [
  ["200 checkpoints of 500 characters, changed 1,000 times", `${IDS}${TEXT}${ANNOUNCE}${CHANGES}${ENDS}`, {}],
  [
    "the same failing with all the context there is, five times more",
    `${IDS}${TEXT}${ANNOUNCE}${ENDS}${FAIL}`,
    { retries: 100 },
  ],
  [
    "texts and percentages while a failure with all its context is shown",
    `${IDS}${TEXT}${ANNOUNCE}
     ctx.awaitCheckpointRetry(ids[0], text(0).repeat(4), Array.from({ length: 20 }, (_, i) => ({ label: 'l' + i, value: text(i).repeat(4) })));
     ${CHANGES}for (let i = 0; i < 15000; i++) ctx.setProgress(i % 100);${ENDS}`,
    {},
  ],
  ["1 MB of log lines, five times more", `${TEXT}${LINES}${FAIL}`, { retries: 100 }],
  ["results of 512 KB", "return 'r'.repeat(511 * 1024);", {}],
  [
    "calls no policy allows",
    "for (let i = 0; i < 1999; i++) await fetch('http://127.0.0.1:22/' + i).catch(() => {});",
    {},
  ],
];

describe("the database grows by less than 10 MB by", () => {
  it.each(HOOKS)("%s", async (_name, body, more) => {
    const hook = rawHook({
      id: "press",
      events: ["userAction"],
      timeout: 21_600,
      scriptContent: `export async function run(ctx) { ${body} }`,
      ...more,
    });
    const engine = { clock: createFastClock() };
    const world = await openWorld({ catalog: { demo: { hooks: [hook] } }, engine, parent });
    await settledTask(world.engine, (await world.engine.install("demo")).id);
    const before = databaseBytes();
    const { id } = await world.engine.runAction("demo", "press");
    await world.engine.settled(id, AbortSignal.timeout(WITHIN_MS));
    if (body.includes(ENDS)) await lastCheckpointEnded(world.engine, id);
    const grown = databaseBytes() - before;
    expect(grown).toBeLessThan(10 * MB);
  });
});
