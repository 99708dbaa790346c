/**
 * Performs the calls of a script: requests, timers, context methods.
 *
 * Invariants:
 * 1. Each is settled at most once, and none after the run has ended.
 * 2. Whatever a call started ends with the run: requests, polls and timers with the script, the rest with the run.
 * 3. Context methods begin in the order they were called, at most `contextCallsAtOnce` of them under way.
 */
import { setImmediate as nextTick } from "node:timers/promises";
import type { Json } from "../../src/core/json/json.ts";
import type { Mask } from "../../src/core/report/mask.ts";
import type {
  Answered,
  ContextCall,
  JournalRide,
  ScriptHost,
  ScriptIoReply,
  ScriptIoRequest,
  ScriptIoSession,
} from "../contract.ts";
import { runInSlices } from "../in-slices.ts";
import { classifyCall } from "../journal/call-class.ts";
import type { OutOp, WireError } from "../protocol/ops.ts";
import type { Outcome, ScriptCall } from "./deliveries.ts";
import { maskCall } from "./mask-call.ts";
import type { Quotas } from "./quotas.ts";
import type { RunClock } from "./time/clock.ts";
import { Timers } from "./time/timers.ts";
import { waitForApp } from "./wait-for-app.ts";

export interface CallPorts {
  /** The session with the script io as it is open at the moment. */
  session(): ScriptIoSession;
  readonly scriptHost: ScriptHost;
  readonly quotas: Quotas;
  readonly clock: RunClock;
  readonly mask: Mask;
  settle(outcome: Outcome): void;
  /** How a context call takes the journal along; undefined where there is none. */
  ride(op: OutOp & { op: "context" }): JournalRide | undefined;
  /** A person would have to be asked about the request if its outcome were lost. */
  asksIfLost(op: OutOp & { op: "fetch" }): boolean;
  /** A request is about to leave; resolves when it may, null where it may at once. */
  leaving(op: OutOp & { op: "fetch" }): Promise<void> | null;
  /** It is on its way. */
  left(): void;
}

/** The calls of one run. */
export class Calls {
  readonly #ports: CallPorts;
  readonly #timers = new Timers((id) => this.#endTimer(id));
  /** Requests and polls, by the guest's id. */
  readonly #open = new Map<number, AbortController>();
  /** Everything that is under way, by the guest's id. */
  readonly #attended = new Set<number>();
  /** Requests that were ever on their way. */
  readonly #left = new Set<number>();
  /** Requests a person would be asked about that leave or have left. */
  readonly #awaited = new Map<number, Promise<void>>();
  #suspended = false;
  #persons = 0;
  readonly #effects = new Set<Promise<void>>();
  readonly #ended = new AbortController();
  #exchanging = 0;
  #polls = 0;
  readonly #queue: (() => void)[] = [];
  readonly #waiting: (OutOp & { op: "context" })[] = [];
  #later: NodeJS.Immediate | undefined;
  #isPreparing = false;

  constructor(ports: CallPorts) {
    this.#ports = ports;
  }

  /** Only answers of persons are waited for. */
  get waitsForPersons(): boolean {
    return this.#persons > 0 && this.#attended.size === this.#persons;
  }

  /** The request may have reached somebody. */
  hasLeft(id: number): boolean {
    return this.#left.has(id);
  }

  /** How many requests may leave at once, also where every poll makes its next one first. */
  get room(): number {
    return this.#ports.quotas.limits.fetchesAtOnce - this.#exchanging - this.#polls;
  }

