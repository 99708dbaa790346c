/** How often a client may do something: a burst, refilled per second. */
import type { Counted } from "./client-address.ts";

export interface Rate {
  readonly burst: number;
  readonly perSecond: number;
}

/** Most names that are remembered. */
const NAME_LIMIT = 10_000;

/** Counts a request under each of its names. A refused one counts under none: it takes nothing from its neighbours. */
export class RateLimit {
  readonly #rate: Rate;
  readonly #now: () => number;
  readonly #buckets = new Map<string, { readonly tokens: number; readonly at: number }>();

  /** `now` is monotonic ms. */
  constructor(rate: Rate, now: () => number) {
    this.#rate = rate;
    this.#now = now;
  }

  /** Counts once. Returns true when a name is over its limit. */
  take(counted: readonly Counted[]): boolean {
    if (this.isSpent(counted)) return true;
    for (const { name, times } of counted) {
      const tokens = this.#read(name, times);
      this.#buckets.delete(name);
      if (this.#buckets.size >= NAME_LIMIT) this.#buckets.delete(this.#buckets.keys().next().value ?? name);
      this.#buckets.set(name, { tokens: tokens - 1, at: this.#now() });
    }
    return false;
  }

  /** Whether the next request would be over a limit. */
  isSpent(counted: readonly Counted[]): boolean {
    return counted.some(({ name, times }) => this.#read(name, times) < 1);
  }

  #read(name: string, times: number): number {
    const burst = this.#rate.burst * times;
    const perSecond = this.#rate.perSecond * times;
    const now = this.#now();
    const bucket = this.#buckets.get(name) ?? { tokens: burst, at: now };
    return Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * perSecond);
  }
}
