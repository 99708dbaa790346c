/** Running time of a run: monotonic, standing still while a person is waited for. */
export class RunClock {
  /** Called when the time stops and when it goes on. */
  readonly #onChange: (running: boolean) => void;
  #ran = 0;
  #since: number | null = null;
  #waits = 0;

  constructor(onChange: (running: boolean) => void) {
    this.#onChange = onChange;
  }

  /** The script begins, or goes on with `ranMs` of running time behind it. */
  start(ranMs = 0): void {
    this.#ran = ranMs;
    if (this.running) this.#since = performance.now();
  }

  /** A person is waited for; waits may overlap. */
  pause(): void {
    this.#waits++;
    if (this.#waits > 1) return;
    this.#ran = this.ranMs();
    this.#since = null;
    this.#onChange(false);
  }

  resume(): void {
    this.#waits--;
    if (this.#waits > 0) return;
    this.#since = performance.now();
    this.#onChange(true);
  }

  /** No person is waited for. */
  get running(): boolean {
    return this.#waits === 0;
  }

  /** Ms of running time so far. */
  ranMs(): number {
    return this.#ran + (this.#since === null ? 0 : performance.now() - this.#since);
  }
}
