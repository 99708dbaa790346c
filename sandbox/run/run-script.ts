/**
 * One run: a child, its turns, its calls, its end.
 *
 * Invariants:
 * 1. The outcome settles once, after the child's process is gone and the session outside is closed.
 * 2. The first reason to end a run is the one reported.
 * 3. What the child says is acted on only when an honest child could have said it there.
 */
import { createMask, type Mask, maskCut } from "../../src/core/report/mask.ts";
import type { SandboxChild } from "../child/child-process.ts";
import type {
  AuditRecord,
  Run,
  RunOutcome,
  RunReason,
  RunRequest,
  ScriptHost,
  ScriptIo,
  ScriptIoSession,
} from "../contract.ts";
import { runInSlices } from "../in-slices.ts";
import { CHILD_HEADER, CHILD_LIMITS, HARD_SLACK_MS, type RunLimits, SLICE_STRETCH } from "../limits.ts";
import type { ProcessUse } from "../process/use.ts";
import type { ChildMessage } from "../protocol/child-messages.ts";
import type { Frame } from "../protocol/frames.ts";
import { type GuestOutcome, type OutOp, TEXT_LIMITS } from "../protocol/ops.ts";
import { type AskAnswer, answerAsk } from "./asks.ts";
import { Calls, faultOf } from "./calls.ts";
import { RunClock } from "./clock.ts";
import { Turns } from "./deliveries.ts";
import { breach, brokenFrames, type Ending, exited, failedBy, overCpu, overMemory, scriptEnded } from "./endings.ts";
import { isTooLong, parseChildMessage, parseOutOp, parseParentOp } from "./parse.ts";
import { Quotas } from "./quotas.ts";
import type { Slot } from "./slots.ts";

/** How often the watchdog looks, ms. */
const WATCH_MS = 50;
/** A late turn that has used less than this share of its CPU is not computing: its process stalls. */
const IDLE_SHARE = 0.1;

export interface RunnerPorts {
  readonly scriptIo: ScriptIo;
  readonly limits: RunLimits;
  /** A ready child for this run alone; rejects when none can be had. */
  takeChild(): Promise<SandboxChild>;
  /** Wall clock, ms since 1970. */
  now(): number;
  /** The gate of this kind of run. */
  readonly slot: Slot;
}

/** Starts a run; see `Sandbox.run`. */
export function startRun(request: RunRequest, scriptHost: ScriptHost, ports: RunnerPorts): Run {
  const run = new ScriptRun(request, scriptHost, ports);
  return {
    begun: run.begun,
    outcome: run.outcome,
    stop: () => run.end("stopped", "the run was stopped"),
    suspend: () => run.end("stopped", "the run was stopped"),
    ranMs: () => run.ranMs(),
  };
}

class ScriptRun {
  readonly begun: Promise<void>;
  readonly outcome: Promise<RunOutcome>;
  readonly #request: RunRequest;
  readonly #scriptHost: ScriptHost;
  readonly #session: ScriptIoSession;
  readonly #quotas: Quotas;
  readonly #clock: RunClock;
  readonly #ended = new AbortController();
  readonly #turns: Turns;
  readonly #calls: Calls;
  readonly #mask: Mask;
  readonly #begun = Promise.withResolvers<void>();
  readonly #settled = Promise.withResolvers<Ending>();
  #child: SandboxChild | null = null;
  #ending: Ending | null = null;
  #use: ProcessUse = { cpuMs: 0, peakMb: 0, heldMb: 0 };
  #cpuBefore = 0;
  #turnSince = 0;
  #turnCpu = 0;
  #finishing = false;
  #asking = false;
  #lastId = 0;
  #askedAt = 0;

