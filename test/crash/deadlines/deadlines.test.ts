/**
 * Deadlines across kills: every one fires once, and at most a second after it was due, or after the engine was there
 * again. Measured with the times of the event log, so a busy machine that starts processes slowly makes nothing late.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { openReader } from "../../../src/adapters/store-sqlite/open-store.ts";
import type { LoggedRow } from "../../../src/engine/ports/store-rows.ts";
import { createSeededRandom } from "../../../src/standin/random.ts";
import { createStandinHost } from "../../../src/standin/standin.ts";
import { type BuiltProgram, buildProgram } from "../../support/built-program.ts";
import { createTestFolder } from "../../support/engine/runtime-world.ts";
import { DEADLINES, type DeadlineName, FAULTS, NAMES, OWNERS, writeDeadlineCatalog } from "./deadline-catalog.ts";

const PROGRAM = fileURLToPath(new URL("./deadline-engine.ts", import.meta.url));
let program: BuiltProgram;
beforeAll(async () => {
  program = await buildProgram(PROGRAM);
});
afterAll(() => program.remove());

const PATIENCE_MS = 300_000;

/** Running time stands still while the engine is down: it is not due by any clock on the wall. */
const RUNNING = "running time of a script";
const WALL = NAMES.filter((name) => name !== RUNNING);

/** How late a deadline may be. */
const LATE_MS = 1_000;
/** Timers are asked in whole ms: one may come the ms before. */
const EARLY_MS = 2;
/** A script's time passes in its own process; the log has its begin when the engine comes to hear of it. */
const HEARD_MS = 1_000;

interface Told {
  readonly kind: "recovered" | "pending" | "overtaken" | "over";
  /** UTC ms. */
  readonly at: number;
}

/** From when an engine was there again until its process was gone, UTC ms. */
interface Life {
  /** A deadline came before every task waited. */
  readonly isOvertaken: boolean;
  readonly recoveredAt: number;
  readonly diedAt: number;
}

/** A folder with catalog, provider and stand-in, in which engines live one after the other. */
async function setUp(ms: number) {
  const folder = createTestFolder();
  onTestFinished(folder.remove);
  const provider = createServer((request, response) => {
    response.end(JSON.stringify(request.method === "POST" ? { id: 7, code: "AB12" } : { id: 7, authToken: null }));
  });
  provider.listen(0, "127.0.0.1");
  await once(provider, "listening");
  onTestFinished(() => void provider.close());
  const { port } = provider.address() as AddressInfo;
  const catalog = join(folder.path, "catalog");
  mkdirSync(catalog);
  writeDeadlineCatalog(catalog, `http://127.0.0.1:${port}`, ms);
  const db = join(folder.path, "slipway.db");
  const standin = await createStandinHost({ dir: `${db}.standin`, catalogs: [catalog], speed: 15, faults: FAULTS });
  onTestFinished(() => standin.close());
  return {
    db,
    /** An engine's life until some ms after it tells what is waited for, then SIGKILL. */
    async live(last: Told["kind"], after = 0): Promise<Life> {
      const child = fork(program.path, [db, catalog, String(ms)], {
        execArgv: [],
        stdio: ["ignore", "ignore", "pipe", "ipc"],
      });
      return heard(child, last, after);
    },
  };
}

async function heard(child: ChildProcess, last: Told["kind"], after: number): Promise<Life> {
  const all: Told[] = [];
  let errors = "";
  child.stderr?.on("data", (chunk) => {
    errors += String(chunk);
  });
  child.on("message", (message: Told) => {
    all.push(message);
    if (message.kind === last || message.kind === "overtaken") setTimeout(() => child.kill("SIGKILL"), after);
  });
  const [code, signal] = await once(child, "exit");
  if (signal !== "SIGKILL") throw new Error(`the engine's process ended with ${code ?? signal}: ${errors}`);
  const recovered = all.find(({ kind }) => kind === "recovered");
  if (recovered === undefined) throw new Error("the engine never recovered");
  const isOvertaken = all.some(({ kind }) => kind === "overtaken");
  return { isOvertaken, recoveredAt: recovered.at, diedAt: Date.now() };
}

/** The log of the task each deadline belongs to, and its timers that run. */
function readLogs(db: string) {
  const reader = openReader(db);
  try {
    return new Map(
      NAMES.map((name) => {
        const { appId, hook } = OWNERS[name];
        const [[root] = []] = reader.rootTrees({ appId });
        const id = hook ? reader.children(root?.id ?? "")[0]?.id : root?.id;
        if (id === undefined) throw new Error(`"${appId}" has no such task`);
        return [name, { log: reader.taskLog(id), timers: reader.timers(id) }];
      }),
    );
  } finally {
    reader.close();
  }
}

