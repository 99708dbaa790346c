/**
 * Bench of the event stream: turns whose change is delivered to 100 watchers, beside the same turns with one watcher.
 * Time runs from the turn to the moment the last watcher has its event. `npm run bench:watch [-- --quick]`.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { machines } from "../../machines/index.ts";
import { openStore } from "../../src/adapters/store-sqlite/open-store.ts";
import { createRuntime } from "../../src/engine/runtime/create-runtime.ts";
import type { Runtime } from "../../src/engine/runtime/runtime.ts";
import { createSystemClock } from "../../src/engine/system/clock.ts";
import { createSystemRandomness } from "../../src/engine/system/randomness.ts";
import { SILENT_LOGGER } from "../../src/engine/system/silent-logger.ts";
import { computeMedian, createRow, measureInterleaved, printTable } from "./measure.ts";

const BLOCKS = process.argv.includes("--quick") ? 5 : 40;
const EVENTS = 20;
const INPUT = { checkpoint: "one", message: "One" };

const folder = mkdtempSync(join(process.cwd(), "bench-"));
const store = openStore({ file: join(folder, "watch.db") });
const runtime = createRuntime({
  store,
  registry: machines,
  handlers: {},
  clock: createSystemClock(),
  randomness: createSystemRandomness(),
  logger: SILENT_LOGGER,
});
try {
  const { id } = runtime.start({ machine: "checkpoint", input: INPUT, kind: "update", appId: "bench" });
  const found = await measureInterleaved(BLOCKS, { one: () => deliver(id, 1), hundred: () => deliver(id, 100) });
  printTable("A change told to watchers, commit included", [
    createRow("1 watcher", found.one, "us", { ratio: 1 }),
    createRow("100 watchers", found.hundred, "us", { ratio: computeMedian(found.hundred) / computeMedian(found.one) }),
  ]);
} finally {
  await runtime.close();
  store.close();
  rmSync(folder, { recursive: true });
}

/** Microseconds per event from its turn until every watcher has it. */
async function deliver(taskId: string, watchers: number): Promise<number> {
  const stop = new AbortController();
  const from = store.lastSeq();
  const streams = Array.from({ length: watchers }, () => runtime.watch(from, stop.signal)[Symbol.asyncIterator]());
  const start = performance.now();
  for (let event = 0; event < EVENTS; event += 1) {
    const told = streams.map((stream) => stream.next());
    say(runtime, taskId, event);
    await Promise.all(told);
  }
  const us = ((performance.now() - start) * 1_000) / EVENTS;
  stop.abort();
  await Promise.all(streams.map((stream) => stream.next()));
  return us;
}

function say(to: Runtime, taskId: string, event: number): void {
  to.send(taskId, { type: "script.message", message: `message ${event}` });
}
