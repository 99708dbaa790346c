import type { ErrorStatus } from "../core/codes/row.ts";
import { type Code, explain } from "../core/codes.ts";
import { EngineError } from "../core/problems.ts";

/** Media type of every error body (RFC 9457). */
export const PROBLEM_JSON = "application/problem+json";

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
export function problemDetails(
  code: Code,
  detail: string,
  members: Readonly<Record<string, unknown>> = {},
): ProblemDetails {
  const { title, hint, status } = explain(code);
  return { ...members, type: `urn:slipway:${code}`, title, status, detail, code, hint };
}

/** An error body as a response; the request id goes into the header, set by the server. */
export function problemResponse(details: ProblemDetails, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify(details), {
    status: details.status,
    headers: { "content-type": PROBLEM_JSON, ...headers },
  });
}

/** Any thrown value as an error body; what is no `EngineError` tells nothing of its inside. */
export function detailsOfError(error: unknown): ProblemDetails {
  if (error instanceof EngineError) return problemDetails(error.code, error.message, error.details);
  return problemDetails("HTTP_INTERNAL", "the request could not be carried out");
}
