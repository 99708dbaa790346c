/**
 * The process that meets a script's SQL, as the engine holds it: isolated as a script's child is, killed when a
 * query takes longer than `QUERY_MS`.
 *
 * Invariant: SQLite may be taken over by a hostile database, so nothing the process says is believed before a schema has
 * passed it, and not more than `REPLY_BYTES` of it is kept.
 */
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { loadOwnProgram } from "../../../sandbox/compile/bundle-service.ts";
import type { PrivateRoot, ProcessLimits } from "../../../sandbox/process/command.ts";
import { IsolatedProcess } from "../../../sandbox/process/isolated-process.ts";
import type { Isolation } from "../../../sandbox/process/isolation.ts";
import type { SqliteQuestion, SqliteReply } from "./sqlite-query-process.ts";

/** Most ms of one query. */
export const QUERY_MS = 5_000;
const LIMITS: Omit<ProcessLimits, "fileBlocks"> = {
  // leaves no room for the JIT's reservations
  dataKb: 300_000,
  memoryMb: 400,
  cpuS: 30,
  files: 64,
  processes: 32,
};
/** Most bytes of one reply's line: the rows allowed (sqlite-query-process.ts), with room for their frame. */
const REPLY_BYTES = 16 * 1024 * 1024;

const Value = z.union([z.string(), z.number(), z.null(), z.object({ bytes: z.string() })]);
const Reply: z.ZodType<SqliteReply> = z.union([
  z.object({ rows: z.object({ columns: z.array(z.string()), rows: z.array(z.array(Value)) }) }),
  z.object({ message: z.string() }),
]);

/** A running query process; one question at a time, as the isolate waits for each. */
export class QueryProcess {
  readonly #isolated: IsolatedProcess;
  #isGone = false;
  #waiting: ((reply: SqliteReply | null) => void) | null = null;
  #heard: Buffer[] = [];
  #heardBytes = 0;

  constructor(isolated: IsolatedProcess) {
    this.#isolated = isolated;
    isolated.watchMemory();
    void isolated.ended.then(() => {
      this.#isGone = true;
      this.#answer(null);
    });
    const { stdin, stdout } = isolated.process;
    stdin?.on("error", () => this.#answer(null));
    stdout?.on("data", (chunk: Buffer) => this.#hear(chunk));
  }

  /** The reply, or null, with the process killed, when it took too long, misbehaved or died. */
  async ask(question: SqliteQuestion): Promise<SqliteReply | null> {
    if (this.#isGone) return null;
    const { promise, resolve } = Promise.withResolvers<SqliteReply | null>();
    this.#waiting = resolve;
    const timer = setTimeout(() => this.#isolated.kill(), QUERY_MS);
    this.#isolated.process.stdin?.write(`${JSON.stringify(question)}\n`);
    const reply = await promise;
    clearTimeout(timer);
    if (reply === null) await this.end();
    return reply;
  }

  async end(): Promise<void> {
    this.#isolated.kill();
    await this.#isolated.exited;
  }

  /** One line, after a question; more or anything else is not what an honest process says. */
  #hear(chunk: Buffer): void {
    this.#heard.push(chunk);
    this.#heardBytes += chunk.length;
    const isEnd = chunk.at(-1) === LINE_FEED;
    if (this.#waiting === null || this.#heardBytes > REPLY_BYTES) this.#isolated.kill();
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

/** Where a process finds the databases it is asked about. */
export interface QueryPlace {
  /** Folder of the copies: the engine's own, so that no link and no further file can be made in it. */
  readonly databases: string;
  readonly isolation: Isolation;
  /** Holds `databases`; null where there is none. */
  readonly root: PrivateRoot | null;
  /** Owner of the copies; null for the engine's own user. */
  readonly uid: number | null;
}

/**
 * Starts the process for the databases of one place. `fileBytes`: most bytes of one file of it; what a session may copy, so
 * that a rollback journal can be played back.
 */
export async function startQueryProcess(
  { databases, isolation, root, uid }: QueryPlace,
  fileBytes: number,
): Promise<QueryProcess> {
  program ??= bundleProgram();
  program.catch(() => {
    program = null;
  });
  const argv = [
    process.execPath,
    "--jitless",
    "--permission",
    "--disable-warning=ExperimentalWarning",
    `--allow-fs-read=${databases}/*`,
    `--allow-fs-write=${databases}/*`,
    "--input-type=module",
    "--eval",
    await program,
  ];
  const stdio = ["pipe", "pipe", "ignore"] as const;
  return new QueryProcess(
    new IsolatedProcess(
      {
        argv,
        limits: { ...LIMITS, fileBlocks: Math.ceil(fileBytes / 512) },
        root,
        stdio,
        ...(uid !== null && { uid }),
      },
      isolation,
    ),
  );
}

/** The program as text: the process's user may be unable to read this folder. */
export function bundleProgram(): Promise<string> {
  const here = fileURLToPath(import.meta.url);
  const file = join(dirname(here), `sqlite-query-process${extname(here)}`);
  return loadOwnProgram(file, () => ({ format: "esm", minifyWhitespace: true }));
}
