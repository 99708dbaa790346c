/** A request's parts, made of what its constructor is given (Fetch standard, section 5.4). */
import { type Body, extractBody, isUnusable, takeBody } from "./body.ts";
import { AbortController, type AbortSignal, addAbortAction, isAbortSignal } from "./events/abort.ts";
import { Headers, listHeaders } from "./headers.ts";
import { URL } from "./url.ts";
import { toByteString, toDomString, toUsvString } from "./webidl.ts";

/** Members of a request beyond its parts, with their values; none of these but `redirect` changes what is sent. */
const ENUMS = {
  mode: ["cors", "navigate", "no-cors", "same-origin"],
  credentials: ["same-origin", "omit", "include"],
  cache: ["default", "no-store", "reload", "no-cache", "force-cache", "only-if-cached"],
  redirect: ["follow", "error", "manual"],
  referrerPolicy: [
    "",
    "no-referrer",
    "no-referrer-when-downgrade",
    "same-origin",
    "origin",
    "strict-origin",
    "origin-when-cross-origin",
    "strict-origin-when-cross-origin",
    "unsafe-url",
  ],
} as const;
type EnumName = keyof typeof ENUMS;

/** A request's parts, as fetch reads them. */
export interface RequestState {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  body: Body | null;
  readonly signal: AbortSignal;
  readonly enums: { readonly [Name in EnumName]: string };
  readonly referrer: string;
  readonly integrity: string;
  readonly keepalive: boolean;
}

/** The parts of a new request; `base` are those of the request it is made of. Throws a TypeError. */
export function createState(
  input: unknown,
  base: RequestState | undefined,
  init: { readonly [key: string]: unknown },
): RequestState {
  const url = base?.url ?? parseRequestUrl(input);
  if (init["window"] !== undefined && init["window"] !== null) throw new TypeError("Request: window must be null");
  const enums = {
    mode: readEnum("mode", init, base, "cors"),
    credentials: readEnum("credentials", init, base, "same-origin"),
    cache: readEnum("cache", init, base, "default"),
    redirect: readEnum("redirect", init, base, "follow"),
    referrerPolicy: readEnum("referrerPolicy", init, base, ""),
  };
  if (init["mode"] === "navigate") throw new TypeError('Request: the mode "navigate" is not allowed');
  if (enums.cache === "only-if-cached" && enums.mode !== "same-origin") {
    throw new TypeError('Request: the cache mode "only-if-cached" needs the mode "same-origin"');
  }
  const method = init["method"] === undefined ? (base?.method ?? "GET") : toMethod(init["method"]);
  if (enums.mode === "no-cors" && !["GET", "HEAD", "POST"].includes(method)) {
    throw new TypeError(`Request: the method ${method} is not allowed in the mode "no-cors"`);
  }
  const signal = init["signal"] === undefined ? base?.signal : init["signal"];
  if (signal !== undefined && signal !== null && !isAbortSignal(signal)) {
    throw new TypeError("Request: signal is not an AbortSignal");
  }
  const headers = new Headers(init["headers"] ?? (base === undefined ? undefined : listHeaders(base.headers)));
  const { body: given, duplex } = init;
  const hasBody = given !== undefined && given !== null;
  const inherited = base?.body ?? null;
  if ((hasBody || (inherited !== null && given === undefined)) && (method === "GET" || method === "HEAD")) {
    throw new TypeError(`Request: a request with method ${method} cannot have a body`);
  }
  if (duplex !== undefined && duplex !== "half") throw new TypeError('Request: duplex must be "half"');
  let body: Body | null = null;
  if (hasBody) {
    const extracted = extractBody(given);
    if (extracted.body.stream !== undefined && duplex === undefined) {
      throw new TypeError('Request: a stream as body needs the option duplex: "half"');
    }
    body = extracted.body;
    if (extracted.type !== undefined && !headers.has("content-type")) headers.append("content-type", extracted.type);
  } else if (inherited !== null) {
    if (isUnusable(inherited)) throw new TypeError("Request: the input's body has already been read or is locked");
    body = takeBody(inherited);
  }
  return {
    method,
    url,
    headers,
    body,
    signal: follow(signal ?? undefined),
    enums,
    referrer: readReferrer(init["referrer"], base),
    integrity: init["integrity"] === undefined ? (base?.integrity ?? "") : toDomString(init["integrity"]),
    keepalive: init["keepalive"] === undefined ? (base?.keepalive ?? false) : Boolean(init["keepalive"]),
  };
}

/** User or password in an `href`, where every other `@` stands behind the host or is written `%40`. */
const CREDENTIALS = /^[^:]+:\/\/[^/?#]*@/;

function parseRequestUrl(input: unknown): URL {
  const text = toUsvString(input);
  const url = URL.parse(text);
  if (url === null) throw new TypeError(`Failed to parse URL from ${text}`);
  if (CREDENTIALS.test(url.href)) {
    throw new TypeError(`Request: the URL "${url.origin}" includes credentials; send an Authorization header instead`);
  }
  return url;
}

function readEnum(
  name: EnumName,
  init: { readonly [key: string]: unknown },
  base: RequestState | undefined,
  otherwise: string,
): string {
  if (init[name] === undefined) return base?.enums[name] ?? otherwise;
  const value = toDomString(init[name]);
  const allowed: readonly string[] = ENUMS[name];
  if (!allowed.includes(value)) throw new TypeError(`Request: "${value}" is not a value of ${name}`);
  return value;
}

function toMethod(value: unknown): string {
  const method = toByteString(value);
  if (!/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(method)) throw new TypeError(`"${method}" is not a valid HTTP method`);
  const upper = method.toUpperCase();
  if (["CONNECT", "TRACE", "TRACK"].includes(upper)) throw new TypeError(`The method ${method} is not allowed`);
  return ["DELETE", "GET", "HEAD", "OPTIONS", "POST", "PUT"].includes(upper) ? upper : method;
}

function readReferrer(value: unknown, base: RequestState | undefined): string {
  if (value === undefined) return base?.referrer ?? "about:client";
  const text = toUsvString(value);
  if (text === "") return "";
  const url = URL.parse(text, "http://slipway.invalid/");
  if (url === null) throw new TypeError(`Request: the referrer "${text}" is not a valid URL`);
  return url.origin === "http://slipway.invalid" || url.protocol === "about:" ? "about:client" : url.href;
}

/** A signal of the request's own that aborts with the given one. */
export function follow(signal: AbortSignal | undefined): AbortSignal {
  const controller = new AbortController();
  if (signal === undefined) return controller.signal;
  if (signal.aborted) controller.abort(signal.reason);
  else addAbortAction(signal, () => controller.abort(signal.reason));
  return controller.signal;
}
