import type { Code } from "../core/codes/code.ts";
import { explain } from "../core/codes/codes.ts";
import { EngineError } from "../core/codes/problems.ts";
import type { ErrorStatus } from "../core/codes/row.ts";

/** Media type of every error body (RFC 9457). */
export const PROBLEM_JSON = "application/problem+json";

/** A name somebody chose is never taken for a page, whatever stands in it. */
export const NO_SNIFF = { "x-content-type-options": "nosniff" } as const;

/** No copy of a response stays in a cache: answers, tasks and errors are the caller's alone. */
export const NO_STORE = { "cache-control": "no-store", ...NO_SNIFF } as const;

/** An RFC 9457 body: `type` is the code as a URN, the other members beside the standard ones are ours. */
export interface ProblemDetails {
  readonly type: string;
  readonly title: string;
  readonly status: ErrorStatus;
  readonly detail: string;
  readonly code: Code;
  readonly hint: string;
  readonly [member: string]: unknown;
}

/** The error body of a code; `members` are typed facts such as `taskId` or `problems`. */
export function createProblemDetails(
  code: Code,
  detail: string,
  members: Readonly<Record<string, unknown>> = {},
): ProblemDetails {
  const { title, hint, status } = explain(code);
  return { ...members, type: `urn:slipway:${code}`, title, status, detail, code, hint };
}

/** An error body as a response; the request id goes into the header, set by the server. */
export function createProblemResponse(
  details: ProblemDetails,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(JSON.stringify(details), {
    status: details.status,
    headers: { "content-type": PROBLEM_JSON, ...NO_STORE, ...headers },
  });
}

/** Any thrown value as an error body; of an `isHidden` one the code alone, with the registry's words. */
export function toProblemDetails(error: unknown): ProblemDetails {
  if (!(error instanceof EngineError))
    return createProblemDetails("HTTP_INTERNAL", "the request could not be carried out");
  if (isHidden(error)) return createProblemDetails(error.code, explain(error.code).title);
  return createProblemDetails(error.code, error.message, error.details);
}

/**
 * Whether an error is about the engine's surroundings rather than the request: its message may name the database's file,
 * the host's address or a folder, which are for the log of the server and not for every caller.
 */
export function isHidden(error: unknown): boolean {
  if (!(error instanceof EngineError)) return true;
  if (error.code.startsWith("HTTP_") || error.code === "TASK_ENGINE_DRAINING") return false;
  return explain(error.code).status >= 500 || error.code.startsWith("CATALOG_");
}
