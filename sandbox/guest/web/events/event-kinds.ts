/** CustomEvent, ErrorEvent, PromiseRejectionEvent (DOM standard, section 2.4; HTML standard, section 8.1.4). */
import { exposeMembers, toDictionary, toDomString } from "../webidl.ts";
import { Event, readEventState } from "./events.ts";

/** An event that carries whatever its maker gives it. */
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
    if (readEventState(this).dispatching) return;
    this.initEvent(type, bubbles, cancelable);
    this.#detail = detail;
  }
}
exposeMembers(CustomEvent, "CustomEvent", { new: 1, initCustomEvent: 1 });

/** The event `reportError` dispatches (HTML standard, section 8.1.4.6). */
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
