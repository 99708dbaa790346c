/** Reading anew what changes often: at once, and then once a second at most. */

/** Ms between two readings. */
const PAUSE_MS = 1_000;

export class Again {
  readonly #read: () => Promise<void>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isAsked = false;

  constructor(read: () => Promise<void>) {
    this.#read = read;
  }

  /** Reads now, or after the pause where it was read a moment ago. */
  ask(): void {
    this.#isAsked = true;
    if (this.#timer === undefined) void this.#go();
  }

  /** Whatever was asked for is not read any more. */
  stop(): void {
    this.#isAsked = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  async #go(): Promise<void> {
    this.#isAsked = false;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#isAsked) void this.#go();
    }, PAUSE_MS);
    await this.#read();
  }
}
