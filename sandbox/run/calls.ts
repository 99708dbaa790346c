/**
 * Performs the calls of a script: requests, timers, context methods.
 *
 * Invariants:
 * 1. Each is settled at most once, and none after the run has ended.
 * 2. Whatever a call started ends with the run: requests, polls and timers with the script, the rest with the run.
 * 3. Context methods begin in the order they were called, at most `contextCallsAtOnce` of them under way.
 */
import { setImmediate as nextTick } from "node:timers/promises";
import { type Mask, maskCut } from "../../src/core/report/mask.ts";
import type {
  Answered,
  ContextCall,
  ScriptHost,
  ScriptIoReply,
  ScriptIoRequest,
  ScriptIoSession,
} from "../contract.ts";
import { runInSlices } from "../in-slices.ts";
import { type Fault, type OutOp, TEXT_LIMITS } from "../protocol/ops.ts";
import type { RunClock } from "./clock.ts";
import type { Outcome, ScriptCall } from "./deliveries.ts";
import { maskDetails } from "./endings.ts";
import { pause } from "./pause.ts";
import type { Quotas } from "./quotas.ts";
import { waitForApp } from "./wait-for-app.ts";

export interface CallPorts {
  readonly session: ScriptIoSession;
  readonly scriptHost: ScriptHost;
  readonly quotas: Quotas;
  readonly clock: RunClock;
  readonly mask: Mask;
  settle(outcome: Outcome): void;
}

/** The calls of one run. */
export class Calls {
  readonly #ports: CallPorts;
  /** What can be cancelled, by the guest's id. */
  readonly #open = new Map<number, AbortController>();
  readonly #effects = new Set<Promise<void>>();
  readonly #ended = new AbortController();
  #exchanging = 0;
  readonly #queue: (() => void)[] = [];
  readonly #waiting: (OutOp & { op: "context" })[] = [];
  #later: NodeJS.Immediate | undefined;
  #isPreparing = false;

  constructor(ports: CallPorts) {
    this.#ports = ports;
  }

