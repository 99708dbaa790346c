/** EventTarget (DOM standard, section 2.7), without a tree: every event is at its target. */

import { exposeMembers, toDomString } from "../webidl.ts";
import { DOMException } from "./dom-exception.ts";
import { Event, type EventState, PHASES, readEventState } from "./events.ts";

interface Listener {
  readonly type: string;
  readonly callback: object;
  readonly capture: boolean;
  readonly once: boolean;
  readonly passive: boolean;
  removed: boolean;
}

/** A signal as far as `addEventListener` uses it; avoids a cycle with the abort file. */
interface RemovalSignal {
  readonly aborted: boolean;
}

let onAbort: (signal: RemovalSignal, action: () => void) => void = () => {};
let isSignal: (value: unknown) => value is RemovalSignal = (_value): _value is RemovalSignal => false;

/** The abort file tells how listeners are removed by a signal. */
export function connectSignals(test: typeof isSignal, subscribe: typeof onAbort): void {
  isSignal = test;
  onAbort = subscribe;
}

let reportListenerError: (error: unknown) => void = () => {};

/** Tells what becomes of an error thrown by a listener. */
export function reportListenerErrorsTo(report: (error: unknown) => void): void {
  reportListenerError = report;
}

let dispatch: (target: EventTarget, event: Event, trusted: boolean) => boolean;

export class EventTarget {
  static {
    dispatch = (target, event, trusted) => {
      const state = readEventState(event);
      state.trusted = trusted;
      state.dispatching = true;
      state.target = target;
      state.currentTarget = target;
      state.phase = PHASES.AT_TARGET;
      if (!state.stopped) {
        const listeners = [...target.#listeners];
        for (const capture of [true, false]) {
          if (!capture && state.stopped) break;
          for (const listener of listeners) {
            if (state.stoppedImmediately) break;
            if (listener.capture === capture) target.#invoke(listener, event, state);
          }
        }
      }
      state.phase = PHASES.NONE;
      state.currentTarget = null;
      state.dispatching = false;
      state.stopped = false;
      state.stoppedImmediately = false;
      return !state.canceled;
    };
  }

  #listeners: Listener[] = [];

  #invoke(listener: Listener, event: Event, state: EventState): void {
    if (listener.removed || listener.type !== state.type) return;
    if (listener.once) this.#remove(listener);
    state.inPassiveListener = listener.passive;
    try {
      if (typeof listener.callback === "function") listener.callback.call(state.currentTarget, event);
      else {
        const { handleEvent } = listener.callback as { handleEvent?: unknown };
        if (typeof handleEvent !== "function") throw new TypeError("EventListener.handleEvent is not a function");
        handleEvent.call(listener.callback, event);
      }
    } catch (error) {
      reportListenerError(error);
    } finally {
      state.inPassiveListener = false;
    }
  }

  #remove(listener: Listener): void {
    listener.removed = true;
    this.#listeners = this.#listeners.filter((other) => other !== listener);
  }

  addEventListener(type: unknown, callback: unknown, options: unknown = undefined): void {
    const name = toDomString(type);
    requireListener(callback);
    const capture = readCapture(options);
    const { once, passive, signal } = isDictionary(options) ? options : {};
    if (signal !== undefined && !isSignal(signal)) throw new TypeError("the option signal is not an AbortSignal");
    if (callback === null || callback === undefined || signal?.aborted) return;
    const isSame = (other: Listener) => other.type === name && other.callback === callback && other.capture === capture;
    if (this.#listeners.some(isSame)) return;
    const listener: Listener = {
      type: name,
      callback: callback as object,
      capture,
      once: Boolean(once),
      passive: Boolean(passive),
      removed: false,
    };
    this.#listeners = [...this.#listeners, listener];
    if (signal !== undefined) onAbort(signal, () => this.#remove(listener));
  }

  removeEventListener(type: unknown, callback: unknown, options: unknown = undefined): void {
    const name = toDomString(type);
    requireListener(callback);
    const capture = readCapture(options);
    const found = this.#listeners.find(
      (other) => other.type === name && other.callback === callback && other.capture === capture,
    );
    if (found !== undefined) this.#remove(found);
  }

  dispatchEvent(event: unknown): boolean {
    void this.#listeners;
    if (!(event instanceof Event)) throw new TypeError("EventTarget.dispatchEvent: the argument is not an Event");
    const state = readEventState(event);
    if (state.dispatching) throw new DOMException("The event is already being dispatched", "InvalidStateError");
    return dispatch(this, event, false);
  }
}
exposeMembers(EventTarget, "EventTarget", { addEventListener: 2, removeEventListener: 2, dispatchEvent: 1 });

/** Dispatches an event of the guest's own making (`isTrusted` is true). */
export function dispatchTrusted(target: EventTarget, event: Event): boolean {
  return dispatch(target, event, true);
}

function isDictionary(value: unknown): value is { readonly [key: string]: unknown } {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

function readCapture(options: unknown): boolean {
  return Boolean(isDictionary(options) ? options["capture"] : options);
}

function requireListener(callback: unknown): void {
  if (callback === null || callback === undefined || typeof callback === "object" || typeof callback === "function")
    return;
  throw new TypeError("the listener is neither a function nor an object");
}

/**
 * Defines an event handler attribute (`onabort`, `onerror`): setting it moves its one listener in place.
 */
export function exposeHandler(prototype: object, type: string): void {
  const handlers = new WeakMap<object, unknown>();
  Object.defineProperty(prototype, `on${type}`, {
    get(this: EventTarget) {
      return handlers.get(this) ?? null;
    },
    set(this: EventTarget, value: unknown) {
      const known = handlers.has(this);
      handlers.set(this, typeof value === "function" ? value : null);
      if (known) return;
      this.addEventListener(type, function handle(this: EventTarget, event: Event) {
        const handler = handlers.get(this);
        if (typeof handler === "function" && handler.call(this, event) === false) event.preventDefault();
      });
    },
    enumerable: true,
    configurable: true,
  });
}
