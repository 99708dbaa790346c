import type { Clock } from "../ports/environment.ts";

/** `setTimeout` takes at most 2^31 - 1 ms and fires at once beyond it. */
const LONGEST_TIMEOUT_MS = 2_147_483_647;

/** The machine's own clocks and timers. */
export function createSystemClock(): Clock {
  return {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    after(ms, run) {
      const timeout = setTimeout(run, Math.min(ms, LONGEST_TIMEOUT_MS));
      return () => clearTimeout(timeout);
    },
  };
}
