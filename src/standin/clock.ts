import { setTimeout as sleep } from "node:timers/promises";

/** Time as the stand-in sees it; passed in so that a test can hold or jump it. */
export interface StandinClock {
  /** UTC ms. */
  now(): number;
  /** Resolves after `ms`; rejects when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The machine's own clock. */
export const systemClock: StandinClock = {
  now: () => Date.now(),
  sleep: async (ms, signal) => {
    await sleep(ms, undefined, signal === undefined ? {} : { signal });
  },
};
