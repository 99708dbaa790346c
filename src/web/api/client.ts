/** Calls of the engine's interface from a browser. */
import type { ProblemDetails } from "./types.ts";

/** A refusal of the engine, or of the way to it: `code` is one of `slipway explain`, or `UNREACHABLE`. */
export class ApiError extends Error {
  readonly code: string;
  readonly status: number;
  readonly details: ProblemDetails | undefined;

  constructor(status: number, details: ProblemDetails | undefined, message: string) {
    super(message);
    this.name = "ApiError";
    this.code = details?.code ?? "UNREACHABLE";
    this.status = status;
    this.details = details;
  }
}

/** Gives the bearer of an embedder's own authentication, asked for at each call; none for a cookie's session. */
export type TokenSource = () => string | undefined;

let token: TokenSource = () => undefined;

/** Has every call and stream carry this bearer. */
export function useToken(source: TokenSource): void {
  token = source;
}

/** Headers of whoever calls: a bearer, or what a page of another origin can't send beside a cookie. */
export function authorize(): Record<string, string> {
  const bearer = token();
  return bearer === undefined ? { "x-slipway": "1" } : { authorization: `Bearer ${bearer}` };
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

const sessionListeners = new Set<() => void>();

/** Calls, for as long as the page is there, where nobody is logged in any more. */
export function whenSessionEnds(listener: () => void): void {
  sessionListeners.add(listener);
}

/** Says that nobody is logged in any more. */
export function endSession(): void {
  for (const listener of sessionListeners) listener();
}

/**
 * Calls `api` + `path` (segments encoded by `pathOf`) and gives the body, whose type the caller names after the interface's
 * schema. Throws `ApiError`, and what the signal was aborted with.
 */
export async function call<Body>(api: string, path: string, options: CallOptions = {}): Promise<Body> {
  const { method = "GET", query = {}, body, signal } = options;
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const search = parameters.length === 0 ? "" : `?${new URLSearchParams(parameters)}`;
  const { response, text } = await reach(`${api}${path}${search}`, {
    method,
    headers: {
      accept: "application/json",
      ...authorize(),
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal !== undefined && { signal }),
  });
  signal?.throwIfAborted();
  const parsed = parse(text);
  // Something before the engine answers, e.g. with its own page to log in.
  if (response.ok && parsed === undefined && text !== "") throw createUnreachable();
  // The interface is the engine's own, held to its schemas by its tests.
  if (response.ok || (response.status === options.alsoFine && !isProblem(parsed))) return parsed as Body;
  if (response.status === 401) endSession();
  const details = isProblem(parsed) ? parsed : undefined;
  throw new ApiError(response.status, details, details?.detail ?? `the engine answered ${response.status}`);
}

/** A path of segments, each encoded. */
export function pathOf(...segments: readonly string[]): string {
  return segments.map((segment) => `/${encodeURIComponent(segment)}`).join("");
}

/** The whole answer: an engine that is killed may break off in the middle of one. */
async function reach(
  address: string,
  init: RequestInit,
): Promise<{ readonly response: Response; readonly text: string }> {
  try {
    const response = await fetch(address, { cache: "no-store", credentials: "same-origin", ...init });
    return { response, text: await response.text() };
  } catch (error) {
    throw init.signal?.aborted === true ? error : createUnreachable();
  }
}

function createUnreachable(): ApiError {
  return new ApiError(0, undefined, "the engine can't be reached");
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
