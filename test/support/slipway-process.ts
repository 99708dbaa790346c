/** The real command line as child processes, on a folder of its own with one fast stand-in. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll } from "vitest";
import { z } from "zod";
import { openReader } from "../../src/adapters/store-sqlite/open-store.ts";
import { takeLock } from "../../src/adapters/store-sqlite/opening/lock.ts";
import type { TaskView } from "../../src/engine/api.ts";
import { joinStandin } from "../../src/standin/join.ts";
import { readReady, type StandinAddress } from "../../src/standin/ready.ts";
import { type BuiltProgram, buildProgram } from "./built-program.ts";

const SOURCE = fileURLToPath(new URL("../../src/cli/bin.ts", import.meta.url));

let program: BuiltProgram | null = null;

beforeAll(async () => {
  program = await buildProgram(SOURCE);
});
afterAll(() => program?.remove());

/** The program, built before the first test of a file: `node SCRIPT ARGS`. */
export function mainScript(): string {
  if (program === null) throw new Error("commands are started by tests, not while they are collected");
  return program.path;
}

export interface SlipwayResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export type SlipwayProcess = ChildProcessByStdio<null, Readable, Readable>;

/** Starts a command without a terminal; `env` is added to this process's own, `cwd` is its working directory. */
export function startSlipway(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd = process.cwd(),
): SlipwayProcess {
  const whole = { ...process.env, ...env };
  return spawn(process.execPath, [mainScript(), ...args], { stdio: ["ignore", "pipe", "pipe"], env: whole, cwd });
}

/** What a command wrote and how it ended. */
export async function endOf(child: SlipwayProcess): Promise<SlipwayResult> {
  const exit = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [stdout, stderr, exitCode] = await Promise.all([text(child.stdout), text(child.stderr), exit]);
  return { exitCode, stdout, stderr };
}

/** Runs a command without a terminal to its end. */
export function slipway(...args: readonly string[]): Promise<SlipwayResult> {
  return endOf(startSlipway(args));
}

/** Waits until the child's output holds a text; rejects when it ends first. */
export function untilOutput(child: SlipwayProcess, wanted: string | RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let seen = "";
    const look = (chunk: Buffer): void => {
      seen += chunk;
      if (typeof wanted === "string" ? seen.includes(wanted) : wanted.test(seen)) resolve(seen);
    };
    child.stdout.on("data", look);
    child.stderr.on("data", look);
    child.once("close", () => reject(new Error(`the command ended without "${String(wanted)}":\n${seen}`)));
  });
}

/** What a command may have left behind: tasks, the host's apps, directories and shares. */
export interface Traces {
  readonly tasks: number;
  readonly apps: readonly string[];
  readonly directories: readonly string[];
  readonly shares: number;
}

export interface SlipwayFolder {
  readonly path: string;
  readonly catalog: string;
  readonly db: string;
  /** Options of every command that works with the folder's engine. */
  readonly engine: readonly string[];
  /** Writes a file below the folder and returns its path; what is no text is written as JSON. */
  write(name: string, content: unknown): string;
  /** The folder's stand-in; started when none runs. */
  standin(): Promise<StandinAddress>;
  /** Throws while a process owns the database. */
  traces(): Traces;
  /** Ends the stand-in and deletes the folder. */
  remove(): void;
}

const StandinState = z.object({ apps: z.record(z.string(), z.unknown()), shares: z.array(z.unknown()) });

/** Makes a folder with a catalog: by file name JSON, or the text of a script file. `speed` is its stand-in's. */
export function createSlipwayFolder(files: Readonly<Record<string, unknown>>, speed = 50): SlipwayFolder {
  const path = mkdtempSync(join(tmpdir(), "slipway-cli-"));
  const [catalog, db] = [join(path, "catalog"), join(path, "slipway.db")];
  const dir = `${db}.standin`;
  const write = (name: string, content: unknown): string => {
    const file = join(path, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content, null, 2));
    return file;
  };
  mkdirSync(catalog);
  for (const [name, content] of Object.entries(files)) write(join("catalog", name), content);
  const answers = join(catalog, "standin");
  return {
    path,
    catalog,
    db,
    engine: ["--catalog", catalog, "--db", db, "--standin-speed", `${speed}`],
    write,
    standin: () => joinStandin({ dir, catalog, speed, idleExitS: 60, ...(existsSync(answers) && { answers }) }),
    traces() {
      const state = StandinState.parse(JSON.parse(readFileSync(join(dir, "state.json"), "utf8")));
      return {
        tasks: countTasks(db),
        apps: Object.keys(state.apps).sort(),
        directories: readdirSync(join(dir, "mnt"), { recursive: true }).map(String).sort(),
        shares: state.shares.length,
      };
    },
    remove() {
      const pid = readReady(dir)?.pid;
      if (pid !== undefined) process.kill(pid, "SIGTERM");
      rmSync(path, { recursive: true, force: true });
    },
  };
}

function countTasks(db: string): number {
  if (!existsSync(db)) return 0;
  takeLock(db, { pid: process.pid, command: "test" })();
  const reader = openReader(db);
  try {
    return reader.rootTrees().length;
  } finally {
    reader.close();
  }
}

const ErrorDocument = z.strictObject({
  error: z.looseObject({ code: z.string(), message: z.string(), hint: z.string() }),
});

/** The one error document a command printed on stdout. */
export function errorOf({ stdout }: SlipwayResult): z.infer<typeof ErrorDocument>["error"] {
  return ErrorDocument.parse(JSON.parse(stdout)).error;
}

const IsTask = z.custom<TaskView>(
  (value) =>
    z.looseObject({ id: z.string(), state: z.string(), children: z.array(z.unknown()) }).safeParse(value).success,
);

/** The one task a command printed on stdout. */
export function taskOf({ stdout }: SlipwayResult): TaskView {
  return IsTask.parse(JSON.parse(stdout));
}
