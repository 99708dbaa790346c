/** How far the wall clock may drift from the machine's running time before it counts as set anew, ms. */
const SET_MS = 1_000;

/**
 * Tells moments of this process in the time of the wall clock, for a later process.
 *
 * Invariant: moments keep their distances, unless the wall clock was set in between; reading both clocks for each would
 * tell one too late by what the process stood still between the two.
 */
export class WallTime {
  readonly #now: () => number;
  #offset: number;

  /** `now`: the wall clock, ms since 1970. */
  constructor(now: () => number) {
    this.#now = now;
    this.#offset = Math.round(now() - performance.now());
  }

  /** When a moment, ms of `performance.now()`, is by the wall clock: ms since 1970. */
  of(moment: number): number {
    const before = performance.now();
    const now = this.#now();
    const after = performance.now();
    const isSet = now - before < this.#offset - SET_MS || now - after > this.#offset + SET_MS;
    if (isSet) this.#offset = Math.round(now - after);
    return moment + this.#offset;
  }
}
