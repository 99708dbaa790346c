import type { Failure } from "../../core/codes/problems.ts";

/** A fault of a report: each can be put right on the host, and the install asked for again. */
export function createFailure(code: Failure["code"], message: string): Failure {
  return { code, message, context: [], retryable: true };
}