  constructor(request: RunRequest, scriptHost: ScriptHost, ports: RunnerPorts) {
    const { limits } = ports;
    this.#request = request;
    this.#scriptHost = scriptHost;
    this.#mask = createMask(request.secrets);
    this.#clock = new RunClock((running) => (running ? ports.slot.reenter() : ports.slot.leave()));
    this.#quotas = new Quotas(limits, (reason, message) => this.end(reason, message));
    this.#session = ports.scriptIo.open({
      network: request.network,
      mounts: request.mounts,
      audit: (record) => scriptHost.audit(this.#maskRecord(record)),
      limits,
    });
    this.#turns = new Turns({
      deliver: (id, header, body) => this.#deliver(id, header, body),
      start: (call) => this.#calls.start(call),
      now: ports.now,
    });
    this.#calls = new Calls({
      session: this.#session,
      scriptHost,
      quotas: this.#quotas,
      clock: this.#clock,
      mask: this.#mask,
      settle: (outcome) => this.#turns.settle(outcome),
    });
    this.begun = this.#begun.promise;
    this.outcome = this.#run(ports);
  }

  ranMs(): number {
    return this.#clock.ranMs();
  }

  /** Ends the run; the first call counts. */
  end(reason: RunReason, message: string): void {
    this.#end(failedBy(reason, message));
  }

  async #run(ports: RunnerPorts): Promise<RunOutcome> {
    const entered = await ports.slot.enter(this.#ended.signal);
    let watch: NodeJS.Timeout | undefined;
    try {
      if (this.#ending === null) this.#child = await ports.takeChild();
      if (this.#ending === null && this.#child !== null) {
        this.#begin(this.#child);
        watch = setInterval(() => this.#watch(), WATCH_MS);
      }
    } catch (error) {
      this.end("sandbox_crash", error instanceof Error ? error.message : String(error));
    }
    const ending = await this.#settled.promise;
    clearInterval(watch);
    this.#calls.end();
    const ranMs = this.#clock.ranMs();
    const child = this.#child;
    if (child !== null) {
      this.#look(child);
      child.kill();
      await child.exited;
    }
    // an outside that throws, which it must not, would leave the run without an outcome
    await this.#session.close().catch(() => undefined);
    if (entered && this.#clock.running) ports.slot.leave();
    return {
      ...ending,
      usage: {
        wallMs: Math.round(ranMs),
        cpuMs: Math.max(0, this.#use.cpuMs - this.#cpuBefore),
        peakMb: Math.round(this.#use.peakMb * 10) / 10,
        fetches: this.#quotas.used("fetches"),
      },
    };
  }

  #begin(child: SandboxChild): void {
    const { script, kind, entrypoint, context, seed } = this.#request;
    const { resultBytes } = this.#quotas.limits;
    child.listen({
      frame: (frame) => this.#hear(frame),
      broken: (error) => this.#end(brokenFrames(error)),
      exit: (exit) => this.#end(exited(exit, this.#use, this.#quotas.limits)),
    });
    this.#clock.start();
    this.#begun.resolve();
    const start = { kind, code: script.code, entrypoint, context, seed, limits: { result: resultBytes } };
    this.#turns.settle({ id: 0, content: { start } });
    // once it is on its way: what the child has used by now is its own start
    this.#look(child);
    this.#cpuBefore = this.#use.cpuMs;
    this.#turnCpu = this.#use.cpuMs;
  }

  #deliver(id: number, header: string, body: Uint8Array | undefined): void {
    const child = this.#child;
    if (child === null || this.#ending !== null) return;
    this.#turnSince = performance.now();
    this.#turnCpu = this.#use.cpuMs;
    child.send({ t: "turn", id, sliceMs: this.#request.wallMs, header }, body);
  }

  #hear(frame: Frame): void {
    if (this.#ending !== null || this.#finishing) return;
    if (!this.#quotas.use("messageBytes", frame.header.length)) return;
    if (isTooLong(frame.header)) {
      this.end("quota_messages", `a call out of the sandbox has more than the allowed ${CHILD_HEADER} characters`);
      return;
    }
    const message = parseChildMessage(frame.header);
    if (message === null || !this.#turns.turning || this.#asking) {
      this.#end(breach());
      return;
    }
    switch (message.t) {
      case "out":
        this.#out(message.header, frame.body);
        break;
      case "ask":
        this.#ask(message.header);
        break;
      case "turned":
        this.#turned(message);
        break;
      case "ready":
        this.#end(breach());
    }
  }

  #out(header: string, body: Uint8Array): void {
    const op = parseOutOp(header);
    if (op === null || !this.#isNext(op)) this.#end(breach());
    else if (op.op === "log") this.#log(op);
    else if (op.op === "done") this.#done(op.outcome, header.length);
    else if (body.byteLength > 0 && op.op !== "fetch") this.#end(breach());
    else if (this.#quotas.use("messages") && this.#quotas.use("requestBytes", body.byteLength)) {
      this.#turns.collect({ op, body });
    }
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
      this.#end(breach());
      return;
    }
    if (!this.#quotas.use("messages")) return;
    this.#asking = true;
    this.#askedAt = performance.now();
    const answered = answerAsk(op, this.#session, this.#quotas).catch(
      (error: unknown): AskAnswer => ({ line: JSON.stringify({ error: faultOf(error) }) }),
    );
    void answered.then(({ line, body }) => {
      this.#asking = false;
      // the isolate stood still meanwhile
      this.#turnSince += performance.now() - this.#askedAt;
      if (this.#ending !== null) return;
      if (body === undefined) this.#child?.send({ t: "answer", line });
      else this.#child?.send({ t: "answer", line, body: body.encoding }, body.bytes);
    });
  }

  #turned({ fault }: ChildMessage & { t: "turned" }): void {
    // the child's own timer is the wall's
    if (fault?.kind === "timeout") {
      this.#endByWall();
      return;
    }
    if (fault?.kind === "memory") {
      this.#end(overMemory());
      return;
    }
    if (fault !== undefined) this.#log({ op: "log", line: `unhandled rejection: ${fault.message}` });
    this.#turns.turned();
  }

  #log({ line }: OutOp & { op: "log" }): void {
    const quotas = this.#quotas;
    const masked = cut(maskCut(line, this.#mask, TEXT_LIMITS.logLine), quotas.limits.logLineBytes);
    if (quotas.use("logLines") && quotas.use("logBytes", Buffer.byteLength(masked))) this.#scriptHost.log(masked);
  }

  /** The script has ended; the context methods it called still take effect. */
  #done(outcome: GuestOutcome, length: number): void {
    this.#finishing = true;
    const child = this.#child;
    if (child !== null) {
      this.#look(child);
      child.listen(null);
      child.kill();
    }
    this.#finish(outcome, length).catch(() => this.#end(breach()));
  }

  async #finish(outcome: GuestOutcome, length: number): Promise<void> {
    const { limits } = this.#quotas;
    await this.#turns.startCalls();
    this.#calls.finish();
    const ending = await runInSlices(scriptEnded(outcome, length, limits, this.#request.script, this.#mask));
    await this.#calls.drained();
    this.#end(ending);
  }

  #maskRecord(record: AuditRecord): AuditRecord {
    const { target, reason } = record;
    return { ...record, target: this.#mask(target), ...(reason !== undefined && { reason: this.#mask(reason) }) };
  }

  #end(ending: Ending): void {
    if (this.#ending !== null) return;
    this.#ending = ending;
    this.#settled.resolve(ending);
    this.#begun.resolve();
    this.#ended.abort();
  }

  #endByWall(): void {
    this.end("timeout_wall", `the script ran longer than the allowed ${this.#request.wallMs / 1000} s`);
  }

  /** The watchdog: the hard limits behind the child's soft ones. */
  #watch(): void {
    const child = this.#child;
    if (child === null || this.#ending !== null) return;
    if (this.#clock.ranMs() >= this.#request.wallMs) {
      this.#endByWall();
      return;
    }
    if (this.#finishing) return;
    const { cpuMs, sliceMs } = this.#quotas.limits;
    this.#look(child);
    if (this.#use.cpuMs - this.#cpuBefore > cpuMs) {
      this.#end(overCpu(this.#quotas.limits));
      return;
    }
    if (this.#use.heldMb > CHILD_LIMITS.memoryMb) {
      this.#end(overMemory());
      return;
    }
    if (!this.#turns.turning || this.#asking) return;
    const turnMs = performance.now() - this.#turnSince;
    const turnCpuMs = this.#use.cpuMs - this.#turnCpu;
    const isLate = turnMs > sliceMs * SLICE_STRETCH + HARD_SLACK_MS;
    if (turnCpuMs >= sliceMs || (isLate && turnCpuMs >= sliceMs * IDLE_SHARE)) this.#end(overCpu(this.#quotas.limits));
    else if (isLate) this.end("sandbox_crash", "the script's process stopped answering");
  }

  #look(child: SandboxChild): void {
    const use = child.use();
    if (use !== null) this.#use = { ...use, peakMb: Math.max(use.peakMb, this.#use.peakMb) };
  }
}

/** Cuts a text to at most so many bytes of UTF-8, at a character. */
function cut(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytes - ELLIPSIS_BYTES));
  return `${text.slice(0, read)}…`;
}

const ELLIPSIS_BYTES = 3;
