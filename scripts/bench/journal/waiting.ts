/**
 * One engine of the journal bench with hooks that wait for a person, or with as many that have ended; prints what it takes
 * as JSON. `node --expose-gc scripts/bench/journal/waiting.ts HOOKS (waits|ends)`.
 */
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { createSandbox } from "../../../sandbox/sandbox.ts";
import { createScriptIo } from "../../../src/adapters/script-io/script-io.ts";
import { createEngineWorld, settledTask } from "../../../test/support/engine/engine-world.ts";
import { rawHook } from "../../../test/support/scripts/scripts.ts";
import { computeMedian, measureMs } from "../measure.ts";

/** Memory one engine takes. */
export interface Waiting {
  /** Of the engine's own process after a garbage collection. */
  readonly pssMb: number;
  readonly heapMb: number;
  /** Processes that hold a script, the warm one not counted. */
  readonly children: number;
  /** Ms from a press to the end of its task; null where nobody is waited for. */
  readonly clickMs: number | null;
}

const MB = 1024 * 1024;
const AT_ONCE = 8;
const PARK_MS = 200;
/** Longer than a run takes to be parked and the warm child to be ready, ms. */
const REST_MS = 2_000;
const CLICKS = 10;

const [, , hooks, kind] = process.argv;
if (hooks === undefined || (kind !== "waits" && kind !== "ends")) throw new Error("usage: waiting.ts HOOKS KIND");
console.log(JSON.stringify(await measure(Number(hooks), kind === "waits")));

async function measure(count: number, waits: boolean): Promise<Waiting> {
  const sandbox = createSandbox({
    allowWeakSandbox: true,
    scriptIo: createScriptIo({ loopback: true }),
    parkMs: PARK_MS,
  });
  const ids = Array.from({ length: count }, (_, at) => `hook-${at}`);
  const scriptContent = `export async function run(ctx) {
    ctx.log("begun");
    ${waits ? `await ctx.awaitCheckpointRetry("door", "It is locked");` : `await ctx.emitCheckpoint("door");`}
  }`;
  const world = await createEngineWorld({
    catalog: { demo: { hooks: ids.map((id) => rawHook({ id, title: id, entrypoint: "run", scriptContent })) } },
    engine: { sandbox },
  });
  const { engine } = world;
  try {
    await settledTask(engine, (await engine.install("demo")).id);
    const tasks: string[] = [];
    for (let first = 0; first < count; first += AT_ONCE) {
      const pressed = ids.slice(first, first + AT_ONCE).map((id) => press(id));
      tasks.push(...(await Promise.all(pressed)));
    }
    await pause(REST_MS);
    const taken = takeStock();
    const clicks: number[] = [];
    for (const task of waits ? tasks.slice(0, CLICKS) : []) {
      clicks.push(await measureMs(() => decide(task)));
      await pause(REST_MS);
    }
    return { ...taken, clickMs: waits ? computeMedian(clicks) : null };
  } finally {
    await world.close();
    await sandbox.close();
  }

  async function press(hook: string): Promise<string> {
    const { id } = await engine.runAction("demo", hook);
    const { state } = await settledTask(engine, id);
    if (state !== (waits ? "AWAITING_RETRY" : "COMPLETED")) throw new Error(`"${hook}" is ${state}`);
    return id;
  }

  async function decide(task: string): Promise<void> {
    await engine.retry(task);
    const { state } = await settledTask(engine, task);
    if (state !== "COMPLETED") throw new Error(`"${task}" ended ${state}`);
  }
}

function takeStock(): Omit<Waiting, "clickMs"> {
  if (globalThis.gc === undefined) throw new Error("run it with --expose-gc");
  for (let round = 0; round < 5; round += 1) globalThis.gc();
  const pss = /^Pss:\s+(\d+) kB/m.exec(readFileSync("/proc/self/smaps_rollup", "latin1"))?.[1];
  return {
    pssMb: (Number(pss) * 1024) / MB,
    heapMb: process.memoryUsage().heapUsed / MB,
    // one is ready for the next run
    children: Math.max(0, countScriptProcesses() - 1),
  };
}

/** Processes below this one that run the sandbox's child. */
function countScriptProcesses(): number {
  const processes = readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? readProcess(name) : []));
  const parents = new Map(processes.map(({ pid, parent }) => [pid, parent]));
  const isOurs = (pid: string | undefined): boolean =>
    pid !== undefined && (pid === String(process.pid) || isOurs(parents.get(pid)));
  return processes.filter(({ pid, isScript }) => isScript && isOurs(pid)).length;
}

function readProcess(pid: string) {
  try {
    const [program = "", ...args] = readFileSync(`/proc/${pid}/cmdline`, "latin1").split("\0");
    const parent = /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1] ?? "0";
    // shells stand between this process and the script's, with the same words behind theirs
    return [{ pid, parent, isScript: program.endsWith("node") && args.some((arg) => arg.startsWith("--stack-size=")) }];
  } catch {
    // ended meanwhile
    return [];
  }
}
