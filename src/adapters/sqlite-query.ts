/**
 * `bun:sqlite` of scripts: read-only queries on databases below the mounts.
 *
 * Invariants:
 * 1. The app's own files are only read: database, WAL and rollback journal are copied, and the copy is opened.
 * 2. SQL and database are hostile: they meet SQLite in a process of its own, without privileges, that is killed when a
 *    query takes longer than `QUERY_MS`, and whose folder is removed with the session.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:fs";
import { chmod, chown, copyFile, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, extname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { withEsbuild } from "../../sandbox/bundle-service.ts";
import type { Answered, Mount, OutsideQuery } from "../../sandbox/contract.ts";
import type { Fault, SqliteRows } from "../../sandbox/ops.ts";
import { withMountFile } from "./mount-files.ts";
import type { SqliteQuestion, SqliteReply } from "./sqlite-query-process.ts";

/** Most ms of one query. */
const QUERY_MS = 5_000;
/** Most bytes of a database with its WAL. */
const DATABASE_BYTES = 1024 * 1024 * 1024;
/** RLIMIT_DATA of the process, in the KB `ulimit -d` takes. */
const DATA_KB = 300_000;
/** Most databases open at once. */
const DATABASES = 8;
/** Tries to copy a database that is being written. */
const COPIES = 3;
/** User and group of the process where the engine is root. */
const QUERY_ID = 65_001;

/** The databases of one run. */
export class SqliteSession {
  readonly #mounts: readonly Mount[];
  readonly #files = new Map<number, string>();
  #folder: Promise<string> | null = null;
  #process: Promise<QueryProcess> | null = null;
  #handles = 0;

  constructor(mounts: readonly Mount[]) {
    this.#mounts = mounts;
  }

  async openDatabase(path: string): Promise<Answered<number>> {
    if (this.#files.size >= DATABASES) return fault(`more than ${DATABASES} databases are open`);
    this.#folder ??= makeFolder();
    const db = ++this.#handles;
    const copy = join(await this.#folder, `${db}.db`);
    const copied = await this.#copy(path, copy);
    if ("error" in copied) return copied;
    this.#files.set(db, copy);
    return { ok: db };
  }

  async query({ db, sql, params, limit }: OutsideQuery): Promise<Answered<SqliteRows>> {
    const file = this.#files.get(db);
    if (file === undefined) return fault("the database is closed");
    this.#process ??= this.#folder === null ? null : this.#folder.then(startProcess);
    const process = await this.#process;
    if (process === null) return fault("the database is closed");
    const reply = await process.ask({ file, sql, params, ...(limit !== undefined && { limit }) });
    if (reply === null) {
      this.#process = null;
      return fault(`interrupted: a query took longer than the allowed ${QUERY_MS} ms or too much memory`);
    }
    return "rows" in reply ? { ok: reply.rows } : fault(reply.message);
  }

  async closeDatabase(db: number): Promise<Answered<null>> {
    const file = this.#files.get(db);
    this.#files.delete(db);
    if (file !== undefined) await Promise.all(PARTS.map((part) => rm(file + part, { force: true })));
    return { ok: null };
  }

  async close(): Promise<void> {
    const process = await this.#process;
    await process?.end();
    const folder = await this.#folder;
    if (folder !== undefined && folder !== null) await rm(folder, { recursive: true, force: true });
  }

  /** Copies until database and WAL stayed the same meanwhile; the last try is taken as it is. */
  async #copy(path: string, copy: string): Promise<Answered<null>> {
    let answer: Answered<null> = { ok: null };
    for (let tries = 0; tries < COPIES; tries++) {
      const before = await this.#version(path);
      if ("error" in before) return before;
      for (const part of PARTS) {
        answer = await this.#copyPart(path + part, copy + part);
        if (part === "" && "error" in answer) return answer;
      }
      const after = await this.#version(path);
      if ("ok" in after && after.ok === before.ok) break;
    }
    return { ok: null };
  }

  async #copyPart(from: string, to: string): Promise<Answered<null>> {
    return withMountFile(this.#mounts, from, async (fixedPath, stats) => {
      if (stats.size > DATABASE_BYTES) return fault(`the database is larger than the allowed ${DATABASE_BYTES} bytes`);
      await copyFile(fixedPath, to, constants.COPYFILE_FICLONE);
      await ownByProcess(to, 0o600);
      return { ok: null };
    });
  }

  /** Changes whenever the database or its WAL is written. */
  async #version(path: string): Promise<Answered<string>> {
    const versions: string[] = [];
    for (const part of PARTS) {
      const answer = await withMountFile(this.#mounts, path + part, async (_, { size, mtimeMs, ino }) => ({
        ok: `${ino}:${size}:${mtimeMs}`,
      }));
      if (part === "" && "error" in answer) return answer;
      versions.push("ok" in answer ? answer.ok : "none");
    }
    return { ok: versions.join(" ") };
  }
}

