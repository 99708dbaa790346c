/** Request (Fetch standard, section 5.4), Node-style: any header, no CORS, no cache. */

import { cloneBody, exposeBody, isUnusable } from "./body.ts";
import type { AbortSignal } from "./events/abort.ts";
import { Headers, listHeaders } from "./headers.ts";
import { createState, follow, type RequestState } from "./request-state.ts";
import { exposeMembers, requireConstructorArguments, toDictionary } from "./webidl.ts";

let stateOf: (request: unknown) => RequestState;
let isRequest: (value: unknown) => value is Request;
let withState: (state: RequestState) => Request;

export class Request {
  static {
    stateOf = (request) => (request as Request).#state;
    isRequest = (value): value is Request => typeof value === "object" && value !== null && #state in value;
    withState = (state) => {
      const request = new Request(state.url.href);
      request.#state = state;
      return request;
    };
  }

  #state: RequestState;

  constructor(...args: readonly [input: unknown, init?: unknown]) {
    requireConstructorArguments(args.length, 1, "Request");
    const [input] = args;
    const base = isRequest(input) ? stateOf(input) : undefined;
    this.#state = createState(input, base, toDictionary(args[1], "RequestInit"));
  }

  get method(): string {
    return this.#state.method;
  }
  get url(): string {
    return this.#state.url.href;
  }
  get headers(): Headers {
    return this.#state.headers;
  }
  get destination(): string {
    void this.#state;
    return "";
  }
  get referrer(): string {
    return this.#state.referrer;
  }
  get referrerPolicy(): string {
    return this.#state.enums.referrerPolicy;
  }
  get mode(): string {
    return this.#state.enums.mode;
  }
  get credentials(): string {
    return this.#state.enums.credentials;
  }
  get cache(): string {
    return this.#state.enums.cache;
  }
  get redirect(): string {
    return this.#state.enums.redirect;
  }
  get integrity(): string {
    return this.#state.integrity;
  }
  get keepalive(): boolean {
    return this.#state.keepalive;
  }
  get signal(): AbortSignal {
    return this.#state.signal;
  }
  get duplex(): string {
    void this.#state;
    return "half";
  }
  clone(): Request {
    const state = this.#state;
    if (isUnusable(state.body)) throw new TypeError("Request.clone: the body has already been read or is locked");
    return withState({
      ...state,
      headers: new Headers(listHeaders(state.headers)),
      body: state.body === null ? null : cloneBody(state.body),
      signal: follow(state.signal),
    });
  }
}
exposeBody(Request.prototype, (receiver) => stateOf(receiver));
exposeMembers(Request, "Request", { new: 1 });

export { isRequest };

/** The parts of a request. */
export function readRequestState(request: Request): RequestState {
  return stateOf(request);
}
