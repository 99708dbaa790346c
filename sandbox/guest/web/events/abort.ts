/** AbortController and AbortSignal (DOM standard, section 3). */

import { startTimer } from "../timers.ts";
import { CONSTRUCT, exposeMembers, requireGuest, toEnforcedUnsignedLongLong } from "../webidl.ts";
import { DOMException } from "./dom-exception.ts";
import { connectSignals, dispatchTrusted, EventTarget, exposeHandler } from "./event-target.ts";
import { Event } from "./events.ts";

let abort: (signal: AbortSignal, reason: unknown) => void;
let subscribe: (signal: AbortSignal, action: () => void) => () => void;
let isAbortSignal: (value: unknown) => value is AbortSignal;

export class AbortSignal extends EventTarget {
  static {
    isAbortSignal = (value): value is AbortSignal => typeof value === "object" && value !== null && #actions in value;
    subscribe = (signal, action) => {
      if (signal.#aborted) return () => {};
      signal.#actions.add(action);
      return () => signal.#actions.delete(action);
    };
    abort = (signal, reason) => {
      if (signal.#aborted) return;
      const cause = reason === undefined ? new DOMException("This operation was aborted", "AbortError") : reason;
      // All dependents become aborted before the first event is seen (DOM, "signal abort").
      const order = [signal];
      signal.#mark(cause);
      for (const dependent of signal.#dependents) {
        if (dependent.#aborted) continue;
        dependent.#mark(cause);
        order.push(dependent);
      }
      for (const each of order) each.#run();
    };
  }

  #aborted = false;
  #reason: unknown;
  readonly #actions = new Set<() => void>();
  /** Signals made by `any()` that follow this one; only sources that are not themselves dependent have them. */
  readonly #dependents = new Set<AbortSignal>();
  #sources: readonly AbortSignal[] | undefined;

  constructor(key?: unknown) {
    requireGuest(key);
    super();
  }

  #mark(reason: unknown): void {
    this.#aborted = true;
    this.#reason = reason;
  }

  #run(): void {
    const actions = [...this.#actions];
    this.#actions.clear();
    for (const action of actions) action();
    dispatchTrusted(this, new Event("abort"));
  }

  static abort(reason: unknown = undefined): AbortSignal {
    const signal = new AbortSignal(CONSTRUCT);
    signal.#mark(reason === undefined ? new DOMException("This operation was aborted", "AbortError") : reason);
    return signal;
  }

  static timeout(milliseconds: unknown): AbortSignal {
    const delay = toEnforcedUnsignedLongLong(milliseconds);
    const signal = new AbortSignal(CONSTRUCT);
    startTimer(delay, () =>
      abort(signal, new DOMException("The operation was aborted due to timeout", "TimeoutError")),
    );
    return signal;
  }

  static any(signals: unknown): AbortSignal {
    const list = Array.from(signals as Iterable<unknown>);
    const result = new AbortSignal(CONSTRUCT);
    const sources: AbortSignal[] = [];
    for (const signal of list) {
      if (!isAbortSignal(signal)) throw new TypeError("AbortSignal.any: an element is not an AbortSignal");
      sources.push(...(signal.#sources ?? [signal]));
    }
    const aborted = (list as AbortSignal[]).find((signal) => signal.#aborted);
    if (aborted !== undefined) {
      result.#mark(aborted.#reason);
      return result;
    }
    result.#sources = sources;
    for (const source of sources) source.#dependents.add(result);
    return result;
  }

  get aborted(): boolean {
    return this.#aborted;
  }
  get reason(): unknown {
    return this.#reason;
  }
  throwIfAborted(): void {
    if (this.#aborted) throw this.#reason;
  }
}
exposeMembers(AbortSignal, "AbortSignal", { "static timeout": 1, "static any": 1 });
exposeHandler(AbortSignal.prototype, "abort");
connectSignals(
  (value): value is AbortSignal => isAbortSignal(value),
  (signal, action) => subscribe(signal as AbortSignal, action),
);

export class AbortController {
  readonly #signal = new AbortSignal(CONSTRUCT);

  get signal(): AbortSignal {
    return this.#signal;
  }
  abort(reason: unknown = undefined): void {
    abort(this.#signal, reason);
  }
}
exposeMembers(AbortController, "AbortController");

/** Runs an action once when a signal aborts, before its event; returns how to take it back. */
export function addAbortAction(signal: AbortSignal, action: () => void): () => void {
  return subscribe(signal, action);
}

export { isAbortSignal };
