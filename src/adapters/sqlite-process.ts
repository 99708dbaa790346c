/**
 * The process that meets a script's SQL, as the engine holds it: without privileges, killed when a query takes longer
 * than `QUERY_MS`.
 *
 * Invariant: SQLite may be taken over by a hostile database, so nothing the process says is believed before a schema has
 * passed it, and not more than `REPLY_BYTES` of it is kept.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { z } from "zod";
import { withEsbuild } from "../../sandbox/bundle-service.ts";
import type { SqliteQuestion, SqliteReply } from "./sqlite-query-process.ts";

/** Most ms of one query. */
export const QUERY_MS = 5_000;
/** RLIMIT_DATA of the process, in the KB `ulimit -d` takes. */
const DATA_KB = 300_000;
/** Most bytes of one reply's line: the rows allowed (sqlite-query-process.ts), with room for their frame. */
const REPLY_BYTES = 16 * 1024 * 1024;

const Value = z.union([z.string(), z.number(), z.null(), z.object({ bytes: z.string() })]);
const Reply: z.ZodType<SqliteReply> = z.union([
  z.object({ rows: z.object({ columns: z.array(z.string()), rows: z.array(z.array(Value)) }) }),
  z.object({ message: z.string() }),
]);

/** A running query process; one question at a time, as the isolate waits for each. */
export class QueryProcess {
  readonly #child: ChildProcess;
  readonly #gone: Promise<void>;
  #isGone = false;
  #waiting: ((reply: SqliteReply | null) => void) | null = null;
  #heard: Buffer[] = [];
  #heardBytes = 0;

  constructor(child: ChildProcess) {
    this.#child = child;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#gone = promise;
    const end = (): void => {
      this.#isGone = true;
      this.#answer(null);
      resolve();
    };
    child.once("exit", end);
    child.once("error", end);
    child.stdin?.on("error", () => this.#answer(null));
    child.stdout?.on("data", (chunk: Buffer) => this.#hear(chunk));
  }

  /** The reply, or null, with the process killed, when it took too long, misbehaved or died. */
  async ask(question: SqliteQuestion): Promise<SqliteReply | null> {
    if (this.#isGone) return null;
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

  /** One line, after a question; more or anything else is not what an honest process says. */
  #hear(chunk: Buffer): void {
    this.#heard.push(chunk);
    this.#heardBytes += chunk.length;
    const isEnd = chunk.at(-1) === LINE_FEED;
    if (this.#waiting === null || this.#heardBytes > REPLY_BYTES) this.#child.kill("SIGKILL");
    else if (isEnd) this.#answer(readReply(Buffer.concat(this.#heard)));
    else return;
    this.#heard = [];
    this.#heardBytes = 0;
  }

  #answer(reply: SqliteReply | null): void {
    const resolve = this.#waiting;
    this.#waiting = null;
    resolve?.(reply);
  }
}

const LINE_FEED = 10;

function readReply(line: Buffer): SqliteReply | null {
  try {
    return Reply.parse(JSON.parse(line.toString()));
  } catch {
    return null;
  }
}

let program: Promise<string> | null = null;

/** Starts the process for the databases of one folder, under a user of its own where there is one. */
export async function startQueryProcess(place: {
  readonly folder: string;
  readonly uid: number | null;
}): Promise<QueryProcess> {
  const { folder, uid } = place;
  program ??= bundleProgram();
  program.catch(() => {
    program = null;
  });
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
      ...(uid !== null && { uid, gid: uid }),
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
