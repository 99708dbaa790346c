/** Reading something again and again while somebody can see it. */
import type { ReactiveController, ReactiveControllerHost } from "lit";

/**
 * Calls `read` as soon as its element can be seen, and again so many seconds after it as it answers: not in a tab that is
 * hidden, not where the element is out of sight. What came due meanwhile is read when it is seen again.
 */
export class Poll implements ReactiveController {
  readonly #host: ReactiveControllerHost & Element;
  readonly #read: () => Promise<number>;
  #connection: AbortController | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** On the clock of `performance`. */
  #due = 0;
  #isInSight = false;
  #isReading = false;
  #isAskedAgain = false;

  constructor(host: ReactiveControllerHost & Element, read: () => Promise<number>) {
    this.#host = host;
    this.#read = read;
    host.addController(this);
  }

  hostConnected(): void {
    const connection = new AbortController();
    this.#connection = connection;
    const sight = new IntersectionObserver((entries) => {
      this.#isInSight = entries.at(-1)?.isIntersecting ?? false;
      this.#plan();
    });
    sight.observe(this.#host);
    document.addEventListener("visibilitychange", () => this.#plan(), { signal: connection.signal });
    connection.signal.addEventListener("abort", () => sight.disconnect(), { once: true });
  }

  hostDisconnected(): void {
    this.#connection?.abort();
    this.#connection = undefined;
    this.#isInSight = false;
    clearTimeout(this.#timer);
  }

  /** Has it read at once, or as soon as it can be seen; what is being read now may be of before, and is read again. */
  now(): void {
    this.#due = 0;
    this.#isAskedAgain = this.#isReading;
    this.#plan();
  }

  #plan(): void {
    clearTimeout(this.#timer);
    if (this.#connection === undefined || document.hidden || !this.#isInSight || this.#isReading) return;
    this.#timer = setTimeout(() => void this.#run(), Math.max(0, this.#due - performance.now()));
  }

  async #run(): Promise<void> {
    this.#isReading = true;
    this.#isAskedAgain = false;
    try {
      const seconds = await this.#read();
      this.#due = this.#isAskedAgain ? 0 : performance.now() + seconds * 1000;
    } finally {
      this.#isReading = false;
      this.#plan();
    }
  }
}
