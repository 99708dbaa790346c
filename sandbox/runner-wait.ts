/** `waitForApp`: polls the app's HTTP side until it answers as expected (decisions.md section 5). */
import type { Answered, OutsideReply, OutsideRequest } from "./contract.ts";
import { type Fault, WAIT_GROWTH, type WaitForApp } from "./ops.ts";

/** What polling needs of the run it belongs to. */
export interface WaitPorts {
  exchange(request: OutsideRequest, signal: AbortSignal): Promise<Answered<OutsideReply>>;
  /** Resolves after `ms`, early when the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** Answers the first expected response, or the fault that names URL, attempts and the last answer. */
export async function waitForApp(
  wait: WaitForApp,
  ports: WaitPorts,
  signal: AbortSignal,
): Promise<Answered<OutsideReply>> {
  let delay = wait.initialDelayMs;
  let last = "none was made";
  for (let attempt = 1; attempt <= wait.attempts; attempt++) {
    const answer = await ports.exchange(
      { method: wait.method, url: wait.url, headers: wait.headers, redirect: "follow", body: null },
      AbortSignal.any([signal, AbortSignal.timeout(wait.timeoutMs)]),
    );
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
    await ports.sleep(delay, signal);
    delay = Math.min(delay * WAIT_GROWTH, wait.maxDelayMs);
  }
  return { error: gaveUp(wait, last) };
}

function isExpected(status: number, expected: readonly number[] | undefined): boolean {
  return expected === undefined ? status >= 200 && status <= 299 : expected.includes(status);
}

function gaveUp(wait: WaitForApp, last: string): Fault {
  const url = URL.parse(wait.url);
  const shown = url === null ? wait.url : `${url.origin}${url.pathname}`;
  return {
    name: "Error",
    message: `${wait.method} ${shown} did not answer as expected in ${wait.attempts} attempts; the last: ${last}`,
  };
}
