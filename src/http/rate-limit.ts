/** How often one address may do something: a burst, refilled per second. */

export interface Rate {
  readonly burst: number;
  readonly perSecond: number;
}

/** At most this many addresses are remembered. */
const ADDRESS_LIMIT = 10_000;

/** Counts by address. */
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
    const tokens = this.#read(address);
    this.#buckets.delete(address);
    if (this.#buckets.size >= ADDRESS_LIMIT) this.#buckets.delete(this.#buckets.keys().next().value ?? address);
    this.#buckets.set(address, { tokens: Math.max(0, tokens - 1), at: this.#now() });
    return tokens < 1;
  }

  /** Whether the next time would be too often. */
  isSpent(address: string): boolean {
    return this.#read(address) < 1;
  }

  #read(address: string): number {
    const { burst, perSecond } = this.#rate;
    const now = this.#now();
    const bucket = this.#buckets.get(address) ?? { tokens: burst, at: now };
    return Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * perSecond);
  }
}
