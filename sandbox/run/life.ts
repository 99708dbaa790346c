/**
 * One child of a run, from the first delivery to its kill; a run that goes on where it was has another one.
 *
 * Invariants:
 * 1. What the child says is acted on only when an honest child could have said it there.
 * 2. After `leave` nothing of it is heard.
 */
import type { SandboxChild } from "../child/child-process.ts";
import { CHILD_HEADER, CHILD_LIMITS, HARD_SLACK_MS, type RunLimits, SLICE_STRETCH } from "../limits.ts";
import type { ProcessUse } from "../process/use.ts";
import type { ChildMessage } from "../protocol/child-messages.ts";
import type { Frame } from "../protocol/frames.ts";
import type { GuestOutcome, OutOp, ParentOp } from "../protocol/ops.ts";
import type { AskAnswer } from "./asks.ts";
import type { ScriptCall } from "./deliveries.ts";
import { type Ending, failBy, failByBreach, failByCpu, failByExit, failByFrames, failByMemory } from "./endings.ts";
import { isTooLong, parseChildMessage, parseOutOp, parseParentOp } from "./parse.ts";

/** A late delivery that has used less than this share of its CPU is not computing: its process stalls. */
const IDLE_SHARE = 0.1;

/** Whom a child's words go to. */
export interface LifeListener {
  /** A delivery is under way: the isolate may speak. */
  isDelivering(): boolean;
  /** Counts a message; false where that ended the run. */
  count(characters: number): boolean;
  collect(call: ScriptCall): void;
  log(line: string): void;
  ask(op: ParentOp): Promise<AskAnswer | null>;
  delivered(): void;
  done(outcome: GuestOutcome, length: number): void;
  /** The run can't go on with this child. */
  end(ending: Ending): void;
}

/** A child at work. */
export class Life {
  readonly #child: SandboxChild;
  readonly #limits: RunLimits;
  readonly #wallMs: number;
  readonly #listener: LifeListener;
  readonly #cpuBefore: number;
  #use: ProcessUse = { cpuMs: 0, peakMb: 0, heldMb: 0 };
  #deliveredAt = 0;
  #cpuBeforeDelivery = 0;
  #slices = 1;
  #asking = false;
  #askedAt = 0;
  #lastId = 0;
  #left = false;
  /** The script has ended: what its process says afterwards is not heard. */
  #isOver = false;

