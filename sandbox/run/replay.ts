/**
 * Plays the deliveries of a journal into a fresh isolate and holds every call against what was recorded.
 *
 * Invariants:
 * 1. Nothing is started, and nothing told: a replay reaches nobody.
 * 2. The first call that is another one ends it.
 * 3. Deliveries are handed over ahead of their ends, but none behind one that asks: its answer comes next.
 */
import { type CallOp, classifyCall, hashCall } from "../journal/call-class.ts";
import { describeCall } from "../journal/describe-call.ts";
import type { RecordedAnswer, RecordedDelivery } from "../journal/history.ts";
import type { GuestOutcome, ParentOp } from "../protocol/ops.ts";
import type { ScriptCall } from "./deliveries.ts";

/** Most deliveries handed over ahead. */
const AHEAD = 64;

export interface ReplayPorts {
  /** Hands one recorded delivery to the child. */
  deliver(delivery: RecordedDelivery): void;
  /** Calls that are held back for the time after the replay. */
  isOpen(id: number): boolean;
  /** Every call the script makes again, for what is counted by it. */
  seen(op: CallOp, body: Uint8Array): void;
  /** A question was asked again, and answered from the journal. */
  asked(op: ParentOp, answer: RecordedAnswer): void;
}

/** How a script came to its end; `length` is that of the message that said so. */
export interface ScriptEnd {
  readonly outcome: GuestOutcome;
  readonly length: number;
}

/** A replay of deliveries that have ended. */
export class Replay {
  /** Resolves with null when all has been played, else with what is different. */
  readonly finished: Promise<string | null>;
  /** Open calls as the script made them again. */
  readonly calls = new Map<number, ScriptCall>();
  /** How the script ended, where it did. */
  end: ScriptEnd | null = null;
  readonly #deliveries: readonly RecordedDelivery[];
  readonly #ports: ReplayPorts;
  readonly #finished = Promise.withResolvers<string | null>();
  #sent = 0;
  #ended = 0;
  #made = 0;
  #answered = 0;
  #lines = 0;

  constructor(deliveries: readonly RecordedDelivery[], ports: ReplayPorts) {
    this.#deliveries = deliveries;
    this.#ports = ports;
    this.finished = this.#finished.promise;
  }

  begin(): void {
    this.#deliverSome();
  }

  /** The script calls. */
  collect(call: ScriptCall): void {
    const { op, body } = call;
    if (!("id" in op)) return;
    const note = this.#delivery?.end?.calls[this.#made];
    this.#made += 1;
    const kind = classifyCall(op);
    const isSame = note !== undefined && note.id === op.id && note.class === kind;
    if (!isSame || (note.hash !== null && note.hash !== hashCall(op, body))) {
      this.#diverge(
        `call ${op.id} is ${describeCall(op)}, and was ${note === undefined ? "none" : `a "${note.class}"`}`,
      );
      return;
    }
    this.#ports.seen(op, body);
    if (this.#ports.isOpen(op.id)) this.calls.set(op.id, call);
  }

  /** The script asks; null where it asked something else before. */
  ask(op: ParentOp): RecordedAnswer | null {
    const answer = this.#delivery?.answers[this.#answered];
    this.#answered += 1;
    if (answer === undefined || (answer.hash !== null && answer.hash !== hashCall(op))) {
      this.#diverge(`a question is "${op.op}", and was another`);
      return null;
    }
    this.#ports.asked(op, answer);
    return answer;
  }

  line(): void {
    this.#lines += 1;
    if (this.#lines > (this.#delivery?.end?.lines ?? 0)) this.#diverge("it logs more than it did");
  }

  /** The present delivery has ended; `done`: and the script with it. */
  delivered(done: ScriptEnd | null): void {
    const delivery = this.#delivery;
    const end = delivery?.end;
    if (delivery === undefined || end === null || end === undefined) {
      this.#diverge("a delivery ended that had not begun");
      return;
    }
    if ((done !== null) !== (end.done === true)) {
      this.#diverge(done === null ? "the script did not end" : "the script ended early");
      return;
    }
    const isWhole =
      this.#made === end.calls.length && this.#answered === delivery.answers.length && this.#lines === end.lines;
    if (!isWhole) {
      const missing = end.calls[this.#made];
      const what = missing === undefined ? "what it asked or logged" : `call ${missing.id}, a "${missing.class}"`;
      this.#diverge(`${what} is missing`);
      return;
    }
    this.end = done;
    this.#made = 0;
    this.#answered = 0;
    this.#lines = 0;
    this.#ended += 1;
    this.#deliverSome();
  }

  get #delivery(): RecordedDelivery | undefined {
    return this.#deliveries[this.#ended];
  }

  #deliverSome(): void {
    while (this.#sent < this.#deliveries.length && this.#mayDeliver()) {
      const delivery = this.#deliveries[this.#sent];
      this.#sent += 1;
      if (delivery !== undefined) this.#ports.deliver(delivery);
    }
    if (this.#ended === this.#deliveries.length) this.#finished.resolve(null);
  }

  /** A child that waits for an answer takes the next frame for it. */
  #mayDeliver(): boolean {
    if (this.#sent === this.#ended) return true;
    if (this.#sent - this.#ended >= AHEAD) return false;
    return this.#deliveries[this.#sent]?.answers.length === 0 && this.#deliveries[this.#sent - 1]?.answers.length === 0;
  }

  #diverge(difference: string): void {
    this.#finished.resolve(difference);
  }
}
