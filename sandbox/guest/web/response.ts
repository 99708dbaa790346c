/** Response (Fetch standard, section 5.5). */
import type { FetchAnswer } from "../../protocol/ops.ts";
import { type Body, cloneBody, createBody, exposeBody, extractBody, isUnusable } from "./body.ts";
import { createNetworkHeaders, freezeHeaders, Headers, listHeaders } from "./headers.ts";
import { URL } from "./url.ts";
import { CONSTRUCT, exposeMembers, toByteString, toDictionary, toUsvString } from "./webidl.ts";

interface ResponseState {
  readonly type: "default" | "basic" | "error" | "opaqueredirect";
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly body: Body | null;
  readonly url: string;
  readonly redirected: boolean;
}

const NULL_BODY_STATUS = [101, 103, 204, 205, 304];

let stateOf: (response: unknown) => ResponseState;
let withState: (state: ResponseState) => Response;

export class Response {
  static {
    stateOf = (response) => (response as Response).#state;
    withState = (state) => new Response(CONSTRUCT, state);
  }

  #state: ResponseState;

  constructor(body: unknown = null, init: unknown = undefined) {
    this.#state =
      body === CONSTRUCT
        ? (init as ResponseState) // the guest's own: no script has the key
        : createState(
            toDictionary(init, "ResponseInit"),
            body === null || body === undefined ? undefined : () => extractBody(body),
          );
  }

  static error(): Response {
    const headers = new Headers();
    freezeHeaders(headers);
    return withState({ type: "error", status: 0, statusText: "", headers, body: null, url: "", redirected: false });
  }
  static redirect(url: unknown, status: unknown = 302): Response {
    const target = URL.parse(toUsvString(url));
    if (target === null) throw new TypeError(`Failed to parse URL from ${toUsvString(url)}`);
    const code = toUnsignedShort(status);
    if (![301, 302, 303, 307, 308].includes(code)) throw new RangeError(`${code} is not a redirect status`);
    const headers = new Headers([["location", target.href]]);
    freezeHeaders(headers);
    return withState({
      type: "default",
      status: code,
      statusText: "",
      headers,
      body: null,
      url: "",
      redirected: false,
    });
  }
  static json(data: unknown, init: unknown = undefined): Response {
    const text = JSON.stringify(data);
    if (text === undefined) throw new TypeError("Response.json: the value is not JSON serializable");
    return withState(
      createState(toDictionary(init, "ResponseInit"), () => ({ ...extractBody(text), type: "application/json" })),
    );
  }

  get type(): string {
    return this.#state.type;
  }
  get url(): string {
    return this.#state.url;
  }
  get redirected(): boolean {
    return this.#state.redirected;
  }
  get status(): number {
    return this.#state.status;
  }
  get ok(): boolean {
    return this.#state.status >= 200 && this.#state.status <= 299;
  }
  get statusText(): string {
    return this.#state.statusText;
  }
  get headers(): Headers {
    return this.#state.headers;
  }
  clone(): Response {
    const state = this.#state;
    if (isUnusable(state.body)) throw new TypeError("Response.clone: the body has already been read or is locked");
    return withState({
      ...state,
      headers: new Headers(listHeaders(state.headers)),
      body: state.body === null ? null : cloneBody(state.body),
    });
  }
}
exposeBody(Response.prototype, (receiver) => stateOf(receiver));
exposeMembers(Response, "Response", { "static redirect": 1, "static json": 1 });

function toUnsignedShort(value: unknown): number {
  const number = Math.trunc(Number(value));
  return Number.isFinite(number) ? number & 0xffff : 0;
}

function createState(
  init: { readonly [key: string]: unknown },
  extract: (() => { readonly body: Body; readonly type: string | undefined }) | undefined,
): ResponseState {
  const status = init["status"] === undefined ? 200 : toUnsignedShort(init["status"]);
  if (status < 200 || status > 599) throw new RangeError(`${status} is not a status from 200 to 599`);
  const statusText = init["statusText"] === undefined ? "" : toByteString(init["statusText"]);
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(statusText)) throw new TypeError("statusText holds a control character");
  const headers = new Headers(init["headers"]);
  if (extract === undefined) {
    return { type: "default", status, statusText, headers, body: null, url: "", redirected: false };
  }
  const { body, type } = extract();
  if (NULL_BODY_STATUS.includes(status)) throw new TypeError(`A response with status ${status} cannot have a body`);
  if (type !== undefined && !headers.has("content-type")) headers.append("content-type", type);
  return { type: "default", status, statusText, headers, body, url: "", redirected: false };
}

/** The response a settled fetch brought. */
export function createResponse(answer: FetchAnswer, body: ArrayBuffer | undefined, method: string): Response {
  const withoutBody = NULL_BODY_STATUS.includes(answer.status) || method === "HEAD";
  return withState({
    type: "basic",
    status: answer.status,
    statusText: answer.statusText,
    headers: createNetworkHeaders(answer.headers),
    body: withoutBody ? null : createBody(new Uint8Array(body ?? new ArrayBuffer(0))),
    url: answer.url,
    redirected: answer.redirected,
  });
}
