import type { Clock } from "../../src/engine/ports/environment.ts";

/** A clock that stands still until a test moves it. */
export interface TestClock extends Clock {
  /** Lets `ms` pass on both clocks, firing what falls due on the way, in order. */
  advance(ms: number): void;
  /** Moves the wall clock alone, as an administrator or NTP does. */
  step(ms: number): void;
  /** Sleeps that were asked for and have not ended. */
  sleeping(): number;
  /** Whether one of them ends in exactly this time, ms. */
  isDueIn(ms: number): boolean;
}

export function createTestClock(start = Date.UTC(2026, 0, 1)): TestClock {
  let monotonic = 0;
  let offset = start;
  let sleeps: { readonly due: number; readonly run: () => void }[] = [];
  return {
    now: () => offset + monotonic,
    monotonic: () => monotonic,
    after(ms, run) {
      const sleep = { due: monotonic + ms, run };
      sleeps.push(sleep);
      return () => {
        sleeps = sleeps.filter((other) => other !== sleep);
      };
    },
    advance(ms) {
      const end = monotonic + ms;
      for (;;) {
        const next = sleeps.filter(({ due }) => due <= end).sort((a, b) => a.due - b.due)[0];
        if (next === undefined) break;
        sleeps = sleeps.filter((other) => other !== next);
        monotonic = Math.max(monotonic, next.due);
        next.run();
      }
      monotonic = end;
    },
    step(ms) {
      offset += ms;
    },
    sleeping: () => sleeps.length,
    isDueIn: (ms) => sleeps.some(({ due }) => due === monotonic + ms),
  };
}
