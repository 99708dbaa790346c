/** `waitForApp`: polls the app's HTTP side until it answers as expected. */
import type { Answered, ScriptIoReply, ScriptIoRequest } from "../contract.ts";
import { WAIT_GROWTH, type WaitForApp, type WireError } from "../protocol/ops.ts";
import { pause } from "./time/pause.ts";

/** One request; it counts against what the run may make. */
export type Exchange = (request: ScriptIoRequest, signal: AbortSignal) => Promise<Answered<ScriptIoReply>>;

/**
 * Answers the first expected response, or the error that names URL, attempts and the last answer. Asks no more once the
 * signal has aborted.
 */
export async function waitForApp(
  wait: WaitForApp,
  exchange: Exchange,
  signal: AbortSignal,
): Promise<Answered<ScriptIoReply>> {
  const request = {
    method: wait.method,
    url: wait.url,
    headers: wait.headers,
    redirect: "follow",
    body: null,
  } as const;
  let delay = wait.initialDelayMs;
  let last = "none was made";
  for (let attempt = 1; attempt <= wait.attempts && !signal.aborted; attempt++) {
    const answer = await boundTime(wait.timeoutMs, signal, (until) => exchange(request, until));
    if ("error" in answer) {
      const { code, mayChange } = answer.error;
      if (signal.aborted || (code === "policy_denied" && mayChange !== true)) return answer;
      last = answer.error.name === "AbortError" ? `no answer within ${wait.timeoutMs} ms` : answer.error.message;
    } else {
      if (isExpected(answer.ok.head.status, wait.expectedStatus)) return answer;
      answer.ok.taken?.();
      last = `status ${answer.ok.head.status}`;
    }
    if (attempt === wait.attempts) break;
    await pause(delay, signal);
    delay = Math.min(delay * WAIT_GROWTH, wait.maxDelayMs);
  }
  return { error: createWaitError(wait, last) };
}

/** Does something with a signal that aborts with the given one, or after `ms`. */
async function boundTime<T>(ms: number, signal: AbortSignal, act: (until: AbortSignal) => Promise<T>): Promise<T> {
  const late = new AbortController();
  const abort = (): void => {
    // a request still in line when its run ends is never answered
    clearTimeout(timer);
    late.abort();
  };
  const timer = setTimeout(abort, ms);
  signal.addEventListener("abort", abort);
  if (signal.aborted) abort();
  try {
    return await act(late.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
}

function isExpected(status: number, expected: readonly number[] | undefined): boolean {
  return expected === undefined ? status >= 200 && status <= 299 : expected.includes(status);
}

function createWaitError(wait: WaitForApp, last: string): WireError {
  const url = URL.parse(wait.url);
  const shown = url === null ? wait.url : `${url.origin}${url.pathname}`;
  return {
    name: "Error",
    message: `${wait.method} ${shown} did not answer as expected in ${wait.attempts} attempts; the last: ${last}`,
  };
}
