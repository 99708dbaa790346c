/**
 * The pace of a turn loop: turn after turn until nothing waits, a pause where the store refuses writes.
 *
 * Invariants:
 * 1. One drain at a time: what is asked for within a turn is taken by the drain that goes on.
 * 2. A refusal of the store loses nothing: the same thing is taken again, after 1 s, then 2 s, up to 30 s.
 */
import type { Code } from "../../../core/codes/code.ts";
import type { Clock, Logger } from "../../ports/environment.ts";
import { toStoreError } from "./store-fault.ts";

/** Ms of turns taken before other work of the process gets its turn. */
const TURNS_MS = 10;
const FIRST_STORE_RETRY_MS = 1_000;
const LAST_STORE_RETRY_MS = 30_000;

/** Takes what waits until nothing does. */
export interface Drain {
  /** Begins, unless it is already at it; called after whatever may have put something there. */
  run(): void;
  /** Takes nothing any more. */
  stop(): void;
}

export interface DrainOptions {
  readonly clock: Pick<Clock, "after" | "monotonic">;
  readonly logger: Logger;
  /** Takes the next thing; false when nothing waits. What it throws a store's fault for must still wait afterwards. */
  readonly takeNext: () => boolean;
  /** Called whenever nothing waits any more. */
  readonly ranDry: () => void;
}

/** Nothing is taken before the first `run`. */
export function createDrain(options: DrainOptions): Drain {
  return new PacedDrain(options);
}

class PacedDrain implements Drain {
  readonly #options: DrainOptions;
  #draining = false;
  #stopped = false;
  #retryMs = FIRST_STORE_RETRY_MS;
  #cancelRetry = () => {};
  /** Why the store took the last turn not; null when it did. */
  #refusal: Code | null = null;

  constructor(options: DrainOptions) {
    this.#options = options;
  }

  run(): void {
    if (this.#draining || this.#stopped) return;
    this.#draining = true;
    try {
      this.#takeSome();
    } catch (error) {
      this.#retryLater(error);
    } finally {
      this.#draining = false;
    }
  }

  stop(): void {
    this.#stopped = true;
    this.#cancelRetry();
  }

  #takeSome(): void {
    const { clock, takeNext, ranDry } = this.#options;
    for (const until = clock.monotonic() + TURNS_MS; clock.monotonic() <= until; ) {
      if (!takeNext()) {
        ranDry();
        return;
      }
      this.#noteTaken();
    }
    setImmediate(() => this.run());
  }

  #noteTaken(): void {
    this.#retryMs = FIRST_STORE_RETRY_MS;
    if (this.#refusal === null) return;
    this.#options.logger.info({ code: this.#refusal }, "the database takes turns again");
    this.#refusal = null;
  }

  #retryLater(error: unknown): void {
    const { clock, logger } = this.#options;
    const fault = toStoreError(error);
    // Once for each reason, however often it is tried again.
    const level = this.#refusal === fault.code ? "debug" : "error";
    this.#refusal = fault.code;
    logger[level]({ code: fault.code, retryMs: this.#retryMs }, fault.message);
    this.#cancelRetry();
    this.#cancelRetry = clock.after(this.#retryMs, () => this.run());
    this.#retryMs = Math.min(LAST_STORE_RETRY_MS, this.#retryMs * 2);
  }
}
