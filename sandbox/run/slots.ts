/** How many runs of a kind go at once; the others wait in order. */
export class Slots {
  readonly #pools: Readonly<Record<"hook" | "widget", Slot>>;

  constructor(most: { readonly hook: number; readonly widget: number }) {
    this.#pools = { hook: new Slot(most.hook), widget: new Slot(most.widget) };
  }

  of(kind: "hook" | "widget"): Slot {
    return this.#pools[kind];
  }

  /** Runs of each kind that wait. */
  countWaiting(): Readonly<Record<"hook" | "widget", number>> {
    return { hook: this.#pools.hook.waiting, widget: this.#pools.widget.waiting };
  }
}

/** A counted gate; who leaves hands the place to the first who waits. */
export class Slot {
  readonly #most: number;
  readonly #waiting: ((entered: boolean) => void)[] = [];
  #taken = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** How many wait for room. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Resolves with true when there is room, with false when the signal was aborted first. */
  async enter(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    if (this.#taken < this.#most) {
      this.#taken++;
      return true;
    }
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#waiting.push(resolve);
    const giveUp = (): void => {
      const at = this.#waiting.indexOf(resolve);
      if (at < 0) return;
      this.#waiting.splice(at, 1);
      resolve(false);
    };
    signal.addEventListener("abort", giveUp, { once: true });
    return promise;
  }

  /** Goes on without waiting: a run that had left while a person was waited for. */
  reenter(): void {
    this.#taken++;
  }

  leave(): void {
    const next = this.#taken <= this.#most ? this.#waiting.shift() : undefined;
    if (next === undefined) this.#taken--;
    else next(true);
  }
}
