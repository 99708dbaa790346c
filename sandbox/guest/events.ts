/** Event, CustomEvent, ErrorEvent, EventTarget (DOM standard, section 2), without a tree. */
import { now, timeOrigin } from "./bridge.ts";
import { DOMException } from "./dom-exception.ts";
import { exposeMembers, requireConstructorArguments, toDictionary, toDomString } from "./webidl.ts";

const PHASES = { NONE: 0, CAPTURING_PHASE: 1, AT_TARGET: 2, BUBBLING_PHASE: 3 } as const;

interface EventState {
  type: string;
  bubbles: boolean;
  cancelable: boolean;
  initialized: boolean;
  dispatching: boolean;
  canceled: boolean;
  stopped: boolean;
  stoppedImmediately: boolean;
  inPassiveListener: boolean;
  trusted: boolean;
  target: EventTarget | null;
  currentTarget: EventTarget | null;
  phase: number;
}

/** Opens an event's state to this file; set from inside the class. */
let stateOf: (event: Event) => EventState;

/** `isTrusted` is an own accessor of each event, the same getter for all (`[LegacyUnforgeable]`). */
const { get: isTrusted } = Object.getOwnPropertyDescriptor(
  {
    get isTrusted(): boolean {
      return stateOf(this as unknown as Event).trusted;
    },
  },
  "isTrusted",
) as { get: () => boolean };

export class Event {
  static {
    stateOf = (event) => event.#state;
  }

  readonly #state: EventState;
  readonly #timeStamp = now() - timeOrigin();
  readonly #composed: boolean;

  constructor(...args: readonly [type: unknown, options?: unknown]) {
    requireConstructorArguments(args.length, 1, new.target.name);
    const type = toDomString(args[0]);
    const { bubbles, cancelable, composed } = toDictionary(args[1], "EventInit");
    this.#composed = Boolean(composed);
    this.#state = {
      type,
      bubbles: Boolean(bubbles),
      cancelable: Boolean(cancelable),
      initialized: true,
      dispatching: false,
      canceled: false,
      stopped: false,
      stoppedImmediately: false,
      inPassiveListener: false,
      trusted: false,
      target: null,
      currentTarget: null,
      phase: PHASES.NONE,
    };
    Object.defineProperty(this, "isTrusted", { get: isTrusted, enumerable: true, configurable: false });
  }

  get type(): string {
    return this.#state.type;
  }
  get target(): EventTarget | null {
    return this.#state.target;
  }
  get srcElement(): EventTarget | null {
    return this.#state.target;
  }
  get currentTarget(): EventTarget | null {
    return this.#state.currentTarget;
  }
  get eventPhase(): number {
    return this.#state.phase;
  }
  get bubbles(): boolean {
    return this.#state.bubbles;
  }
  get cancelable(): boolean {
    return this.#state.cancelable;
  }
  get composed(): boolean {
    return this.#composed;
  }
  get defaultPrevented(): boolean {
    return this.#state.canceled;
  }
  get timeStamp(): number {
    return this.#timeStamp;
  }
  get returnValue(): boolean {
    return !this.#state.canceled;
  }
  set returnValue(value: unknown) {
    if (!value) this.preventDefault();
  }
  get cancelBubble(): boolean {
    return this.#state.stopped;
  }
  set cancelBubble(value: unknown) {
    if (value) this.#state.stopped = true;
  }

  composedPath(): EventTarget[] {
    const { currentTarget } = this.#state;
    return currentTarget === null ? [] : [currentTarget];
  }
  stopPropagation(): void {
    this.#state.stopped = true;
  }
  stopImmediatePropagation(): void {
    this.#state.stopped = true;
    this.#state.stoppedImmediately = true;
  }
  preventDefault(): void {
    const state = this.#state;
    if (state.cancelable && !state.inPassiveListener) state.canceled = true;
  }
  initEvent(type: unknown, bubbles: unknown = false, cancelable: unknown = false): void {
    const state = this.#state;
    if (state.dispatching) return;
    Object.assign(state, {
      type: toDomString(type),
      bubbles: Boolean(bubbles),
      cancelable: Boolean(cancelable),
      initialized: true,
      canceled: false,
      stopped: false,
      stoppedImmediately: false,
      target: null,
    });
  }
}
exposeMembers(Event, "Event", { new: 1, initEvent: 1 });
for (const [key, value] of Object.entries(PHASES)) {
  Object.defineProperty(Event, key, { value, enumerable: true });
  Object.defineProperty(Event.prototype, key, { value, enumerable: true });
}

