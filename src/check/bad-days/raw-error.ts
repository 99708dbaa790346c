import type { Failure } from "../../core/codes/problems.ts";

/** An error of the language or its library, as it is shown where a script lets it through. */
const NAMED_ERROR = /^[A-Z]\w*(Error|Exception): /;

/** What a failed `fetch` says, whoever passes it on. */
const NETWORK_WORDS = /\bfetch failed\b|other side closed|operation was aborted|is not valid JSON|Unexpected token/;

/** `waitForApp` has words of its own, which tell whom was asked how often. */
const WAITED = "did not answer as expected";

/** Whether a failure tells a person no more than that something broke, instead of the author's own words. */
export function isRawError({ code, message }: Pick<Failure, "code" | "message">): boolean {
  if (code !== "TASK_HOOK_FAILED" || message.includes(WAITED)) return false;
  return message.trim() === "" || NAMED_ERROR.test(message) || NETWORK_WORDS.test(message);
}
