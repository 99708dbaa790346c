/** How often one address may do something: a burst, refilled per second. */
import { listCounted } from "./client-address.ts";

export interface Rate {
  readonly burst: number;
  readonly perSecond: number;
}

/** At most this many addresses are remembered. */
const ADDRESS_LIMIT = 10_000;

/**
 * Counts by address, and the addresses of a network together (`listCounted`). What is refused counts for neither: an address
 * that is refused takes nothing from its neighbours.
 */
export class RateLimit {
  readonly #rate: Rate;
  readonly #now: () => number;
  readonly #buckets = new Map<string, { readonly tokens: number; readonly at: number }>();

  /** `now` is monotonic ms. */
  constructor(rate: Rate, now: () => number) {
    this.#rate = rate;
    this.#now = now;
  }

  /** Counts once; whether that was too often. */
  take(address: string): boolean {
    if (this.isSpent(address)) return true;
    for (const { name, times } of listCounted(address)) {
      const tokens = this.#read(name, times);
      this.#buckets.delete(name);
      if (this.#buckets.size >= ADDRESS_LIMIT) this.#buckets.delete(this.#buckets.keys().next().value ?? name);
      this.#buckets.set(name, { tokens: tokens - 1, at: this.#now() });
    }
    return false;
  }

  /** Whether the next time would be too often. */
  isSpent(address: string): boolean {
    return listCounted(address).some(({ name, times }) => this.#read(name, times) < 1);
  }

  #read(name: string, times: number): number {
    const burst = this.#rate.burst * times;
    const perSecond = this.#rate.perSecond * times;
    const now = this.#now();
    const bucket = this.#buckets.get(name) ?? { tokens: burst, at: now };
    return Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * perSecond);
  }
}
