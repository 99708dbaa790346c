/**
 * The delivery loop: the one place where outcomes enter the isolate and the calls they cause leave it.
 *
 * Invariants:
 * 1. One delivery at a time: exactly one settled outcome is delivered, in the order of settling.
 * 2. The calls of a delivery start after it has ended, in the order the script made them; the next delivery waits for that.
 *    Whatever is counted from a delivery is counted from one time: that of its end.
 * 3. The time a delivery carries never goes back.
 */
import type { Delivery, OutOp } from "../protocol/ops.ts";
import { pause } from "./time/pause.ts";

/** Ms the present delivery has to end when the run is suspended. */
const DELIVERY_MS = 1_000;

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

type WithoutTime<T> = T extends unknown ? Omit<T, "now"> : never;

export interface DeliveryPorts {
  /**
   * An outcome is to enter the isolate at `now`. Resolves when it may, with the time it enters at; null where it may at once.
   * Rejects where it never will.
   */
  ready(outcome: Outcome, now: number): Promise<number> | null;
  /** Hands one delivery to the child. */
  deliver(outcome: Outcome, header: string): void;
  /**
   * A delivery has ended with these calls `at` ms of `performance.now()`, and the script with it where it is `done`; they start
   * once this resolves, and never where it rejects.
   */
  ended(calls: readonly ScriptCall[], done: boolean, at: number): Promise<void> | null;
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

  /** The present delivery has ended: its calls start, then the next outcome is delivered. */
  delivered(): void {
    this.#speaking = false;
    this.#taken?.();
    void this.startCalls(false).then(
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
   * Starts what the present delivery has called so far; at the script's end there is no `delivered`. Answers false where a later
   * life has to start it, since this one was suspended before.
   */
  async startCalls(done: boolean): Promise<boolean> {
    const calls = this.#calls;
    this.#calls = [];
    this.#speaking = false;
    const isLast = this.#suspended;
    // up, so that none is over early
    const at = Math.ceil(performance.now());
    const kept = this.#ports.ended(calls, done, at);
    this.#starting = !isLast;
    if (kept !== null) await kept;
    // what is kept as on its way has to leave
    if (!isLast) await this.#ports.start(calls, at);
    this.#starting = false;
    if (done) this.#atRest?.();
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
