/**
 * The timers of one run, behind a single one of Node's. Node keeps a list for each length: a process that is late runs all
 * of one list that is over before it turns to the next, whatever was due first.
 *
 * Invariant: they end in the order they are due in, those due at the same time in the order of their calls, however late
 * the process is. All times are ms of `performance.now()`.
 */

/** Longest of Node's, in ms: it warns of a longer one, and ends it at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** Ends each timer once, in order. */
export class Timers {
  readonly #end: (id: number) => void;
  /** When each is due, by the id of its call. */
  readonly #open = new Map<number, number>();
  #wake: NodeJS.Timeout | undefined;
  #wakesAt = Number.POSITIVE_INFINITY;
  #isHeld = false;

  /** `end` is called once with each that is over. */
  constructor(end: (id: number) => void) {
    this.#end = end;
  }

  start(id: number, due: number): void {
    this.#open.set(id, due);
    this.#wakeAt(due);
  }

  /** Answers false where it is not open. */
  clear(id: number): boolean {
    return this.#open.delete(id);
  }

  clearAll(): void {
    this.#open.clear();
    this.#sleep();
  }

  /** Ends none before `release`: others that may be due earlier are still to be started. */
  hold(): void {
    this.#isHeld = true;
    this.#sleep();
  }

  release(): void {
    this.#isHeld = false;
    this.#wakeForFirst();
  }

  #endThoseOver(): void {
    this.#sleep();
    const now = performance.now();
    const over = [...this.#open].filter(([, due]) => due <= now);
    for (const [id] of over.sort(([one, due], [other, otherDue]) => due - otherDue || one - other)) {
      if (this.#open.delete(id)) this.#end(id);
    }
    this.#wakeForFirst();
  }

  #wakeForFirst(): void {
    if (this.#open.size > 0) this.#wakeAt(Math.min(...this.#open.values()));
  }

  #wakeAt(due: number): void {
    if (this.#isHeld || due >= this.#wakesAt) return;
    clearTimeout(this.#wake);
    this.#wakesAt = due;
    const ms = Math.max(0, Math.ceil(due - performance.now()));
    // where it wakes before anything is over, it sleeps again
    this.#wake = setTimeout(() => this.#endThoseOver(), Math.min(ms, LONGEST_MS));
  }

  #sleep(): void {
    clearTimeout(this.#wake);
    this.#wakesAt = Number.POSITIVE_INFINITY;
  }
}