/** Database, write-ahead log, rollback journal. */
const PARTS = ["", "-wal", "-journal"] as const;

async function makeFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "slipway-sqlite-")));
  await ownByProcess(folder, 0o700);
  return folder;
}

async function ownByProcess(path: string, mode: number): Promise<void> {
  await chmod(path, mode);
  if (isRoot()) await chown(path, QUERY_ID, QUERY_ID);
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** A running query process; one question at a time, as the isolate waits for each. */
class QueryProcess {
  readonly #child: ChildProcess;
  readonly #gone: Promise<void>;
  #waiting: ((reply: SqliteReply | null) => void) | null = null;

  constructor(child: ChildProcess) {
    this.#child = child;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#gone = promise;
    const end = (): void => {
      this.#answer(null);
      resolve();
    };
    child.once("exit", end);
    child.once("error", end);
    child.stdin?.on("error", () => this.#answer(null));
    if (child.stdout !== null) {
      createInterface({ input: child.stdout }).on("line", (line) => this.#answer(JSON.parse(line)));
    }
  }

  /** The reply, or null, with the process killed, when it took too long or the process died. */
  async ask(question: SqliteQuestion): Promise<SqliteReply | null> {
    const { promise, resolve } = Promise.withResolvers<SqliteReply | null>();
    this.#waiting = resolve;
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), QUERY_MS);
    this.#child.stdin?.write(`${JSON.stringify(question)}\n`);
    const reply = await promise;
    clearTimeout(timer);
    if (reply === null) await this.end();
    return reply;
  }

  async end(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#gone;
  }

  #answer(reply: SqliteReply | null): void {
    const resolve = this.#waiting;
    this.#waiting = null;
    resolve?.(reply);
  }
}

let program: Promise<string> | null = null;

async function startProcess(folder: string): Promise<QueryProcess> {
  program ??= bundleProgram();
  const child = spawn(
    "/bin/sh",
    [
      "-c",
      `ulimit -d ${DATA_KB} && ulimit -t 30 && ulimit -c 0 && ulimit -n 64 && exec "$@"`,
      "sh",
      process.execPath,
      // RLIMIT_DATA leaves no room for the JIT's reservations
      "--jitless",
      "--permission",
      "--disable-warning=ExperimentalWarning",
      `--allow-fs-read=${folder}/*`,
      `--allow-fs-write=${folder}/*`,
      "--input-type=module",
      "--eval",
      await program,
    ],
    {
      cwd: "/",
      env: { TZ: "UTC" },
      stdio: ["pipe", "pipe", "ignore"],
      ...(isRoot() && { uid: QUERY_ID, gid: QUERY_ID }),
    },
  );
  return new QueryProcess(child);
}

/** The program as text: the process's user may be unable to read this folder. */
async function bundleProgram(): Promise<string> {
  const here = fileURLToPath(import.meta.url);
  const result = await withEsbuild(() =>
    build({
      entryPoints: [join(dirname(here), `sqlite-query-process${extname(here)}`)],
      bundle: true,
      write: false,
      platform: "node",
      format: "esm",
      target: "node24",
      minifyWhitespace: true,
      logLevel: "silent",
      tsconfigRaw: "{}",
    }),
  );
  const [file] = result.outputFiles;
  if (file === undefined) throw new Error("esbuild wrote no bundle");
  return file.text;
}

function fault<T>(message: string): Answered<T> {
  const error: Fault = { name: "SQLiteError", message };
  return { error };
}
