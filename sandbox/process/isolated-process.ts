/**
 * An isolated process, whatever it runs: the child of a script, SQLite, a bundler.
 *
 *     const [isolation] = await findIsolation();
 *     const root = await makePrivateRoot(folder, { programs: [ESBUILD], read: [] });
 *     const isolated = new IsolatedProcess({ argv: [ESBUILD, "--service"], limits, root, stdio: ["pipe", "pipe", "ignore"] }, isolation);
 *     isolated.process.stdin?.write(...);
 *     isolated.kill();
 *     await isolated.exited;
 *
 * Invariants:
 * 1. It starts with an empty environment, in `/`, with no descriptor but those of `stdio`.
 * 2. `kill` ends it, everything it has started, and everything else of its own user.
 * 3. `ended` settles once, when the program has ended, `exited` after it, when its user is given back and its memory
 *    group is removed.
 */
import { type ChildProcess, type IOType, spawn } from "node:child_process";
import { constants } from "node:os";
import { buildIsolatedCommand, type PrivateRoot, type ProcessLimits } from "./command.ts";
import { coverInherited } from "./descriptors.ts";
import type { Isolation } from "./isolation.ts";
import { type MemoryGroup, makeMemoryGroup } from "./memory-group.ts";
import { listChildren, listTree, measureUse, type ProcessUse } from "./use.ts";
import { claimUser, releaseUser } from "./users.ts";

export interface IsolatedProgram {
  /** Absolute path and arguments. */
  readonly argv: readonly string[];
  readonly limits: ProcessLimits;
  /** Where it may look (private-root.ts); needed where the isolation says so, of no effect elsewhere. */
  readonly root: PrivateRoot | null;
  readonly stdio: readonly IOType[];
  /** Its user, claimed and given back by the caller; one is claimed for it where not given. */
  readonly uid?: number;
  /** Its group; default one of its user's own. */
  readonly gid?: number;
}

/** How a process ended. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The process could not be started. */
  readonly error?: string;
}

/** Beyond it a shell's exit code tells of a signal. */
const SIGNALLED = 128;

/** How often memory is looked at, ms. */
const WATCH_MS = 100;

/** A started process; the constructor throws where the root that the isolation asks for is missing. */
export class IsolatedProcess {
  /** Its streams; its process id and exit are those of the program around it. */
  readonly process: ChildProcess;
  readonly ended: Promise<ProcessExit>;
  readonly exited: Promise<ProcessExit>;
  readonly isolation: Isolation;
  readonly #group: MemoryGroup | null;
  readonly #claimed: number | null;
  readonly #memoryMb: number;
  #killed = false;
  #pid: number | null = null;
  #first: number | null = null;

  constructor(program: IsolatedProgram, isolation: Isolation) {
    if (isolation.root === "private" && program.root === null)
      throw new Error("there is no private root for a process");
    this.isolation = isolation;
    this.#memoryMb = program.limits.memoryMb;
    this.#claimed = isolation.user === "own" && program.uid === undefined ? claimUser() : null;
    const uid = isolation.user === "own" ? (program.uid ?? this.#claimed) : null;
    this.#group = makeMemoryGroup(program.limits.memoryMb);
    const [command, args] = buildIsolatedCommand({
      isolation,
      argv: program.argv,
      uid,
      gid: program.gid ?? uid ?? 0,
      limits: program.limits,
      root: program.root,
      memoryGroup: this.#group?.entrance ?? null,
    });
    const { stdio, close } = coverInherited(program.stdio);
    try {
      this.process = spawn(command, args, { cwd: "/", env: { TZ: "UTC" }, stdio, detached: true });
    } finally {
      close();
    }
    this.ended = this.#watchEnd();
    this.exited = this.ended.then((exit) => this.#giveBack().then(() => exit));
  }

  /** The kernel counts and limits all its memory. */
  get hasMemoryGroup(): boolean {
    return this.#group !== null;
  }

  /** Ends it when it holds more memory than it may; for where the kernel does not (no memory group). */
  watchMemory(): void {
    const timer = setInterval(() => {
      if ((this.use()?.heldMb ?? 0) > this.#memoryMb) this.kill();
    }, WATCH_MS).unref();
    void this.ended.then(() => clearInterval(timer));
  }

  /** Process id of the program itself, once it runs; null when it could not be started or is gone. */
  get pid(): number | null {
    const first = this.#firstPid();
    if (first === null || this.isolation.processes === "host") return first;
    this.#pid ??= listChildren(first)[0] ?? null;
    return this.#pid;
  }

  /** Use of the program and all it started; null when they are gone. */
  use(): ProcessUse | null {
    const first = this.#firstPid();
    return first === null ? null : measureUse(listTree(first));
  }

  kill(): void {
    if (this.#killed) return;
    this.#killed = true;
    const { pid } = this.process;
    if (pid === undefined || this.process.exitCode !== null || this.process.signalCode !== null) return;
    const first = this.isolation.processes === "own" ? listChildren(pid)[0] : undefined;
    try {
      // the kernel ends the whole namespace with its first process, and `unshare` only ends after that
      process.kill(first ?? -pid, "SIGKILL");
    } catch {
      // the group is gone, or the chain of execs has not made it yet
      this.process.kill("SIGKILL");
    }
  }

  /** The first process of the namespace, or the program where it has none of its own. */
  #firstPid(): number | null {
    const { pid } = this.process;
    if (pid === undefined) return null;
    if (this.isolation.processes === "host") return pid;
    this.#first ??= listChildren(pid)[0] ?? null;
    return this.#first;
  }

  #watchEnd(): Promise<ProcessExit> {
    const { promise, resolve } = Promise.withResolvers<ProcessExit>();
    this.process.once("error", (error) => resolve({ code: null, signal: null, error: error.message }));
    this.process.once("exit", (code, signal) => resolve(this.#exitOf(code, signal)));
    return promise;
  }

  /** The shell around a program in a namespace of its own tells a signal by its exit code. */
  #exitOf(code: number | null, signal: NodeJS.Signals | null): ProcessExit {
    // `unshare` does not tell of SIGKILL
    if (this.#killed) return { code: null, signal: "SIGKILL" };
    const told = this.isolation.processes === "own" && code !== null ? findSignal(code - SIGNALLED) : undefined;
    return told === undefined ? { code, signal } : { code: null, signal: told };
  }

  async #giveBack(): Promise<void> {
    if (this.#claimed !== null) await releaseUser(this.#claimed).catch(() => undefined);
    await this.#group?.remove();
  }
}

function findSignal(number: number): NodeJS.Signals | undefined {
  return SIGNALS.find((name) => constants.signals[name] === number);
}

/** Those a program may end by. */
const SIGNALS = [
  "SIGABRT",
  "SIGALRM",
  "SIGBUS",
  "SIGFPE",
  "SIGHUP",
  "SIGILL",
  "SIGINT",
  "SIGIO",
  "SIGKILL",
  "SIGPIPE",
  "SIGPROF",
  "SIGQUIT",
  "SIGSEGV",
  "SIGSYS",
  "SIGTERM",
  "SIGTRAP",
  "SIGUSR1",
  "SIGUSR2",
  "SIGVTALRM",
  "SIGXCPU",
  "SIGXFSZ",
] as const;
