/** Work of which only some is done at once, and only so much waits. */
export class Slots {
  readonly #most: number;
  readonly #mostWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #busy = 0;

  /** `most` at once, `mostWaiting` behind them. */
  constructor(most: number, mostWaiting: number) {
    this.#most = most;
    this.#mostWaiting = mostWaiting;
  }

  /** Does the work when its turn comes; null where too much waits already. */
  async run<Value>(work: () => Promise<Value>): Promise<Value | null> {
    if (this.#busy >= this.#most) {
      if (this.#waiting.length >= this.#mostWaiting) return null;
      // Whoever ends hands its place on.
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else this.#busy += 1;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#busy -= 1;
      else next();
    }
  }
}
