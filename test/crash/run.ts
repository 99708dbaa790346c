/** One run of a scenario: a folder with database and stand-in, engine processes that are killed, and the end. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { CrashPoint } from "../../src/engine/runtime/crash-points.ts";
import { readTables } from "../../src/standin/apps/read-tables.ts";
import { createStandinHost, type StandinHost } from "../../src/standin/standin.ts";
import { type End, type Generated, readEnd, readGenerated, readStranded, readTasks } from "./end.ts";
import type { Scenario } from "./scenarios.ts";

const CATALOG = fileURLToPath(new URL("./catalog", import.meta.url));
const PROGRAM = fileURLToPath(new URL("./engine.ts", import.meta.url));

/** A stand-in's job takes some 100 ms at this speed: long enough to be killed in. */
const SPEED = 15;

/** When a process dies: at a point by itself, or from outside some ms after it opens the engine or has opened it. */
export type Death =
  | { readonly point: CrashPoint; readonly n: number }
  | { readonly after: "opening" | "ready"; readonly ms: number };

/** How often an uncrashed run passes each point, and how long it works. */
export interface Measure {
  readonly passings: Partial<Record<CrashPoint, number>>;
  /** ms from the opened engine to the end. */
  readonly workMs: number;
}

/** How a run went. */
export interface Outcome {
  readonly end: End;
  /** State of every task in the end. */
  readonly states: readonly string[];
  /** How many of the planned deaths came before the process was done. */
  readonly died: number;
  readonly measure: Measure;
  /** Generated strings that were not the same after the first crash and in the end. */
  readonly rerolled: readonly string[];
  /** Tasks without a next step, at any moment the engine died. */
  readonly stranded: readonly unknown[];
}

/** A folder in which a scenario can begin; copied for each run. */
export interface Stage {
  readonly scenario: Scenario;
  readonly folder: string;
}

/** Sets up the beginning of a scenario, playing the one before it to its end. */
export async function setStage(scenario: Scenario): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), "slipway-crash-"));
  if (scenario.after === undefined) return { scenario, folder };
  const before: Stage = { scenario: scenario.after, folder };
  const { standin, db } = await openRun(before, folder);
  try {
    await live(before, db, null);
  } finally {
    await standin.close();
  }
  const file = join(`${db}.standin`, "state.json");
  const state = JSON.parse(readFileSync(file, "utf8"));
  scenario.prepare?.(state);
  writeFileSync(file, JSON.stringify(state));
  return { scenario, folder };
}

/** Removes a stage. */
export function strikeStage(stage: Stage): void {
  rmSync(stage.folder, { recursive: true, force: true });
  rmSync(compileCache(stage), { recursive: true, force: true });
}

/** Runs a scenario with a process that dies as said, one after the other, and one that ends. */
export async function play(stage: Stage, deaths: readonly Death[]): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "slipway-crash-"));
  cpSync(stage.folder, folder, { recursive: true });
  const { standin, db } = await openRun(stage, folder);
  try {
    const stranded: unknown[] = [];
    let died = 0;
    let early: Generated = {};
    for (const death of deaths) {
      if ((await live(stage, db, death)) !== null) break;
      died += 1;
      if (!existsSync(db)) continue;
      stranded.push(...readStranded(db));
      early = { ...readGenerated(db), ...early };
    }
    const measure = await live(stage, db, null);
    if (measure === null) throw new Error("the last process was killed by somebody else");
    const late = readGenerated(db);
    return {
      end: readEnd(db, standin),
      states: readTasks(db).map(({ state }) => state),
      died,
      measure,
      rerolled: Object.entries(early).flatMap(([place, text]) => (late[place] === text ? [] : [place])),
      stranded: [...stranded, ...readStranded(db)],
    };
  } finally {
    await standin.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function openRun(
  { scenario }: Stage,
  folder: string,
): Promise<{ readonly standin: StandinHost; readonly db: string }> {
  const db = join(folder, "slipway.db");
  const standin = await createStandinHost({
    dir: `${db}.standin`,
    catalogs: [CATALOG],
    answers: readTables(join(CATALOG, "standin")),
    speed: SPEED,
    faults: scenario.faults ?? [],
  });
  return { standin, db };
}

type Message =
  | { readonly kind: "opening" | "ready" }
  | { readonly kind: "done"; readonly passings: Measure["passings"] };

/** One process of the engine; null when it was killed. Throws when it failed. */
async function live(stage: Stage, db: string, death: Death | null): Promise<Measure | null> {
  const point = death !== null && "point" in death ? `${death.point}:${death.n}` : "count";
  const child = fork(PROGRAM, [db, CATALOG, stage.scenario.title], {
    execArgv: [],
    env: { ...process.env, SLIPWAY_CRASH_AT: point, NODE_COMPILE_CACHE: compileCache(stage) },
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  let errors = "";
  child.stderr?.on("data", (chunk) => {
    errors += String(chunk);
  });
  let passings: Measure["passings"] | null = null;
  let readyAt = 0;
  let doneAt = 0;
  child.on("message", (message: Message) => {
    if (message.kind === "ready") readyAt = performance.now();
    if (message.kind === "done") {
      passings = message.passings;
      doneAt = performance.now();
    }
    if (death !== null && "after" in death && message.kind === death.after) void killLater(child, death.ms);
  });
  const [code, signal] = await once(child, "exit");
  if (signal === "SIGKILL") return null;
  if (passings === null) throw new Error(`the engine's process ended with ${code ?? signal}: ${errors}`);
  return { passings, workMs: doneAt - readyAt };
}

/** Compiled once per stage: the start of a process is most of what a run takes. */
function compileCache({ folder }: Stage): string {
  return `${folder}.compiled`;
}

async function killLater(child: ChildProcess, ms: number): Promise<void> {
  await delay(ms);
  child.kill("SIGKILL");
}
