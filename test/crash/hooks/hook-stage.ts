/** Hooks under the crash matrix: an app that counts, a folder with database and files, engine processes that are killed. */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BuiltProgram, buildProgram } from "../../support/built-program.ts";
import { readStranded, readTasks } from "../end.ts";
import { type EngineProgram, runEngineProcess, type Told } from "../engine-process.ts";
import type { Death, Measure, Outcome, Stage } from "../stage.ts";
import { startBusyApp } from "./busy-app.ts";
import { type Counts, Ledger } from "./ledger.ts";
import { readKeptCalls, readTrace } from "./trace.ts";

const PROGRAM = fileURLToPath(new URL("./hooks-engine.ts", import.meta.url));
const CATALOG = fileURLToPath(new URL("./catalog", import.meta.url));

/** The hooks of catalog/busy.json, so many at once as leave a machine of two processors time to be killed in. */
export const HOOKS: readonly { readonly title: string; readonly hooks: readonly string[] }[] = [
  { title: "hooks: requests", hooks: ["sequence", "convergent", "parallel", "given", "flaky"] },
  { title: "hooks: time, chance, files", hooks: ["timers", "race", "waits", "chance", "files"] },
  { title: "hooks: persons", hooks: ["persons", "beside", "reports", "retries", "failing"] },
];

/** Where the host has the app's files. */
const APP_FOLDER = "/mnt/tank/apps/busy";

/** What the ledgers of a stage's runs have counted. */
export interface Totals {
  runs: number;
  kills: number;
  decisions: number;
  readonly sent: Record<string, Counts[string]>;
}

/** Sets up some hooks of catalog/busy.json. */
export function setHookStage(hooks: readonly string[]): Stage & { readonly totals: Totals } {
  const compileCache = mkdtempSync(join(tmpdir(), "slipway-crash-compiled-"));
  let built: Promise<BuiltProgram> | undefined;
  const totals: Totals = { runs: 0, kills: 0, decisions: 0, sent: {} };
  return {
    totals,
    async play(deaths) {
      built ??= buildProgram(PROGRAM);
      return play(deaths, hooks, { path: (await built).path, compileCache }, totals);
    },
    async strike() {
      rmSync(compileCache, { recursive: true, force: true });
      (await built)?.remove();
    },
  };
}

async function play(
  deaths: readonly Death[],
  hooks: readonly string[],
  program: Pick<EngineProgram, "path" | "compileCache">,
  totals: Totals,
): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "slipway-crash-hooks-"));
  const db = join(folder, "slipway.db");
  const files = join(folder, APP_FOLDER);
  mkdirSync(files, { recursive: true });
  const ledger = new Ledger();
  const app = await startBusyApp(files, ledger);
  const told = (message: Told): void => {
    if (message.kind === "opening") ledger.beginLife();
    else ledger.decide(message.method, message.name, message.choice);
  };
  const args = [db, folder, String(app.port), hooks.join(), program.compileCache, CATALOG];
  const live = (death: Death | null): Promise<Measure | null> => runEngineProcess({ ...program, args, told }, death);
  try {
    const stranded: unknown[] = [];
    let died = 0;
    for (const death of deaths) {
      if ((await live(death)) !== null) break;
      died += 1;
      if (!existsSync(db)) continue;
      stranded.push(...readStranded(db));
      ledger.keep(readKeptCalls(db));
    }
    const measure = await live(null);
    if (measure === null) throw new Error("the last process was killed by somebody else");
    count(totals, ledger, died);
    return {
      end: { hooks: readTrace(db), requests: ledger.changes },
      states: readTasks(db).map(({ state }) => state),
      died,
      measure,
      faults: [
        ...ledger.faults,
        ...[...stranded, ...readStranded(db)].map((task) => `no next step: ${JSON.stringify(task)}`),
      ],
    };
  } finally {
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function count(totals: Totals, ledger: Ledger, died: number): void {
  totals.runs += 1;
  totals.kills += died;
  totals.decisions += ledger.decisions;
  for (const [method, { calls, sent }] of Object.entries(ledger.counts)) {
    const before = totals.sent[method] ?? { calls: 0, sent: 0 };
    totals.sent[method] = { calls: before.calls + calls, sent: before.sent + sent };
  }
}
