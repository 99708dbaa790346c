/**
 * Checks files of a catalog within limits of time and memory: small and simple ones in turns of the engine's thread, the
 * others, and all of them where they are many, in a process of its own.
 *
 * Invariants (test/security/catalog):
 * 1. The engine's thread gives one piece of a light file's check, or one result, a turn, and no more than `OWN_MS` to all
 *    checks of a sync; beyond it only hands texts over and takes results.
 * 2. A file that outlasts the deadline or the process's memory is a fault of its own: it is tried once more, alone in a
 *    new process, so that no file is blamed for what another one left behind.
 * 3. Nothing is left running once `close` has resolved.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { CatalogIndex } from "../catalog-index.ts";
import type { CheckedScript } from "../catalog-script.ts";
import { isLight } from "../light-file.ts";
import type { ReadSource } from "../script-source.ts";
import { type CheckRequest, checkFile, type ScriptAnswer } from "./check-file.ts";
import { type CheckLimits, CheckProcess, type Settled } from "./check-process.ts";
import { createScriptCheck, type TakeTurn } from "./script-check.ts";

/** The worst file found takes a second of a processor; a busy machine gets ten. */
export const CHECK_LIMITS: CheckLimits = { deadlineMs: 10_000, heapMb: 192 };

/** Ms the engine's thread computes for all light files of a sync: about what it takes to start a process. */
const OWN_MS = 200;

/** The part of a checked script that an entry keeps. */
export type CheckResult = Pick<CheckedScript, "dictionary" | "declared" | "problems" | "readsFiles" | "unread">;

/** A result with the UTF-16 units it took to hand over, or why there is none. */
export type Checked<Result> =
  | { readonly ok: true; readonly result: Result; readonly units: number }
  | { readonly ok: false; readonly reason: string };

export interface CatalogCheck {
  /** Checks an install script and the files it names; one that can't be checked has no result. */
  script(appId: string, text: string): Promise<Checked<CheckResult>>;
  /** Checks `catalog.json`. */
  index(text: string): Promise<Checked<CatalogIndex>>;
  /** Whether a text is JSON to its end; one too costly to tell of is, so that the check says what is wrong with it. */
  isWhole(text: string): Promise<boolean>;
  /** Ends the process; what was still asked has no result. */
  close(): Promise<void>;
}

interface Job {
  readonly request: CheckRequest;
  readonly settle: (settled: Settled) => void;
}

/** The engine's thread has no time left for light files: what is not done is checked apart. */
class OwnTimeSpent extends Error {}

/** Prepares the check of a catalog's files, whose TypeScript `readSource` reads. */
export function createCatalogCheck(root: string, readSource: ReadSource, limits = CHECK_LIMITS): CatalogCheck {
  return new SharedCheck(root, readSource, limits);
}

/** Shares the checks out between turns of the engine's thread and a process. */
class SharedCheck implements CatalogCheck {
  readonly #apart: ChecksApart;
  readonly #own: ReturnType<typeof createScriptCheck>;
  /** Ms of the engine's thread. */
  #spentMs = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(root: string, readSource: ReadSource, limits: CheckLimits) {
    this.#apart = new ChecksApart(root, readSource, limits);
    this.#own = createScriptCheck(root, readSource, this.#runMetered);
  }

  script(appId: string, text: string): Promise<Checked<CheckResult>> {
    return this.#ask({ kind: "script", appId, text }, toCheckResult);
  }

  index(text: string): Promise<Checked<CatalogIndex>> {
    return this.#ask({ kind: "index", text }, (index: CatalogIndex) => index);
  }

  async isWhole(text: string): Promise<boolean> {
    const checked = await this.#ask({ kind: "whole", text }, (whole: boolean) => whole);
    return !checked.ok || checked.result;
  }

  close(): Promise<void> {
    return this.#apart.close();
  }

  async #ask<Read, Result>(request: CheckRequest, toResult: (read: Read) => Result): Promise<Checked<Result>> {
    const settled = await this.#settle(request);
    if ("reason" in settled) return { ok: false, reason: settled.reason };
    const { text } = settled;
    return this.#takeTurn(() => ({ ok: true, result: toResult(JSON.parse(text)), units: text.length }));
  }

  async #settle(request: CheckRequest): Promise<Settled> {
    if (this.#spentMs > OWN_MS || !isLight(request.text)) return this.#apart.ask(request);
    try {
      return { text: await checkFile(request, this.#own, this.#runMetered) };
    } catch (error) {
      if (error instanceof OwnTimeSpent) return this.#apart.ask(request);
      throw error;
    }
  }

  #takeTurn<T>(work: () => T): Promise<T> {
    const done = this.#last.then(() => nextTurn()).then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** A turn whose time counts; as a value, because the checks of files are handed it. */
  readonly #runMetered: TakeTurn = (work) =>
    this.#takeTurn(() => {
      if (this.#spentMs > OWN_MS) throw new OwnTimeSpent();
      const since = process.threadCpuUsage();
      try {
        return work();
      } finally {
        const { user, system } = process.threadCpuUsage(since);
        this.#spentMs += (user + system) / 1_000;
      }
    });
}

function toCheckResult({ declared, usable, ...rest }: ScriptAnswer): CheckResult {
  if (usable === undefined || declared === null) return { dictionary: declared, declared, ...rest };
  return { dictionary: usable === null ? null : { ...declared, ...usable }, declared, ...rest };
}

/** Files checked in a process, one after the other; it is started with the first. */
class ChecksApart {
  readonly #start: () => CheckProcess;
  /** In the order asked; the process has the first `#given`. */
  readonly #jobs: Job[] = [];
  #given = 0;
  #process: CheckProcess | null = null;
  #isClosed = false;

  constructor(root: string, readSource: ReadSource, limits: CheckLimits) {
    this.#start = () =>
      new CheckProcess(root, limits, {
        readSource,
        settled: (settled) => {
          this.#given -= 1;
          this.#jobs.shift()?.settle(settled);
          this.#goOn();
        },
        ended: ({ reason, wasReady, answers }) => {
          this.#process = null;
          this.#given = 0;
          if (!wasReady) {
            const settled = { reason: `the process that checks it can't start: ${reason}` };
            for (const job of this.#jobs.splice(0)) job.settle(settled);
          } else if (answers === 0) this.#jobs.shift()?.settle({ reason });
          this.#goOn();
        },
      });
  }

  ask(request: CheckRequest): Promise<Settled> {
    return new Promise((settle) => {
      this.#jobs.push({ request, settle });
      this.#goOn();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const job of this.#jobs.splice(0)) job.settle({ reason: "the check was ended" });
    await this.#process?.end();
  }

  /** Starts whatever can be started: called after every change. */
  #goOn(): void {
    if (this.#isClosed || this.#jobs.length === 0) return;
    this.#process ??= this.#start();
    for (const { request } of this.#jobs.slice(this.#given)) {
      if (!this.#process.hasRoom) return;
      this.#given += 1;
      this.#process.ask(request);
    }
  }
}