  constructor(child: SandboxChild, limits: RunLimits, wallMs: number, listener: LifeListener) {
    this.#child = child;
    this.#limits = limits;
    this.#wallMs = wallMs;
    this.#listener = listener;
    child.listen({
      frame: (frame) => this.#hear(frame),
      broken: (error) => listener.end(failByFrames(error)),
      exit: (exit) => listener.end(failByExit(exit, this.#use, limits)),
    });
    this.#look();
    // what the child has used by now is its own start
    this.#cpuBefore = this.#use.cpuMs;
  }

  /** CPU of the script in ms, and the highest memory of its process in MB. */
  get use(): { readonly cpuMs: number; readonly peakMb: number } {
    return { cpuMs: Math.max(0, this.#use.cpuMs - this.#cpuBefore), peakMb: this.#use.peakMb };
  }

  /** Hands over one delivery; `slices`: how many times a delivery's CPU it may take. */
  deliver(id: number, header: string, body: Uint8Array | undefined, slices = 1): void {
    this.#slices = slices;
    this.#deliveredAt = performance.now();
    this.#cpuBeforeDelivery = this.#use.cpuMs;
    this.#child.send({ t: "deliver", id, sliceMs: this.#wallMs, header }, body);
  }

  /** Kills the child; resolves when its process is gone. */
  async leave(): Promise<void> {
    if (!this.#left) this.#look();
    this.#left = true;
    this.#child.listen(null);
    this.#child.kill();
    await this.#child.exited;
  }

  /** The watchdog: the hard limits behind the child's soft ones. */
  watch(): void {
    if (this.#left) return;
    const { cpuMs, sliceMs } = this.#limits;
    this.#look();
    if (this.#use.cpuMs - this.#cpuBefore > cpuMs) {
      this.#listener.end(failByCpu(this.#limits));
      return;
    }
    if (this.#use.heldMb > CHILD_LIMITS.memoryMb) {
      this.#listener.end(failByMemory());
      return;
    }
    if (!this.#listener.isDelivering() || this.#asking) return;
    const deliveryMs = performance.now() - this.#deliveredAt;
    const deliveryCpuMs = this.#use.cpuMs - this.#cpuBeforeDelivery;
    const sliceCpuMs = sliceMs * this.#slices;
    const isLate = deliveryMs > sliceCpuMs * SLICE_STRETCH + HARD_SLACK_MS;
    if (deliveryCpuMs >= sliceCpuMs || (isLate && deliveryCpuMs >= sliceCpuMs * IDLE_SHARE)) {
      this.#listener.end(failByCpu(this.#limits));
    } else if (isLate) this.#listener.end(failBy("sandbox_crash", "the script's process stopped answering"));
  }

  #hear(frame: Frame): void {
    if (this.#left || this.#isOver || !this.#listener.count(frame.header.length)) return;
    if (isTooLong(frame.header)) {
      const message = `a call out of the sandbox has more than the allowed ${CHILD_HEADER} characters`;
      this.#listener.end(failBy("quota_messages", message));
      return;
    }
    const message = parseChildMessage(frame.header);
    if (message === null || !this.#listener.isDelivering() || this.#asking) {
      this.#listener.end(failByBreach());
      return;
    }
    switch (message.t) {
      case "out":
        this.#out(message.header, frame.body);
        return;
      case "ask":
        this.#ask(message.header);
        return;
      case "delivered":
        this.#delivered(message);
        return;
      case "ready":
        this.#listener.end(failByBreach());
        return;
    }
  }

  #out(header: string, body: Uint8Array): void {
    const op = parseOutOp(header);
    if (op === null || !this.#isNext(op)) this.#listener.end(failByBreach());
    else if (op.op === "log") this.#listener.log(op.line);
    else if (op.op === "done") {
      this.#isOver = true;
      this.#listener.done(op.outcome, header.length);
    } else if (body.byteLength > 0 && op.op !== "fetch") this.#listener.end(failByBreach());
    else this.#listener.collect({ op, body });
  }

  /** Ids go up from call to call; what is stopped has been called. */
  #isNext(op: OutOp): boolean {
    if (!("id" in op)) return true;
    if (op.op === "fetch.abort" || op.op === "timer.clear") return op.id <= this.#lastId;
    const isNext = op.id > this.#lastId;
    this.#lastId = op.id;
    return isNext;
  }

  #ask(header: string): void {
    const op = parseParentOp(header);
    if (op === null) {
      this.#listener.end(failByBreach());
      return;
    }
    this.#asking = true;
    this.#askedAt = performance.now();
    void this.#listener.ask(op).then((answer) => {
      this.#asking = false;
      // the isolate stood still meanwhile
      this.#deliveredAt += performance.now() - this.#askedAt;
      if (answer === null || this.#left) return;
      const { line, body } = answer;
      if (body === undefined) this.#child.send({ t: "answer", line });
      else this.#child.send({ t: "answer", line, body: body.encoding }, body.bytes);
    });
  }

  #delivered({ error }: ChildMessage & { t: "delivered" }): void {
    // the child's own timer is that of the running time
    if (error?.kind === "timeout") {
      this.#listener.end(failByWall(this.#wallMs));
      return;
    }
    if (error?.kind === "memory") {
      this.#listener.end(failByMemory());
      return;
    }
    if (error !== undefined) this.#listener.log(`unhandled rejection: ${error.message}`);
    this.#deliveredAt = performance.now();
    this.#cpuBeforeDelivery = this.#use.cpuMs;
    this.#listener.delivered();
  }

  #look(): void {
    const use = this.#child.use();
    if (use !== null) this.#use = { ...use, peakMb: Math.max(use.peakMb, this.#use.peakMb) };
  }
}

/** The run's time is over. */
export function failByWall(wallMs: number): Ending {
  return failBy("timeout_wall", `the script ran longer than the allowed ${wallMs / 1000} s`);
}
