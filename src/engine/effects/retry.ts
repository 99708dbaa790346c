import { HostError, isHostAway } from "../host-error.ts";
import type { Clock } from "../ports/environment.ts";
import type { EffectRun } from "../runtime/effect.ts";
import { isStoreFault } from "../runtime/turn/store-fault.ts";
import type { EffectDeps } from "./deps.ts";

/** Resolves after `ms`, or as soon as the signal aborts. */
export function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const stopWaiting = () => {
      cancel();
      signal.removeEventListener("abort", stopWaiting);
      resolve();
    };
    const cancel = clock.after(ms, stopWaiting);
    signal.addEventListener("abort", stopWaiting, { once: true });
  });
}

/** Pause before the store is tried again, in ms. */
const STORE_RETRY_MS = 1_000;

/**
 * Tries until the store does it: a fault of the disk passes, unless the database is damaged. Rejects with any other error,
 * and when the signal aborts.
 */
export async function retryWhileStoreFails<T>(
  { clock, logger }: Pick<EffectDeps, "clock" | "logger">,
  signal: AbortSignal,
  access: () => T,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    signal.throwIfAborted();
    try {
      return access();
    } catch (error) {
      if (!isStoreFault(error) || error.code === "STORE_CORRUPT") throw error;
      logger[tries === 1 ? "warn" : "debug"]({ code: error.code }, "the database does not answer a hook, trying again");
    }
    await pause(clock, STORE_RETRY_MS, signal);
  }
}

/** Codes of a host that was got through to and can't be asked right now; every other rejection is an answer. */
const SILENT = new Set([
  "HOST_ANSWER_LOST",
  "HOST_TIMEOUT",
  "HOST_BUSY",
  "HOST_RATE_LIMITED",
  "HOST_SESSION_ENDED",
  "HOST_APPS_UNAVAILABLE",
]);

/** Whether the host can't be asked right now. */
export function isHostSilent(error: unknown): error is HostError {
  return isHostAway(error) || (error instanceof HostError && SILENT.has(error.code));
}

/**
 * Asks until the host answers: for questions whose answer must not be guessed. While it
 * does not, the task is shown as waiting for the network. Rejects when the signal aborts.
 */
export async function retryWhileUnreachable<T>(
  { clock, timing, logger }: Pick<EffectDeps, "clock" | "timing" | "logger">,
  run: Pick<EffectRun, "signal" | "setHostSilent">,
  ask: () => Promise<T>,
): Promise<T> {
  for (;;) {
    run.signal.throwIfAborted();
    try {
      const answer = await ask();
      // Whoever goes on after it may change the host, for a task that has ended.
      run.signal.throwIfAborted();
      run.setHostSilent(false);
      return answer;
    } catch (error) {
      if (run.signal.aborted || !isHostSilent(error)) {
        run.setHostSilent(false);
        throw error;
      }
      logger.debug({ code: error.code }, "the host can't be asked, asking again");
      run.setHostSilent(true);
      await pause(clock, timing.hostRetry, run.signal);
    }
  }
}