  /** Starts one call. */
  start({ op, body }: ScriptCall): void {
    if (this.#ended.signal.aborted) return;
    switch (op.op) {
      case "fetch":
        this.#request(op.id, async (signal) => {
          const request = { ...op, body: op.hasBody ? body : null };
          const answer = await this.#exchange(request, signal);
          this.#ports.quotas.use("requestBytes", -body.byteLength);
          return answer;
        });
        return;
      case "waitForApp":
        this.#request(op.id, (signal) => waitForApp(op, (request, until) => this.#exchange(request, until), signal));
        return;
      case "timer":
        if (!this.#ports.quotas.use("timers")) return;
        this.#timer(op.id, op.ms);
        return;
      case "fetch.abort":
      case "timer.clear":
        this.#open.get(op.id)?.abort();
        this.#open.delete(op.id);
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
    const answered = run(controller.signal).catch((error: unknown) => ({ error: faultOf(error) }));
    void answered.then((answer) => {
      const isWanted = this.#open.delete(id);
      if ("error" in answer) {
        if (isWanted) this.#settle({ id, content: { error: answer.error } });
        return;
      }
      const { head, body, taken } = answer.ok;
      if (isWanted) this.#settle({ id, content: { ok: { ...head } }, body, ...(taken && { taken }) });
      else taken?.();
    });
  }

  /** One exchange, at most `fetchesAtOnce` under way; the others wait in order. */
  async #exchange(request: ScriptIoRequest, signal: AbortSignal): Promise<Answered<ScriptIoReply>> {
    const { quotas, session } = this.#ports;
    if (!quotas.use("fetches")) return ABORTED;
    if (this.#exchanging < quotas.limits.fetchesAtOnce) this.#exchanging++;
    // whoever is done hands over the place itself, so that nobody comes in between
    else await new Promise<void>((resolve) => this.#queue.push(resolve));
    try {
      if (this.#ended.signal.aborted || signal.aborted) return ABORTED;
      const answer = await session.fetch(request, signal);
      if ("error" in answer) return quotas.passed(answer.error) ? ABORTED : answer;
      return quotas.use("responseBytes", answer.ok.body.byteLength) ? answer : ABORTED;
    } finally {
      const next = this.#queue.shift();
      if (next === undefined) this.#exchanging--;
      else next();
    }
  }

  #timer(id: number, ms: number): void {
    const controller = new AbortController();
    this.#open.set(id, controller);
    void pause(ms, controller.signal).then(() => {
      this.#ports.quotas.use("timers", -1);
      if (!this.#open.delete(id)) return;
      this.#settle({ id, content: { ok: null } });
    });
  }

  async #performNext(): Promise<void> {
    this.#later = undefined;
    if (this.#isPreparing) return;
    this.#isPreparing = true;
    const most = this.#ports.quotas.limits.contextCallsAtOnce;
    while (this.#effects.size < most) {
      const op = this.#waiting.shift();
      if (op === undefined) break;
      const masked = await runInSlices(this.#masked(op.call));
      if (this.#ended.signal.aborted) break;
      if (masked !== null) this.#perform(op.id, masked);
    }
    this.#isPreparing = false;
  }

  #perform(id: number, masked: ContextCall): void {
    const { scriptHost, clock } = this.#ports;
    const person = masked.kind === "awaitCheckpointRetry";
    if (person) clock.pause();
    const effect = Promise.try(() => scriptHost.call(masked, this.#ended.signal))
      .then(
        (ok) => this.#settle({ id, content: { ok } }),
        (error: unknown) => {
          this.#settle({ id, content: { error: faultOf(error) } });
        },
      )
      .finally(() => {
        this.#effects.delete(effect);
        if (person && !this.#ended.signal.aborted) clock.resume();
        // not here: what else the process has to do comes between the calls of one run
        if (this.#waiting.length > 0) this.#later ??= setImmediate(() => void this.#performNext());
      });
    if (!person) this.#effects.add(effect);
  }

  /** The call as the engine may see it; null, with the run ended, past the limit of checkpoints. */
  *#masked(call: ContextCall): Generator<void, ContextCall | null> {
    const { mask, quotas } = this.#ports;
    const shown = (message: string) => maskCut(message, mask, TEXT_LIMITS.checkpoint);
    switch (call.kind) {
      case "registerCheckpoints":
        if (!call.checkpoints.every(({ id }) => quotas.useCheckpoint(id))) return null;
        return { ...call, checkpoints: yield* this.#maskedCheckpoints(call.checkpoints, shown) };
      case "emitCheckpoint":
      case "updateCheckpointMessage":
      case "skipCheckpoint":
        if (!quotas.useCheckpoint(call.id)) return null;
        return { ...call, id: mask(call.id), ...(call.message !== undefined && { message: shown(call.message) }) };
      case "awaitCheckpointRetry":
        if (!quotas.useCheckpoint(call.id)) return null;
        return {
          ...call,
          id: mask(call.id),
          error: maskCut(call.error, mask, TEXT_LIMITS.message),
          context: yield* maskDetails(call.context, mask),
        };
      case "setProgress":
      case "getInstalledAppUrl":
        return call;
    }
  }

  *#maskedCheckpoints(
    checkpoints: readonly Checkpoint[],
    shown: (message: string) => string,
  ): Generator<void, readonly Checkpoint[]> {
    const masked: Checkpoint[] = [];
    for (const { id, message } of checkpoints) {
      masked.push({ id: this.#ports.mask(id), message: shown(message) });
      yield;
    }
    return masked;
  }

  #settle(outcome: Outcome): void {
    if (!this.#ended.signal.aborted) this.#ports.settle(outcome);
  }
}

type Checkpoint = Extract<ContextCall, { kind: "registerCheckpoints" }>["checkpoints"][number];

const ENDED = new DOMException("The run has ended", "AbortError");

const ABORTED = { error: { name: "AbortError", message: "The operation was aborted" } } as const;

/** What an engine or outside that throws, which they must not, looks like to the script. */
export function faultOf(error: unknown): Fault {
  return { name: "Error", message: error instanceof Error ? error.message : String(error) };
}