export class CustomEvent extends Event {
  #detail: unknown;

  constructor(...args: readonly [type: unknown, options?: unknown]) {
    super(...args);
    const { detail = null } = toDictionary(args[1], "CustomEventInit");
    this.#detail = detail;
  }

  get detail(): unknown {
    return this.#detail;
  }
  initCustomEvent(type: unknown, bubbles: unknown = false, cancelable: unknown = false, detail: unknown = null): void {
    if (stateOf(this).dispatching) return;
    this.initEvent(type, bubbles, cancelable);
    this.#detail = detail;
  }
}
exposeMembers(CustomEvent, "CustomEvent", { new: 1, initCustomEvent: 1 });

/** What `reportError` dispatches (HTML standard, section 8.1.4.6). */
export class ErrorEvent extends Event {
  readonly #init: { readonly [key: string]: unknown };

  constructor(...args: readonly [type: unknown, options?: unknown]) {
    super(...args);
    this.#init = { ...toDictionary(args[1], "ErrorEventInit") };
  }

  get message(): string {
    return toDomString(this.#init["message"] ?? "");
  }
  get filename(): string {
    return toDomString(this.#init["filename"] ?? "");
  }
  get lineno(): number {
    return Number(this.#init["lineno"] ?? 0);
  }
  get colno(): number {
    return Number(this.#init["colno"] ?? 0);
  }
  get error(): unknown {
    return this.#init["error"];
  }
}
exposeMembers(ErrorEvent, "ErrorEvent", { new: 1 });

/** Never fired here: a rejection nobody handles is logged by the parent. Offered because ECMA-429 asks for the class. */
export class PromiseRejectionEvent extends Event {
  readonly #promise: unknown;
  readonly #reason: unknown;

  constructor(...args: readonly [type: unknown, options: unknown]) {
    super(...args);
    const { promise, reason } = toDictionary(args[1], "PromiseRejectionEventInit");
    if (promise === undefined) throw new TypeError("PromiseRejectionEventInit.promise is required");
    this.#promise = promise;
    this.#reason = reason;
  }

  get promise(): unknown {
    return this.#promise;
  }
  get reason(): unknown {
    return this.#reason;
  }
}
exposeMembers(PromiseRejectionEvent, "PromiseRejectionEvent", { new: 2 });

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
      const state = stateOf(event);
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
    const capture = captureOf(options);
    const { once, passive, signal } = isDictionary(options) ? options : {};
    if (signal !== undefined && !isSignal(signal)) throw new TypeError("the option signal is not an AbortSignal");
    if (callback === null || callback === undefined || signal?.aborted) return;
    const same = (other: Listener) => other.type === name && other.callback === callback && other.capture === capture;
    if (this.#listeners.some(same)) return;
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
    const capture = captureOf(options);
    const found = this.#listeners.find(
      (other) => other.type === name && other.callback === callback && other.capture === capture,
    );
    if (found !== undefined) this.#remove(found);
  }

  dispatchEvent(event: unknown): boolean {
    void this.#listeners;
    if (!(event instanceof Event)) throw new TypeError("EventTarget.dispatchEvent: the argument is not an Event");
    const state = stateOf(event);
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

function captureOf(options: unknown): boolean {
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
