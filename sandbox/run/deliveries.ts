/**
 * The delivery loop: the one place where outcomes enter the isolate and the calls they cause leave it.
 *
 * Invariants:
 * 1. One delivery at a time: exactly one settled outcome is delivered, in the order of settling.
 * 2. The calls of a delivery start after it has ended, in the order the script made them; the next delivery waits for that,
 *    unless they wait for the disk and it does not: then those of both start together, after one commit.
 *    Whatever is counted from a delivery is counted from one time: that of its end.
 * 3. The time a delivery carries never goes back.
 */
import type { Delivery, OutOp } from "../protocol/ops.ts";
import { pause } from "./time/pause.ts";

/** Ms the present delivery has to end when the run is suspended. */
const DELIVERY_MS = 1_000;
/** Most deliveries whose calls wait for the disk together. */
const TOGETHER = 16;

/** A call the script made and the bytes that came with it. */
export interface ScriptCall {
  readonly op: OutOp;
  readonly body: Uint8Array;
}

/** An outcome on its way into the isolate; id 0 is the start. */
export interface Outcome {
  readonly id: number;
  readonly content: WithoutTime<Delivery>;
  readonly body?: Uint8Array;
  /** Called once its delivery has ended. */
  readonly taken?: () => void;
  /** The time it was delivered at in an earlier life, ms since 1970. */
  readonly now?: number;
  /** It tells the script nothing but that it came: a timer's end, or that a report was heard. */
  readonly isBlank?: true;
}

/** How a delivery ended. */
export interface DeliveryEnd {
  readonly calls: readonly ScriptCall[];
  /** Calls of deliveries before it that have not started: they start first. */
  readonly before: readonly ScriptCall[];
  /** The script has ended with it. */
  readonly done: boolean;
  /** In ms of `performance.now()`. */
  readonly at: number;
}

/** A delivery that has ended, and its calls have not started. */
interface EndedDelivery {
  readonly calls: readonly ScriptCall[];
  readonly at: number;
  readonly wait: (() => Promise<void>) | null;
}

type WithoutTime<T> = T extends unknown ? Omit<T, "now"> : never;

export interface DeliveryPorts {
  /**
   * An outcome is to enter the isolate at `now`. Resolves when it may, with the time it enters at; null where it may at once.
   * Rejects where it never will.
   */
  ready(outcome: Outcome, now: number): Promise<number> | null;
  /** It may enter at once: `ready` would answer null. */
  isReady(outcome: Outcome): boolean;
  /** Hands one delivery to the child. */
  deliver(outcome: Outcome, header: string): void;
  /** A delivery has ended. Where this answers a wait its calls start once that resolves, and never where it rejects. */
  ended(delivery: DeliveryEnd): (() => Promise<void>) | null;
  /** Starts them and resolves then; each outcome comes back by `settle`, never before its call has been started. */
  start(calls: readonly ScriptCall[], at: number): Promise<void>;
  /** Wall clock, ms since 1970. */
  now(): number;
}

/** The deliveries of one run. */
export class Deliveries {
  readonly #ports: DeliveryPorts;
  #settled: Outcome[] = [];
  #calls: ScriptCall[] = [];
  #ended: EndedDelivery[] = [];
  #delivering = false;
  #speaking = false;
  #starting = false;
  #suspended = false;
  #hasEnded = false;
  #taken: (() => void) | undefined;
  #now = 0;
  #atRest: (() => void) | undefined;

  constructor(ports: DeliveryPorts) {
    this.#ports = ports;
  }

  /** The isolate may speak. */
  get speaking(): boolean {
    return this.#speaking;
  }

  /** Nothing is delivered or waits to be. */
  get isIdle(): boolean {
    return !this.#delivering && this.#settled.length === 0;
  }

