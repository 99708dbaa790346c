/**
 * Checks files of a catalog in a thread of its own, within limits of time and memory.
 *
 * Invariants (test/security/catalog/hostile-catalog.test.ts):
 * 1. The engine's thread only hands texts over and takes results, one in each of its turns.
 * 2. A file that outlasts the deadline or the thread's memory is a fault of its own: it is tried once more, alone in a
 *    new thread, so that no file is blamed for what another one left behind.
 * 3. Nothing is left running once `close` has resolved.
 */
import { extname } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { CheckRequest, ScriptAnswer, ThreadMessage, ThreadOrder } from "./catalog-check-worker.ts";
import type { CatalogIndex } from "./catalog-index.ts";
import type { CheckedScript } from "./catalog-script.ts";
import type { ReadSource } from "./script-source.ts";

/** What one file may take, and the thread together. */
export interface CheckLimits {
  /** Ms from the hand-over to the result, script files and their TypeScript included. */
  readonly deadlineMs: number;
  /** MB of the thread's heap. */
  readonly heapMb: number;
}

/** The worst file found takes a second of a processor; a busy machine gets ten. */
export const CHECK_LIMITS: CheckLimits = { deadlineMs: 10_000, heapMb: 192 };

/** The part of a checked script that an entry keeps. */
export type CheckResult = Pick<CheckedScript, "dictionary" | "declared" | "problems" | "readsFiles">;

/** A result with the UTF-16 units it took to hand over, or why there is none. */
export type Checked<Result> =
  | { readonly ok: true; readonly result: Result; readonly units: number }
  | { readonly ok: false; readonly reason: string };

export interface CatalogCheck {
  /** Checks an install script and the files it names. Rejects only when no thread can be started. */
  script(appId: string, text: string): Promise<Checked<CheckResult>>;
  /** Checks `catalog.json`. */
  index(text: string): Promise<Checked<CatalogIndex>>;
  /** Whether a text is JSON to its end; one too costly to tell of is, so that the check says what is wrong with it. */
  isWhole(text: string): Promise<boolean>;
  /** Ends the thread; what was still asked has no result. */
  close(): Promise<void>;
}

/** The text of an answer, or why there is none. */
type Answered = { readonly text: string } | { readonly reason: string };

interface Job {
  readonly request: CheckRequest;
  readonly settle: (answered: Answered) => void;
  readonly fail: (error: Error) => void;
}

/** Prepares the check of a catalog's files, whose TypeScript `readSource` reads; the thread is started with the first file. */
export function createCatalogCheck(root: string, readSource: ReadSource, limits = CHECK_LIMITS): CatalogCheck {
  const jobs: Job[] = [];
  let thread: Thread | null = null;
  let closed = false;

  /** Starts whatever can be started: called after every change. */
  function goOn(): void {
    if (closed || jobs.length === 0) return;
    thread ??= startThread(root, limits, { readSource, answered, ended });
    const [job] = jobs;
    if (job !== undefined) thread.ask(job.request);
  }

  function answered(text: string): void {
    jobs.shift()?.settle({ text });
    goOn();
  }

  /** `first`: the file it was at was its first, so that nothing but that file is to blame. */
  function ended(reason: string, first: boolean, started: boolean): void {
    thread = null;
    if (!started) {
      for (const job of jobs.splice(0)) job.fail(new Error(`the thread that checks a catalog can't start: ${reason}`));
    } else if (first) jobs.shift()?.settle({ reason });
    goOn();
  }

  function ask(request: CheckRequest): Promise<Answered> {
    return new Promise((settle, fail) => {
      jobs.push({ request, settle, fail });
      goOn();
    });
  }

  /** One result in each turn of the event loop: to read a large one takes a while. */
  let taken: Promise<unknown> = Promise.resolve();
  async function take<Read, Result>(answer: Answered, toResult: (read: Read) => Result): Promise<Checked<Result>> {
    if ("reason" in answer) return { ok: false, reason: answer.reason };
    const turn = taken.then(() => nextTurn());
    taken = turn;
    await turn;
    return { ok: true, result: toResult(JSON.parse(answer.text)), units: answer.text.length };
  }

  return {
    script: async (appId, text) => take(await ask({ kind: "script", appId, text }), toCheckResult),
    index: async (text) => take(await ask({ kind: "index", text }), (index: CatalogIndex) => index),
    isWhole: async (text) => {
      const checked = await take(await ask({ kind: "whole", text }), (whole: boolean) => whole);
      return !checked.ok || checked.result;
    },
    close: async () => {
      closed = true;
      for (const job of jobs.splice(0)) job.settle({ reason: "the check was ended" });
      await thread?.end();
    },
  };
}

function toCheckResult({ declared, usable, ...rest }: ScriptAnswer): CheckResult {
  if (usable === undefined || declared === null) return { dictionary: declared, declared, ...rest };
  return { dictionary: usable === null ? null : { ...declared, ...usable }, declared, ...rest };
}

interface Thread {
  /** Hands a file over, unless it is at one. */
  ask(request: CheckRequest): void;
  end(): Promise<void>;
}

interface ThreadOwner {
  readonly readSource: ReadSource;
  answered(text: string): void;
  ended(reason: string, first: boolean, started: boolean): void;
}

/** Most ms a thread that was asked to end may take. */
const END_MS = 2_000;

function startThread(root: string, { deadlineMs, heapMb }: CheckLimits, owner: ThreadOwner): Thread {
  const entry = new URL(`./catalog-check-worker${extname(import.meta.url)}`, import.meta.url);
  const worker = new Worker(entry, {
    workerData: root,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 32 },
  });
  let started = false;
  let current: CheckRequest | null = null;
  let answers = 0;
  let reason = "the thread ended";
  let deadline: NodeJS.Timeout | undefined;
  const tell = (order: ThreadOrder): void => worker.postMessage(order);
  const handOver = (): void => {
    if (!started || current === null) return;
    tell(current);
    deadline = setTimeout(() => {
      reason = `it takes longer than ${deadlineMs / 1_000} s to check`;
      void worker.terminate();
    }, deadlineMs);
  };
  worker.on("message", (message: ThreadMessage) => {
    if (message === "ready") {
      started = true;
      handOver();
    } else if ("source" in message) {
      void owner.readSource(message.source).then((facts) => tell({ kind: "facts", facts }));
    } else {
      clearTimeout(deadline);
      current = null;
      answers += 1;
      owner.answered(message.answer);
    }
  });
  worker.on("error", (error: unknown) => {
    const outOfMemory = error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
    reason = outOfMemory ? `it takes more than ${heapMb} MB to check` : `it can't be checked: ${messageOf(error)}`;
  });
  worker.on("exit", () => {
    clearTimeout(deadline);
    owner.ended(reason, answers === 0, started);
  });
  return {
    ask: (request) => {
      if (current !== null) return;
      current = request;
      handOver();
    },
    end: async () => {
      worker.removeAllListeners("exit");
      clearTimeout(deadline);
      const gone = new Promise((resolve) => worker.once("exit", resolve));
      // A thread that is ended from outside while it starts or works may take the process with it: it is asked first.
      if (started && current === null) tell({ kind: "end" });
      else void worker.terminate();
      const late = setTimeout(() => void worker.terminate(), END_MS);
      await gone;
      clearTimeout(late);
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