type Logs = ReturnType<typeof readLogs>;

function of(logs: Logs, name: DeadlineName) {
  const found = logs.get(name);
  if (found === undefined) throw new Error(`nothing of "${name}"`);
  return found;
}

/** When a deadline is due, UTC ms, as its task said before it came; a script's own counts from where it last went on. */
function dueOf(atKill: Logs, atEnd: Logs, name: DeadlineName, ms: number): number {
  if (name === "OAuth pin") return Date.parse(expiryOf(of(atKill, name).log));
  if (name === RUNNING) {
    const went = of(atEnd, name).log.findLast(({ event }) => ["run.started", "run.resumed"].includes(event.type));
    return (went?.at ?? Number.NaN) + ms - Number(went?.event["ranMs"] ?? 0);
  }
  const timer = of(atKill, name).timers.find(({ id }) => id === DEADLINES[name]);
  if (timer === undefined) throw new Error(`"${name}" was not pending when the engine died`);
  return timer.dueAt;
}

function expiryOf(log: readonly LoggedRow[]): string {
  const opened = log.find(({ event }) => event.type === "oauth.opened")?.event["authorization"];
  return String(Object(opened).expiresAt);
}

const fired = (logs: Logs, name: DeadlineName) =>
  of(logs, name).log.filter(({ event }) => event.type === DEADLINES[name]);

/** An engine killed while every deadline is pending: the first that are long enough for this machine. */
async function killWhilePending(first: number) {
  for (let ms = first; ; ms *= 2) {
    const { db, live } = await setUp(ms);
    if ((await live("pending")).isOvertaken) continue;
    const atKill = readLogs(db);
    if (NAMES.every((name) => fired(atKill, name).length === 0)) return { db, live, ms, atKill };
  }
}

/** Every deadline came once; how late after it was due, or after the engine was there again, in ms. */
function lateness(atKill: Logs, atEnd: Logs, lives: readonly Life[], ms: number): ReadonlyMap<DeadlineName, number> {
  return new Map(
    NAMES.map((name) => {
      const [entry, ...again] = fired(atEnd, name);
      expect(again, `${name}: again`).toEqual([]);
      if (entry === undefined) throw new Error(`"${name}" never fired`);
      const due = dueOf(atKill, atEnd, name, ms);
      const earlyMs = name === RUNNING ? HEARD_MS : EARLY_MS;
      expect(entry.at - due, `${name}: fired early`).toBeGreaterThanOrEqual(-earlyMs);
      const life = lives.find(({ diedAt }) => entry.at <= diedAt);
      return [name, entry.at - Math.max(due, life?.recoveredAt ?? 0)];
    }),
  );
}

function expectInTime(late: ReadonlyMap<DeadlineName, number>): void {
  expect([...late].filter(([, by]) => by > LATE_MS)).toEqual([]);
}

/** Fewer than an engine dies before it repeats nothing by itself (src/engine/runtime/recovery/recovery.ts). */
const KILLS = 3;
const DUE_MS = 8_000;
/** Most that an engine lives before it is killed again, as a part of the deadlines: they fall due meanwhile. */
const MOMENT = 0.4;

describe("deadlines that are pending when the engine is killed", () => {
  const cases = [
    { title: "due after the restart fire in time, once", isDown: false },
    { title: "due while it was down fire at once when it is there again, once", isDown: true },
  ];
  test.each(cases)(
    "$title",
    async ({ isDown }) => {
      let first = DUE_MS;
      for (;;) {
        const { db, live, ms, atKill } = await killWhilePending(first);
        first = 2 * ms;
        const dues = WALL.map((name) => dueOf(atKill, atKill, name, ms));
        if (isDown) await delay(Math.max(...dues) + 1 - Date.now());
        const life = await live("over");
        // A machine so busy that the engine came back too late shows nothing of this case: later deadlines will.
        if (dues.some((due) => due < life.recoveredAt !== isDown)) continue;
        const next = await live("recovered");
        expectInTime(lateness(atKill, readLogs(db), [life, next], ms));
        return;
      }
    },
    PATIENCE_MS,
  );

  const seed = Number(process.env["SLIPWAY_SEED"] ?? Date.now() % 1_000_000);
  test(
    `fire in time, once, however often it is killed while they fall due (seed ${seed})`,
    async () => {
      const random = createSeededRandom(seed);
      const { db, live, ms, atKill } = await killWhilePending(DUE_MS);
      const lives: Life[] = [];
      for (let kill = 0; kill < KILLS; kill += 1) lives.push(await live("recovered", random.between(0, ms * MOMENT)));
      lives.push(await live("over"));
      expectInTime(lateness(atKill, readLogs(db), lives, ms));
    },
    PATIENCE_MS,
  );
});
