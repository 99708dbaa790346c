/** Calls before login, counted per method and address (docs/host-api.md, section 2). */
export class RateLimit {
  readonly #perWindow: number;
  readonly #windowMs: number;
  readonly #calls = new Map<string, number[]>();

  constructor(perWindow: number, windowMs: number) {
    this.#perWindow = perWindow;
    this.#windowMs = windowMs;
  }

  /** Counts a call at `now` (UTC ms); false when it is one too many. */
  admit(method: string, address: string, now: number): boolean {
    const key = `${method} ${address}`;
    const recent = (this.#calls.get(key) ?? []).filter((at) => at > now - this.#windowMs);
    recent.push(now);
    this.#calls.set(key, recent);
    return recent.length <= this.#perWindow;
  }
}
