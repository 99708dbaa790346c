/**
 * Bundles scripts in a process of their own, one after the other; the process is kept while it is in use.
 *
 * Invariant: a script that kills the process, hangs it or takes it over fails alone. The next one finds a new process;
 * and where a process that has served others dies, the script at hand is tried again in a new one.
 */
import { findIsolation } from "../../process/find-isolation.ts";
import type { Isolation } from "../../process/isolation.ts";
import { BundlerHome, type BundlerProgram } from "./files.ts";
import { type BundleOutcome, BundlerProcess, type BundleTask } from "./process.ts";

/** Most ms of one script. */
const DEADLINE_MS = 5_000;
/** How long an unused process is kept, ms. */
const IDLE_MS = 10_000;
/** A process that has worked so many ms is replaced: well before its RLIMIT_CPU ends it. */
const WORK_MS = 10_000;

/** Holds at most one process. */
export class Bundler {
  readonly #home: BundlerHome;
  #last: Promise<unknown> = Promise.resolve();
  #process: BundlerProcess | null = null;
  #workedMs = 0;
  #isolation: readonly Isolation[] | null = null;
  #idle: NodeJS.Timeout | undefined;
  #closed = false;

  /** `program` replaces the real one: tests of a compromised process. */
  constructor(program: BundlerProgram | null = null) {
    this.#home = new BundlerHome(program);
  }

  /** Has one script worked on when those before it are done; rejects where no process can be started. */
  async ask(task: BundleTask): Promise<BundleOutcome> {
    const turn = this.#last.then(() => this.#ask(task));
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  /** Ends the process; scripts under way fail. Resolves when nothing is left of it. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#process?.kill();
    await this.rest();
  }

  /** Ends the process and removes its files when the scripts asked about are done; the next one finds new ones. */
  async rest(): Promise<void> {
    await this.#last;
    clearTimeout(this.#idle);
    await this.#end();
    await this.#home.remove();
  }

  /** Ends the process because what it answered was not to be believed; the next script finds a new one. */
  async discard(): Promise<void> {
    await this.#end();
  }

  async #ask(task: BundleTask): Promise<BundleOutcome> {
    clearTimeout(this.#idle);
    const isWarm = this.#process?.isAlive === true;
    const outcome = await this.#tryOnce(task);
    return isWarm && outcome.kind === "died" ? this.#tryOnce(task) : outcome;
  }

  async #tryOnce(task: BundleTask): Promise<BundleOutcome> {
    const taken = await this.#take();
    taken.hold(true);
    const since = performance.now();
    const outcome = await taken.ask(task, DEADLINE_MS);
    this.#workedMs += performance.now() - since;
    if (!taken.isAlive || this.#workedMs > WORK_MS) await this.#end();
    else {
      taken.hold(false);
      this.#idle = setTimeout(() => void this.#end(), IDLE_MS).unref();
    }
    return outcome;
  }

  async #take(): Promise<BundlerProcess> {
    if (this.#process?.isAlive === true) return this.#process;
    await this.#end();
    if (this.#closed) throw new Error("the sandbox is closed");
    let fault: unknown = new Error("this machine starts no process behind isolation");
    // side by side, because each takes a while
    const [found, files] = await Promise.all([this.#isolation ?? findIsolation(), this.#home.files()]);
    this.#isolation = found;
    for (const isolation of this.#isolation) {
      if (this.#closed) break;
      try {
        this.#process = await BundlerProcess.start(files, isolation);
        // a fault that passes does not make the walls weaker later
        this.#isolation = [isolation];
        return this.#process;
      } catch (error) {
        fault = error;
      }
    }
    throw fault;
  }

  async #end(): Promise<void> {
    const ended = this.#process;
    this.#process = null;
    this.#workedMs = 0;
    await ended?.kill();
  }
}
