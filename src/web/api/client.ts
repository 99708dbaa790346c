/** Calls of the engine's interface from a browser. */
import { loadSessionKey } from "./session-key.ts";
import type { ProblemDetails } from "./types.ts";

/** A refusal of the engine, or of the way to it: `code` is one of `slipway explain`, or `UNREACHABLE`. */
export class ApiError extends Error {
  readonly code: string;
  readonly status: number;
  readonly details: ProblemDetails | undefined;
  /** Of something that changes nothing, and it may be answered when the connection is back. */
  readonly isPassing: boolean;

  constructor(status: number, details: ProblemDetails | undefined, message: string, isReading = false) {
    super(message);
    this.name = "ApiError";
    this.code = details?.code ?? "UNREACHABLE";
    this.status = status;
    this.details = details;
    this.isPassing = isReading && (status === 0 || status === 401 || status >= 500);
  }
}

/** Gives the bearer of an embedder's own authentication, asked for at each call; none for a cookie's session. */
export type TokenSource = () => string | undefined;

let token: TokenSource = () => undefined;

/** Has every call and stream carry this bearer. */
export function useToken(source: TokenSource): void {
  token = source;
}

/** A module that imports this one says who calls when it runs, which is after the elements of its page have begun. */
const begun = new Promise((resolve) => setTimeout(resolve));

/** Headers that authorize a call: the embedder's bearer, or the key of the browser's session. */
export async function authorize(): Promise<Record<string, string>> {
  await begun;
  const bearer = token();
  if (bearer !== undefined) return { authorization: `Bearer ${bearer}` };
  const key = loadSessionKey();
  return key === undefined ? {} : { "x-slipway": key };
}

export interface CallOptions {
  readonly method?: "GET" | "POST" | "PUT" | "DELETE";
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** JSON. */
  readonly body?: unknown;
  readonly signal?: AbortSignal;
  /** A status beside the good ones whose body is wanted all the same. */
  readonly alsoFine?: number;
}

/**
 * The refusal to show for what went wrong; none where whoever asked went away meanwhile: nobody waits for that any more.
 * Throws what is a fault of the page itself.
 */
export function readRefusal(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error;
  if (error instanceof DOMException && error.name === "AbortError") return undefined;
  throw error;
}

const news = new EventTarget();

/** Calls, for as long as the page is there, where nobody is logged in any more. */
export function whenSessionEnds(listener: () => void): void {
  news.addEventListener("end", listener);
}

/** Says that nobody is logged in any more. */
export function endSession(): void {
  news.dispatchEvent(new Event("end"));
}

/** Calls whenever a connection is there, or there again, until the signal aborts. */
export function whenLive(listener: () => void, signal: AbortSignal): void {
  news.addEventListener("live", listener, { signal });
}

/** Says that a connection is there. */
export function tellLive(): void {
  news.dispatchEvent(new Event("live"));
}

/**
 * Calls `api` + `path` (segments encoded by `pathOf`) and gives the body, whose type the caller names after the interface's
 * schema. Throws `ApiError`, and what the signal was aborted with.
 */
export async function call<Body>(api: string, path: string, options: CallOptions = {}): Promise<Body> {
  const { method = "GET", query = {}, body, signal } = options;
  const isReading = method === "GET" || /\/(form|preview)$/.test(path);
  const refuse = (status: number, details?: ProblemDetails, message = "the engine can't be reached") =>
    new ApiError(status, details, message, isReading);
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const search = parameters.length === 0 ? "" : `?${new URLSearchParams(parameters)}`;
  const headers = {
    accept: "application/json",
    ...(await authorize()),
    ...(body !== undefined && { "content-type": "application/json" }),
  };
  const { response, text } = await fetchWhole(`${api}${path}${search}`, {
    ...{ method, headers, cache: "no-store", credentials: "same-origin" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal !== undefined && { signal }),
  }).catch((error: unknown) => {
    throw signal?.aborted === true ? error : refuse(0);
  });
  signal?.throwIfAborted();
  noteClock(response);
  const parsed = parse(text);
  // Something before the engine answers, e.g. with its own page to log in.
  if (response.ok && parsed === undefined && text !== "") throw refuse(0);
  // The interface is the engine's own, held to its schemas by its tests.
  if (response.ok || (response.status === options.alsoFine && !isProblem(parsed))) return parsed as Body;
  if (response.status === 401) endSession();
  const details = isProblem(parsed) ? parsed : undefined;
  throw refuse(response.status, details, details?.detail ?? `the engine answered ${response.status}`);
}

/** Ms from which on the clock of a browser is a wrong one: an answer takes a while, and says whole seconds. */
const WRONG_MS = 10_000;
/** Ms by which this clock is ahead of the engine's. */
let ahead = 0;

/** The engine's time in UTC ms, which its moments are compared with: the clock of a browser may be hours off. */
export function tellNow(): number {
  return Date.now() - ahead;
}

function noteClock({ headers }: Response): void {
  const difference = Date.now() - Date.parse(headers.get("date") ?? "");
  ahead = Math.abs(difference) > WRONG_MS ? difference : 0;
}

/** A path of segments, each encoded. */
export function pathOf(...segments: readonly string[]): string {
  return segments.map((segment) => `/${encodeURIComponent(segment)}`).join("");
}

/** The whole answer: an engine that is killed may break off in the middle of one. */
async function fetchWhole(address: string, init: RequestInit) {
  const response = await fetch(address, init);
  return { response, text: await response.text() };
}

/** Undefined where it is no JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isProblem(body: unknown): body is ProblemDetails {
  return typeof body === "object" && body !== null && "code" in body && "detail" in body;
}
