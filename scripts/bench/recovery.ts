/**
 * Bench of recovery: from opening the store of a killed engine with 1,000 tasks in flight until the first effect is taken
 * up, beside opening the same database and reading its rows; and the memory those tasks take.
 * `npm run bench:recovery [-- --quick]`.
 */
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { setup } from "xstate";
import { openReader, openStore } from "../../src/adapters/store-sqlite/open-store.ts";
import type { Store } from "../../src/engine/ports/store.ts";
import { createRuntime } from "../../src/engine/runtime/create-runtime.ts";
import type { EffectHandler, RegisteredMachine } from "../../src/engine/runtime/effect.ts";
import type { Runtime } from "../../src/engine/runtime/runtime.ts";
import { createSystemClock } from "../../src/engine/system/clock.ts";
import { createSystemRandomness } from "../../src/engine/system/randomness.ts";
import { computeMedian, createRow, measureInterleaved, printTable } from "./measure.ts";

const TASKS = 1_000;
const BLOCKS = process.argv.includes("--quick") ? 3 : 15;

const waiting: RegisteredMachine = {
  id: "waiting",
  version: 1,
  machine: setup({
    types: { context: {} as { readonly load: string }, input: {} as { readonly load: string } },
    delays: { waitTime: 3_600_000 },
    actions: { "host.call": () => {} },
  }).createMachine({
    id: "waiting",
    context: ({ input }) => ({ load: input?.load ?? "" }),
    initial: "CALLING",
    states: { CALLING: { entry: "host.call", after: { waitTime: "OVER" } }, OVER: { type: "final" } },
  }),
  migrate: {},
  view: () => ({ kind: "update", state: "RUNNING", label: "waiting", progress: 0, marks: [] }),
};

const folder = mkdtempSync(join(process.cwd(), "bench-"));
const killed = join(folder, "killed.db");
try {
  const memory = await leaveKilled();
  const found = await measureInterleaved(BLOCKS, { recovery: recover, rows: readRows });
  printTable(`Recovery of ${TASKS} tasks in flight`, [
    createRow("open and read the rows", found.rows, "ms", { ratio: 1 }),
    createRow("open, recover, first effect taken up", found.recovery, "ms", {
      ratio: computeMedian(found.recovery) / computeMedian(found.rows),
      target: "at most 250 ms",
    }),
    createRow("heap per task in flight", [memory], "KB"),
  ]);
} finally {
  rmSync(folder, { recursive: true });
}

function createEngine(store: Store, call: EffectHandler["perform"]): Runtime {
  const ignore = () => {};
  return createRuntime({
    store,
    registry: { waiting },
    handlers: { "host.call": { class: "idempotent", perform: call } },
    clock: createSystemClock(),
    randomness: createSystemRandomness(),
    logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
  });
}

/** Rejects when the engine closes, as a real call does. */
function callForEver(_params: unknown, { signal }: { readonly signal: AbortSignal }): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
}

/** A database as a kill leaves it: its files copied while they are open. Answers the KB of heap each task takes. */
async function leaveKilled(): Promise<number> {
  const store = openStore({ file: join(folder, "live.db") });
  const runtime = createEngine(store, callForEver);
  const load = "x".repeat(1_900);
  const before = await measureHeap();
  for (let count = 0; count < TASKS; count += 1) {
    runtime.start({ machine: "waiting", input: { load }, kind: "update", appId: `app${count}` });
  }
  for (const end of ["", "-wal"]) copyFileSync(join(folder, `live.db${end}`), `${killed}${end}`);
  const taken = (await measureHeap()) - before;
  await runtime.close();
  store.close();
  return taken / TASKS / 1_024;
}

/** Bytes in use after everything that can go has gone. */
async function measureHeap(): Promise<number> {
  setFlagsFromString("--expose-gc");
  await new Promise(setImmediate);
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed;
}

function copyKilled(name: string): string {
  const file = join(folder, name);
  for (const end of ["", "-wal"]) copyFileSync(`${killed}${end}`, `${file}${end}`);
  for (const end of ["-shm", ".witness"]) rmSync(`${file}${end}`, { force: true });
  return file;
}

async function recover(): Promise<number> {
  const file = copyKilled("recovered.db");
  const start = performance.now();
  const first = Promise.withResolvers<number>();
  const store = openStore({ file });
  const runtime = createEngine(store, (params, run) => {
    first.resolve(performance.now() - start);
    return callForEver(params, run);
  });
  await runtime.recover();
  const ms = await first.promise;
  await runtime.close();
  store.close();
  return ms;
}

function readRows(): number {
  const file = copyKilled("read.db");
  const start = performance.now();
  const reads = openReader(file);
  reads.unfinished();
  reads.openEffects();
  reads.timers();
  const ms = performance.now() - start;
  reads.close();
  return ms;
}
