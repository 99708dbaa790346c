/**
 * The way of hook journals to the disk: the entries of all runs together, in one commit.
 *
 * Invariants:
 * 1. Entries are committed in the order they were given, and each once.
 * 2. A refusal of the store loses nothing: the same entries are written again, after 1 s, then 2 s, up to 30 s.
 * 3. An entry that can never be kept takes no other run's entries along.
 */
import type { Code } from "../../core/codes/code.ts";
import { createEngineClosedError } from "../../core/codes/common-errors.ts";
import type { EngineError } from "../../core/codes/problems.ts";
import type { Clock, Logger } from "../ports/environment.ts";
import type { Store } from "../ports/store.ts";
import type { JournalWrite } from "../ports/turn-rows.ts";
import { passCrashPoint } from "./crash-points.ts";
import { isStoreFault } from "./turn/store-fault.ts";

const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 30_000;

export interface JournalWriterOptions {
  readonly store: Pick<Store, "writeJournals">;
  readonly clock: Pick<Clock, "after">;
  readonly logger: Logger;
}

interface Waiting {
  readonly write: JournalWrite;
  readonly kept: () => void;
  readonly refused: (error: unknown) => void;
}

/** Writes journal entries of running hooks; those of one turn of the event loop share a commit. */
export class JournalWriter {
  readonly #options: JournalWriterOptions;
  #waiting: readonly Waiting[] = [];
  /** Takes the planned commit back; null where none is planned. */
  #cancel: (() => void) | null = null;
  #retryMs = FIRST_RETRY_MS;
  /** Why the store did not take the last commit; null when it did. */
  #refusal: Code | null = null;
  #closed = false;

  constructor(options: JournalWriterOptions) {
    this.#options = options;
  }

  /**
   * Resolves when the entry is on disk. Rejects with `STORE_FENCED` where it does not follow the last one kept, and with
   * `TASK_ENGINE_CLOSED` once this or the store was closed; then it never will be.
   */
  write(write: JournalWrite): Promise<void> {
    if (this.#closed) return Promise.reject(createEngineClosedError());
    return new Promise((kept, refused) => {
      this.#waiting = [...this.#waiting, { write, kept, refused }];
      if (this.#cancel !== null) return;
      const immediate = setImmediate(() => this.#flush());
      this.#cancel = () => clearImmediate(immediate);
    });
  }

  /** Writes what waits and takes nothing more; what the store refuses now is rejected with its reason. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const fault = this.#flush();
    this.#cancel?.();
    for (const { refused } of this.#waiting) refused(fault);
    this.#waiting = [];
  }

  /** The store's refusal where entries still wait. */
  #flush(): EngineError | null {
    this.#cancel?.();
    this.#cancel = null;
    const all = this.#waiting;
    if (all.length === 0) return null;
    const error = this.#commit(all);
    if (error === null) return null;
    if (canPass(error)) return this.#retryLater(error);
    // One of them is wrong: each run by itself.
    for (const own of Map.groupBy(all, ({ write }) => write.effectId).values()) {
      const ownError = this.#commit(own);
      if (canPass(ownError)) return this.#retryLater(ownError);
      if (ownError === null) continue;
      this.#waiting = this.#waiting.filter((entry) => !own.includes(entry));
      for (const { refused } of own) refused(ownError);
    }
    return null;
  }

  /** Returns what the store threw; null where the entries are on disk. */
  #commit(entries: readonly Waiting[]): unknown {
    try {
      passCrashPoint("beforeJournal");
      this.#options.store.writeJournals(entries.map(({ write }) => write));
    } catch (error) {
      return error;
    }
    passCrashPoint("afterJournal");
    this.#waiting = this.#waiting.filter((entry) => !entries.includes(entry));
    this.#noteTaken();
    for (const { kept } of entries) kept();
    return null;
  }

  #noteTaken(): void {
    this.#retryMs = FIRST_RETRY_MS;
    if (this.#refusal === null) return;
    this.#options.logger.info({ code: this.#refusal }, "the database takes journals of hooks again");
    this.#refusal = null;
  }

  #retryLater(fault: EngineError): EngineError {
    const { clock, logger } = this.#options;
    // Once for each reason, however often it is tried again.
    const level = this.#refusal === fault.code ? "debug" : "error";
    this.#refusal = fault.code;
    logger[level]({ code: fault.code, retryMs: this.#retryMs }, fault.message);
    this.#cancel = clock.after(this.#retryMs, () => this.#flush());
    this.#retryMs = Math.min(LAST_RETRY_MS, this.#retryMs * 2);
    return fault;
  }
}

/** A fault of the disk, which may be gone the next time. */
function canPass(error: unknown): error is EngineError {
  return isStoreFault(error) && error.code !== "STORE_FENCED";
}
