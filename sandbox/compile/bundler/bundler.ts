/**
 * Works on scripts in a process of its own, one after the other; the process is kept while it is in use.
 *
 * Invariant: a script that kills the process, hangs it or takes it over fails alone. The next one finds a new process;
 * and where a process that has served others dies, the script at hand is tried again in a new one.
 */
import type { BundleOutcome, BundlerProcess, BundleTask } from "./process.ts";
import type { BundlerStarter } from "./starter.ts";

/** Most ms of one script. */
const DEADLINE_MS = 5_000;
/** How long an unused process is kept, ms. */
const IDLE_MS = 10_000;
/** A process that has worked so many ms is replaced: well before its RLIMIT_CPU ends it. */
const WORK_MS = 10_000;

/** Does a piece of work when it is its turn. */
export type Enqueue = <T>(work: () => Promise<T>) => Promise<T>;

/** Holds at most one process. */
export class Bundler {
  readonly #starter: BundlerStarter;
  readonly #enqueue: Enqueue;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #process: BundlerProcess | null = null;
  #workedMs = 0;
  #idle: NodeJS.Timeout | undefined;

  /** `turn`: where several share a machine; default whenever there is work. */
  constructor(starter: BundlerStarter, enqueue: Enqueue = (work) => work()) {
    this.#starter = starter;
    this.#enqueue = enqueue;
  }

  /** Process id of its program; null where there is none now. */
  get pid(): number | null {
    return this.#process?.isAlive === true ? this.#process.pid : null;
  }

  /** Nothing is asked of it. */
  get isIdle(): boolean {
    return this.#waiting === 0;
  }

  /** Has one script worked on when those before it are done; rejects where no process can be started. */
  ask(task: BundleTask): Promise<BundleOutcome> {
    return this.#queue(() => this.#enqueue(() => this.#ask(task)));
  }

  /** Starts the process ahead of the first script, which is told why where it can't be started. */
  prepare(): void {
    const prepared = this.#queue(() => this.#enqueue(async () => this.#keep(await this.#take())));
    prepared.catch(() => undefined);
  }

  /** Ends the process when the scripts asked about are done; the next one finds a new one. */
  rest(): Promise<void> {
    return this.#queue(() => this.#end());
  }

  /** Ends the process now; the script at hand fails. */
  async stop(): Promise<void> {
    await this.#process?.kill();
    await this.rest();
  }

  #queue<T>(work: () => Promise<T>): Promise<T> {
    this.#waiting++;
    const done = this.#last.then(work).finally(() => {
      this.#waiting--;
    });
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #ask(task: BundleTask): Promise<BundleOutcome> {
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
    else this.#keep(taken);
    return outcome;
  }

  async #take(): Promise<BundlerProcess> {
    clearTimeout(this.#idle);
    if (this.#process?.isAlive === true) return this.#process;
    await this.#end();
    this.#process = await this.#starter.start();
    return this.#process;
  }

  #keep(taken: BundlerProcess): void {
    taken.hold(false);
    this.#idle = setTimeout(() => void this.rest(), IDLE_MS).unref();
  }

  async #end(): Promise<void> {
    clearTimeout(this.#idle);
    const ended = this.#process;
    this.#process = null;
    this.#workedMs = 0;
    await ended?.kill();
  }
}
