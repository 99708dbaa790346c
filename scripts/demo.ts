/**
 * `npm run demo`: two apps are installed by real machines on the stand-in host, with hooks in the real sandbox. The
 * engine's process is killed with SIGKILL twice, in the host's `app.create` job and in the middle of a hook, and goes on.
 * Exits non-zero when the end is not the expected one.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inspect } from "node:util";
import { EXIT } from "../src/cli/ui/exit.ts";
import { toEngineError } from "../src/cli/ui/system-error.ts";
import { renderTask } from "../src/cli/ui/task-text.ts";
import { printError } from "../src/cli/ui/terminal.ts";
import type { TaskView } from "../src/engine/api.ts";
import { joinStandin } from "../src/standin/join.ts";

type Change = { readonly kind: "change"; readonly task: Omit<TaskView, "children"> };
type Done = {
  readonly kind: "done";
  readonly tasks: readonly TaskView[];
  readonly values: readonly { readonly appId: string; readonly appValues: object }[];
};
/** Scripts run in a weak sandbox. */
type Weak = { readonly kind: "weak"; readonly missing: string };
type Message = Change | Done | Weak;

/** The moments the engine is killed at, in order. */
const KILLS: readonly { readonly title: string; readonly at: (task: Change["task"]) => boolean }[] = [
  {
    title: "in the host's app.create job",
    at: ({ kind, appId, progress, waitingFor }) =>
      kind === "install" && appId === "demo-media" && waitingFor?.kind === "host" && progress >= 30,
  },
  {
    title: "in the middle of a hook",
    at: ({ hookId, checkpoints }) =>
      hookId === "configure-library" && checkpoints.some(({ id, state }) => id === "notes" && state === "COMPLETED"),
  },
];

/** Where the demo works. */
interface Place {
  readonly db: string;
  readonly catalog: string;
}

let isWarned = false;

try {
  process.exitCode = await playDemo(makePlace());
} catch (error) {
  const { stdout, stderr, stdin } = process;
  const terminal = { stdout, stderr, stdin, signal: new AbortController().signal, exitCode: EXIT.done };
  printError(terminal, toEngineError(error), "text");
  process.exitCode = EXIT.failed;
}

function makePlace(): Place {
  const dir = mkdtempSync(join(tmpdir(), "slipway-demo-"));
  const catalog = join(dir, "catalog");
  cpSync(fileURLToPath(new URL("./demo/catalog", import.meta.url)), catalog, { recursive: true });
  makeLibraryBusy(join(catalog, "standin", "demo-media.json"));
  return { db: join(dir, "slipway.db"), catalog };
}

/** Gives the exit code. */
async function playDemo(place: Place): Promise<number> {
  const { db, catalog } = place;
  const standin = await joinStandin({ dir: `${db}.standin`, catalog, answers: join(catalog, "standin"), idleExitS: 5 });
  try {
    console.log(`stand-in host: process ${standin.pid} at ${standin.url}\n`);
    const done = await runWithKills(place);
    if (done !== null) show(done);
    const isFine = done !== null && isExpected(done);
    console.log(isFine ? "the demo ended as expected" : "the demo did NOT end as expected");
    if (isFine) console.log(`\nlook at it in a browser: npm run -s slipway -- serve --no-token --db ${db}`);
    return isFine ? EXIT.done : EXIT.failed;
  } finally {
    stop(standin.pid);
  }
}

/** A stand-in nobody uses ends by itself. */
function stop(pid: number): void {
  try {
    process.kill(pid, "SIGTERM");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

function show(done: Done): void {
  console.log("\nThe finished tasks:");
  for (const task of [...done.tasks].reverse()) console.log(renderTask(task).join("\n"));
  console.log("\nWhat the apps were created with (secrets masked):");
  for (const { appId, appValues } of done.values) {
    console.log(appId, inspect(appValues, { depth: null, breakLength: 116, compact: 4 }));
  }
  console.log();
}

/** The first scan is answered "busy", so that a person has something to decide. */
function makeLibraryBusy(file: string): void {
  const table: { answers: object[] } = JSON.parse(readFileSync(file, "utf8"));
  const busy = { method: "POST", path: "/api/library/scan", status: 503, times: 1 };
  writeFileSync(file, JSON.stringify({ ...table, answers: [busy, ...table.answers] }));
}

/** Null where an engine ended before its time: it has said why. */
async function runWithKills(place: Place): Promise<Done | null> {
  for (const { title, at } of KILLS) {
    const engine = startEngine(place);
    await waitUntilKilled(engine, at);
    if (engine.signalCode !== "SIGKILL") return null;
    console.log(`\n-- SIGKILL to the engine's process ${engine.pid} ${title}; starting it again\n`);
  }
  return waitUntilKilled(startEngine(place), () => false);
}

function startEngine({ db, catalog }: Place): ChildProcess {
  const program = fileURLToPath(new URL("./demo/engine.ts", import.meta.url));
  return fork(program, [db, catalog], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
}

/** Kills the engine at the moment given; resolves after its end with what it reported when it finished by itself. */
async function waitUntilKilled(engine: ChildProcess, at: (task: Change["task"]) => boolean): Promise<Done | null> {
  let done: Done | null = null;
  engine.on("message", (message: Message) => {
    if (message.kind === "done") done = message;
    else if (message.kind === "weak") warnOnce(message.missing);
    else if (at(message.task)) engine.kill("SIGKILL");
  });
  await once(engine, "exit");
  return done;
}

function warnOnce(missing: string): void {
  if (!isWarned) console.error(`warning: scripts run with the isolation this machine gives, without ${missing}\n`);
  isWarned = true;
}

/** Both installs completed, no checkpoint open, nothing skipped. */
function isExpected({ tasks }: Done): boolean {
  const isWhole = (task: TaskView): boolean =>
    task.state === "COMPLETED" &&
    task.checkpoints.every(({ state }) => state === "COMPLETED") &&
    task.children.every(isWhole);
  return tasks.length === 2 && tasks.every(isWhole) && tasks.every(({ children }) => children.length === 1);
}
