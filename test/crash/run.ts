/** Lifecycles under the crash matrix: a folder with database and stand-in, engine processes that are killed, and the end. */
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readTables } from "../../src/standin/apps/read-tables.ts";
import { createStandinHost, type StandinHost } from "../../src/standin/standin.ts";
import { type BuiltProgram, buildProgram } from "../support/built-program.ts";
import { type Generated, readEnd, readGenerated, readStranded, readTasks } from "./end.ts";
import { runEngineProcess } from "./engine-process.ts";
import type { Scenario } from "./scenarios.ts";
import type { Death, Measure, Outcome, Stage } from "./stage.ts";

const CATALOG = fileURLToPath(new URL("./catalog", import.meta.url));
const PROGRAM = fileURLToPath(new URL("./engine.ts", import.meta.url));

/** A stand-in's job takes some 100 ms at this speed: long enough to be killed in. */
const SPEED = 15;

interface Beginning {
  readonly scenario: Scenario;
  /** Copied for each run. */
  readonly folder: string;
  /** The engine's process: its start is most of what a run takes. */
  readonly program: BuiltProgram;
}

/** Sets up the beginning of a scenario, playing those before it to their ends. */
export async function setStage(scenario: Scenario): Promise<Stage> {
  const beginning = await setBeginning(scenario, await buildProgram(PROGRAM));
  return {
    play: (deaths) => play(beginning, deaths),
    strike: () => {
      rmSync(beginning.folder, { recursive: true, force: true });
      rmSync(compileCache(beginning), { recursive: true, force: true });
      beginning.program.remove();
    },
  };
}

async function setBeginning(scenario: Scenario, program: BuiltProgram): Promise<Beginning> {
  const { after } = scenario;
  const before =
    after === undefined
      ? { scenario, folder: mkdtempSync(join(tmpdir(), "slipway-crash-")), program }
      : await setBeginning(after, program);
  if (after === undefined && scenario.prepare === undefined) return before;
  const { folder } = before;
  const { standin, db } = await openRun(before, folder);
  try {
    if (after !== undefined) await live(before, db, null);
  } finally {
    await standin.close();
  }
  const file = join(`${db}.standin`, "state.json");
  const state = JSON.parse(readFileSync(file, "utf8"));
  scenario.prepare?.(state);
  if (scenario.forgets === true)
    for (const end of ["", "-wal", "-shm", ".witness"]) rmSync(`${db}${end}`, { force: true });
  writeFileSync(file, JSON.stringify(state));
  return { scenario, folder, program };
}

async function play(stage: Beginning, deaths: readonly Death[]): Promise<Outcome> {
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
      end: { ...readEnd(db, standin) },
      states: readTasks(db).map(({ state }) => state),
      died,
      measure,
      faults: [
        // An uninstall that takes the data too empties the plans of what was before it.
        ...Object.entries(early).flatMap(([place, text]) =>
          (late[place] ?? text) === text ? [] : [`generated anew: ${place}`],
        ),
        ...[...stranded, ...readStranded(db)].map((task) => `no next step: ${JSON.stringify(task)}`),
      ],
    };
  } finally {
    await standin.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function openRun(
  { scenario }: Beginning,
  folder: string,
): Promise<{ readonly standin: StandinHost; readonly db: string }> {
  const db = join(folder, "slipway.db");
  const standin = await createStandinHost({
    dir: `${db}.standin`,
    catalogs: [CATALOG],
    answers: readTables(join(CATALOG, "standin")),
    speed: SPEED,
    scansSnapshots: false,
    faults: scenario.faults ?? [],
  });
  return { standin, db };
}

function live(stage: Beginning, db: string, death: Death | null): Promise<Measure | null> {
  const args = [db, CATALOG, stage.scenario.title];
  return runEngineProcess({ path: stage.program.path, args, compileCache: compileCache(stage) }, death);
}

function compileCache({ folder }: Beginning): string {
  return `${folder}.compiled`;
}
