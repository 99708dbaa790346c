/**
 * The turn loop: the one place where outcomes enter the isolate and the calls they cause leave it. A journal belongs
 * underneath `#next` (outcome, delivery number and time) and `turned` (intents of the calls, before they start).
 *
 * Invariants:
 * 1. One turn at a time: exactly one settled outcome is delivered, in the order of settling.
 * 2. The calls of a turn start after it has ended, in the order the script made them; the next turn waits for that.
 * 3. The time a turn carries never goes back.
 */
import { runInSlices } from "../in-slices.ts";
import type { Delivery, OutOp } from "../protocol/ops.ts";

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
  /** Called once the child has it: the turn it was delivered for has ended. */
  readonly taken?: () => void;
}

type WithoutTime<T> = T extends unknown ? Omit<T, "now"> : never;

export interface TurnPorts {
  /** Hands one delivery to the child. */
  deliver(id: number, header: string, body: Uint8Array | undefined): void;
  /** Starts one call; its outcome comes back by `settle`, never before `start` has returned. */
  start(call: ScriptCall): void;
  /** Wall clock, ms since 1970. */
  now(): number;
}

/** The turns of one run. */
export class Turns {
  readonly #ports: TurnPorts;
  #settled: Outcome[] = [];
  #calls: ScriptCall[] = [];
  #turning = false;
  #starting = false;
  #taken: (() => void) | undefined;
  #now = 0;

  constructor(ports: TurnPorts) {
    this.#ports = ports;
  }

  /** A turn is under way: the isolate may speak. */
  get turning(): boolean {
    return this.#turning && !this.#starting;
  }

  /** Queues an outcome for a turn of its own. */
  settle(outcome: Outcome): void {
    this.#settled.push(outcome);
    if (!this.#turning) this.#next();
  }

  /** Keeps a call of the present turn until the turn has ended. */
  collect(call: ScriptCall): void {
    this.#calls.push(call);
  }

  /** The present turn has ended: its calls start, then the next outcome is delivered. */
  turned(): void {
    this.#taken?.();
    void this.startCalls().then(() => {
      this.#turning = false;
      this.#next();
    });
  }

  /** Starts what the present turn has called so far; at the script's end there is no `turned`. */
  async startCalls(): Promise<void> {
    const calls = this.#calls;
    this.#calls = [];
    this.#starting = true;
    await runInSlices(this.#start(calls));
    this.#starting = false;
  }

  *#start(calls: readonly ScriptCall[]): Generator<void, void> {
    for (const call of calls) {
      this.#ports.start(call);
      yield;
    }
  }

  #next(): void {
    const outcome = this.#settled.shift();
    if (outcome === undefined) return;
    this.#turning = true;
    this.#taken = outcome.taken;
    this.#now = Math.max(this.#now, this.#ports.now());
    const delivery: Delivery = { ...outcome.content, now: this.#now };
    this.#ports.deliver(outcome.id, JSON.stringify(delivery), outcome.body);
  }
}
