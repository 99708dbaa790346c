/**
 * The children of one run, one at a time, and its place among the runs that go on at once.
 *
 * Invariant: a run has a place while it has a child that may compute; one that waits for a person leaves it to others.
 */
import type { SandboxChild } from "../child/child-process.ts";
import type { RunLimits } from "../limits.ts";
import { Life, type LifeListener } from "./life.ts";
import type { Slot } from "./slots.ts";

export interface LivesParts {
  /** A ready child for this run alone, which needs the machine until it is `atWork`; rejects when none can be had. */
  takeChild(atWork: Promise<void>): Promise<SandboxChild>;
  readonly slot: Slot;
  readonly limits: RunLimits;
  readonly wallMs: number;
  readonly listener: LifeListener;
  /** The run has ended. */
  readonly ended: AbortSignal;
}

export class Lives {
  readonly #parts: LivesParts;
  #life: Life | null = null;
  /** A child that was asked for has come, or will not. */
  #arriving: Promise<unknown> = Promise.resolve();
  /** The last child's process is gone. */
  #gone: Promise<void> = Promise.resolve();
  #used = { cpuMs: 0, peakMb: 0 };
  #hasPlace = false;

  constructor(parts: LivesParts) {
    this.#parts = parts;
  }

  /** The child at work; null where there is none. */
  get life(): Life | null {
    return this.#life;
  }

  /** CPU of the script in ms, and the highest memory of its processes in MB. */
  get used(): { readonly cpuMs: number; readonly peakMb: number } {
    return this.#used;
  }

  /** Waits for a place and a child that is to be brought to its work; null where the run has ended before. */
  async begin(atWork: Promise<void>): Promise<Life | null> {
    const { slot, limits, wallMs, listener, ended } = this.#parts;
    if (!this.#hasPlace) this.#hasPlace = await slot.enter(ended);
    if (ended.aborted) return null;
    const arriving = this.#parts.takeChild(atWork);
    this.#arriving = arriving.catch(() => undefined);
    const life = new Life(await arriving, limits, wallMs, listener);
    this.#life = life;
    if (!ended.aborted) return life;
    await this.lose();
    return null;
  }

  /** Lets the child go; resolves when its process is gone, and every one before it. */
  async lose(): Promise<void> {
    const life = this.#life;
    this.#life = null;
    if (life !== null) {
      this.#gone = life.leave();
      const { cpuMs, peakMb } = life.use;
      this.#used = { cpuMs, peakMb: Math.max(peakMb, this.#used.peakMb) };
    }
    await this.#gone;
  }

  /** The end of the run: resolves when no child of it is left or on its way. */
  async end(): Promise<void> {
    await this.#arriving;
    await this.lose();
  }

  /** Leaves the place to others, or takes it again without waiting. */
  movePlace(running: boolean): void {
    if (running === this.#hasPlace) return;
    this.#hasPlace = running;
    if (running) this.#parts.slot.reenter();
    else this.#parts.slot.leave();
  }
}