  /** Queues an outcome for a delivery of its own. */
  settle(outcome: Outcome): void {
    this.#settled.push(outcome);
    if (!this.#delivering) this.#next();
  }

  /**
   * Delivers nothing before `release`: the script is brought to where it stood after the delivery at `now`, and these
   * outcomes were settled since.
   */
  hold(now: number, outcomes: readonly Outcome[]): void {
    this.#delivering = true;
    this.#now = now;
    this.#settled.push(...outcomes);
  }

  release(): void {
    this.#delivering = false;
    this.#next();
  }

  /** Keeps a call of the present delivery until the delivery has ended. */
  collect(call: ScriptCall): void {
    this.#calls.push(call);
  }

  /** The present delivery has ended: its calls start, then the next outcome is delivered; or before, where it can be. */
  delivered(): void {
    this.#taken?.();
    this.#endDelivery(false);
    if (this.#isNextFirst()) {
      this.#next();
      return;
    }
    void this.#startEnded().then(
      () => {
        this.#delivering = false;
        if (this.#suspended) this.#atRest?.();
        else this.#next();
      },
      // what can't be kept is not started: the run is over for the engine
      () => undefined,
    );
  }

  /**
   * The script has ended, for which there is no `delivered`: starts what it has called so far. Answers false where a later life
   * has to start it, since this one was suspended before.
   */
  async startCalls(): Promise<boolean> {
    const isLast = this.#suspended;
    this.#endDelivery(true);
    await this.#startEnded();
    this.#atRest?.();
    return !isLast;
  }

  /** The script has ended: nothing is delivered any more. */
  end(): void {
    this.#hasEnded = true;
  }

  /**
   * Delivers nothing more; resolves at the end of the present delivery, after 1 s or when it is `late` at the latest.
   */
  async suspend(late: Promise<void>): Promise<void> {
    this.#suspended = true;
    if (!this.#speaking && !this.#starting) return;
    const ended = Promise.withResolvers<void>();
    this.#atRest = ended.resolve;
    const over = new AbortController();
    await Promise.race([ended.promise, pause(DELIVERY_MS, over.signal), late]);
    over.abort();
  }

  #endDelivery(done: boolean): void {
    const calls = this.#calls;
    this.#calls = [];
    this.#speaking = false;
    // up, so that none is over early
    const at = Math.ceil(performance.now());
    const before = this.#ended.flatMap((ended) => ended.calls);
    const wait = this.#ports.ended({ calls, before, done, at });
    // what is called since the run was suspended a later life starts
    this.#ended.push({ calls: this.#suspended ? [] : calls, at, wait });
  }

  /** The next outcome enters before the calls start: they wait for the disk, and it does not. */
  #isNextFirst(): boolean {
    const [next] = this.#settled;
    if (next === undefined || this.#suspended || this.#ended.length >= TOGETHER) return false;
    return this.#ended.some(({ wait }) => wait !== null) && this.#ports.isReady(next);
  }

  async #startEnded(): Promise<void> {
    const ended = this.#ended;
    this.#ended = [];
    this.#starting = true;
    const waits = ended.flatMap(({ wait }) => wait ?? []);
    if (waits.length > 0) await Promise.all(waits.map((wait) => wait()));
    // also where the run was suspended meanwhile: what is kept as on its way has to leave
    for (const { calls, at } of ended) await this.#ports.start(calls, at);
    this.#starting = false;
  }

  #next(): void {
    if (this.#suspended || this.#hasEnded) return;
    const outcome = this.#settled.shift();
    if (outcome === undefined) return;
    this.#delivering = true;
    const now = Math.max(this.#now, outcome.now ?? this.#ports.now());
    const ready = this.#ports.ready(outcome, now);
    if (ready === null) this.#deliver(outcome, now);
    else void ready.then((later) => this.#deliver(outcome, later)).catch(() => undefined);
  }

  #deliver(outcome: Outcome, now: number): void {
    if (this.#suspended) return;
    this.#speaking = true;
    this.#taken = outcome.taken;
    this.#now = now;
    const delivery: Delivery = { ...outcome.content, now };
    this.#ports.deliver(outcome, JSON.stringify(delivery));
  }
}