  /** Waits for the answer of a person who was asked in an earlier life. */
  await(id: number, answer: Promise<Json>): void {
    this.#attended.add(id);
    this.#awaitPerson(
      answer.then(
        (ok) => this.#settle({ id, content: { ok } }),
        (error: unknown) => this.#settle({ id, content: { error: toWireError(error) } }),
      ),
    );
  }

  /** Settles a call that is not started any more. */
  refuse(id: number, error: WireError): void {
    this.#settle({ id, content: { error } });
  }

  /** Starts the calls of a delivery that ended `at` ms of `performance.now()`; resolves when all are under way. */
  async startCalls(calls: readonly ScriptCall[], at: number): Promise<void> {
    this.#timers.hold();
    await runInSlices(this.#startEach(calls, at));
    this.#timers.release();
  }

  /** Starts one call; a timer runs from `since`, ms of `performance.now()`. */
  start({ op, body }: ScriptCall, since: number): void {
    if (this.#ended.signal.aborted || this.#suspended) return;
    if ("id" in op) this.#attended.add(op.id);
    switch (op.op) {
      case "fetch":
        this.#request(op.id, async (signal) => {
          const request = { ...op, body: op.hasBody ? body : null };
          const answer = await this.#exchange(request, signal, op);
          this.#ports.quotas.use("requestBytes", -body.byteLength);
          return answer;
        });
        return;
      case "waitForApp":
        this.#request(op.id, (signal) => this.#poll(op, signal));
        return;
      case "timer":
        if (!this.#ports.quotas.use("timers")) return;
        this.#timers.start(op.id, since + op.ms);
        return;
      case "timer.clear":
        if (this.#timers.clear(op.id)) this.#ports.quotas.use("timers", -1);
        this.#attended.delete(op.id);
        return;
      case "fetch.abort":
        this.#open.get(op.id)?.abort();
        this.#open.delete(op.id);
        this.#attended.delete(op.id);
        return;
      case "context":
        this.#waiting.push(op);
        if (this.#waiting.length === 1) void this.#performNext();
        return;
      case "log":
      case "done":
        return;
    }
  }

  /** Resolves when every context method called so far has taken effect; a person is not waited for. */
  async drained(): Promise<void> {
    while (this.#waiting.length > 0 || this.#effects.size > 0 || this.#isPreparing) {
      await Promise.all(this.#effects);
      if (this.#effects.size === 0) await nextTick();
    }
  }

  /** The script has ended: its requests, polls and timers are aborted, its context methods still take effect. */
  finish(): void {
    // one reason for all: an error of its own for each of thousands, with its stack, would hold the thread
    for (const controller of this.#open.values()) controller.abort(ENDED);
    this.#open.clear();
    this.#timers.clearAll();
  }

  /**
   * Aborts what is done again; resolves when the requests a person would be asked about are answered, or when it is `late`.
   * Only their outcomes are settled from now on.
   */
  async suspend(late: Promise<void>): Promise<void> {
    this.#suspended = true;
    this.#timers.clearAll();
    for (const [id, controller] of this.#open) if (!this.#awaited.has(id)) controller.abort(ENDED);
    await Promise.race([Promise.all(this.#awaited.values()), late]);
    // what was answered is settled in this stretch
    await nextTick();
  }

  /** Aborts what is under way; nothing is settled any more. */
  end(): void {
    this.#ended.abort(ENDED);
    this.finish();
    this.#waiting.length = 0;
    clearImmediate(this.#later);
    // those still in line wait for nobody: waking thousands of them at once would hold the thread
    this.#queue.length = 0;
  }

  #request(id: number, run: (signal: AbortSignal) => Promise<Answered<ScriptIoReply>>): void {
    const controller = new AbortController();
    this.#open.set(id, controller);
    const answered = run(controller.signal).catch((error: unknown) => ({ error: toWireError(error) }));
    void answered.then((answer) => {
      const isWanted = this.#open.delete(id);
      if (!isWanted) this.#awaited.delete(id);
      if ("error" in answer) {
        if (isWanted) this.#settle({ id, content: { error: answer.error } });
        return;
      }
      const { head, body, taken } = answer.ok;
      if (isWanted) this.#settle({ id, content: { ok: { ...head } }, body, ...(taken && { taken }) });
      else taken?.();
    });
  }

  async #poll(op: OutOp & { op: "waitForApp" }, signal: AbortSignal): Promise<Answered<ScriptIoReply>> {
    this.#polls++;
    try {
      return await waitForApp(op, (request, until) => this.#exchange(request, until), signal);
    } finally {
      this.#polls--;
    }
  }

  /** One exchange, at most `fetchesAtOnce` under way; the others wait in order. `op`: the call it is made for, once. */
  async #exchange(
    request: ScriptIoRequest,
    signal: AbortSignal,
    op?: OutOp & { op: "fetch" },
  ): Promise<Answered<ScriptIoReply>> {
    const { quotas } = this.#ports;
    if (!quotas.use("fetches")) return ABORTED;
    if (this.#exchanging < quotas.limits.fetchesAtOnce) this.#exchanging++;
    // whoever is done hands over the place itself, so that nobody comes in between
    else await new Promise<void>((resolve) => this.#queue.push(resolve));
    const exchanged = Promise.withResolvers<void>();
    try {
      if (this.#ended.signal.aborted || signal.aborted) return ABORTED;
      if (op !== undefined && this.#ports.asksIfLost(op)) this.#awaited.set(op.id, exchanged.promise);
      const leaving = op === undefined ? null : this.#ports.leaving(op);
      if (leaving !== null) await leaving;
      if (signal.aborted) return ABORTED;
      if (op !== undefined) this.#left.add(op.id);
      const answering = this.#ports.session().fetch(request, signal);
      this.#ports.left();
      const answer = await answering;
      if ("error" in answer) return quotas.passed(answer.error) ? ABORTED : answer;
      return quotas.use("responseBytes", answer.ok.body.byteLength) ? answer : ABORTED;
    } finally {
      exchanged.resolve();
      const next = this.#queue.shift();
      if (next === undefined) this.#exchanging--;
      else next();
    }
  }

  *#startEach(calls: readonly ScriptCall[], at: number): Generator<void, void> {
    for (const call of calls) {
      this.start(call, at);
      yield;
    }
  }

  #endTimer(id: number): void {
    this.#ports.quotas.use("timers", -1);
    this.#settle({ id, content: { ok: null }, isBlank: true });
  }

  async #performNext(): Promise<void> {
    this.#later = undefined;
    if (this.#isPreparing) return;
    this.#isPreparing = true;
    const most = this.#ports.quotas.limits.contextCallsAtOnce;
    while (this.#effects.size < most) {
      const op = this.#waiting.shift();
      if (op === undefined) break;
      if (!this.#ports.quotas.useCheckpoints(op.call)) continue;
      const masked = await runInSlices(maskCall(op.call, this.#ports.mask));
      if (this.#ended.signal.aborted) break;
      this.#perform(op, masked);
    }
    this.#isPreparing = false;
  }

  #perform(op: OutOp & { op: "context" }, masked: ContextCall): void {
    const { id } = op;
    const isBlank = classifyCall(op) === "report";
    const called = Promise.try(() =>
      this.#ports.scriptHost.call(masked, this.#ended.signal, this.#ports.ride(op)),
    ).then(
      (ok) => this.#settle({ id, content: { ok }, ...(isBlank && { isBlank }) }),
      (error: unknown) => this.#settle({ id, content: { error: toWireError(error) } }),
    );
    if (masked.kind === "awaitCheckpointRetry") {
      this.#awaitPerson(called);
      return;
    }
    const effect = called.finally(() => {
      this.#effects.delete(effect);
      this.#performLater();
    });
    this.#effects.add(effect);
  }

  /** No running time passes until a person has answered. */
  #awaitPerson(answered: Promise<void>): void {
    this.#persons++;
    this.#ports.clock.pause();
    void answered.finally(() => {
      this.#persons--;
      if (!this.#ended.signal.aborted) this.#ports.clock.resume();
      this.#performLater();
    });
  }

  /** Not at once: what else the process has to do comes between the calls of one run. */
  #performLater(): void {
    if (this.#waiting.length > 0) this.#later ??= setImmediate(() => void this.#performNext());
  }

  #settle(outcome: Outcome): void {
    const isWanted = !this.#suspended || this.#awaited.has(outcome.id);
    this.#attended.delete(outcome.id);
    this.#awaited.delete(outcome.id);
    if (isWanted && !this.#ended.signal.aborted) this.#ports.settle(outcome);
  }
}

const ENDED = new DOMException("The run has ended", "AbortError");

const ABORTED = { error: { name: "AbortError", message: "The operation was aborted" } } as const;

/** Answers the error a script gets to see where the engine or the session throws, which they must not. */
export function toWireError(error: unknown): WireError {
  return { name: "Error", message: error instanceof Error ? error.message : String(error) };
}
