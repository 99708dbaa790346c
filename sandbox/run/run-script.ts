/**
 * One run: its turns, its calls, its journal, its end; a child while it has one.
 *
 * Invariants:
 * 1. The outcome settles once, after the child's process is gone and the session outside is closed.
 * 2. The first reason to end a run is the one reported.
 * 3. A run with a journal may lose its child at any time between two turns, and comes to stand where it was in another.
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
import type { History, RecordedTurn } from "../journal/history.ts";
import type { SettledContent } from "../journal/record.ts";
import type { RunLimits } from "../limits.ts";
import { type OutOp, type ParentOp, TEXT_LIMITS } from "../protocol/ops.ts";
import { type AskAnswer, answerAsk } from "./asks.ts";
import { Calls, faultOf } from "./calls.ts";
import { RunClock } from "./clock.ts";
import { Continuity, type Made } from "./continuity.ts";
import { Databases } from "./databases.ts";
import { type Outcome, Turns } from "./deliveries.ts";
import { breach, type Ending, failedBy, scriptEnded } from "./endings.ts";
import { Life, type LifeListener, overWall } from "./life.ts";
import { pause } from "./pause.ts";
import { Quotas } from "./quotas.ts";
import type { Replay, ScriptEnd } from "./replay.ts";
import type { Slot } from "./slots.ts";

/** How often the watchdog looks, ms. */
const WATCH_MS = 50;
/** How many times the CPU of a turn its replay may take: a machine that starts up has other work. */
const REPLAY_SLICES = 2;
/** Ms the present turn has to end when the run is suspended. */
const TURN_MS = 1_000;

export interface RunnerPorts {
  readonly scriptIo: ScriptIo;
  readonly limits: RunLimits;
  /** A ready child for this run alone; rejects when none can be had. */
  takeChild(): Promise<SandboxChild>;
  /** Wall clock, ms since 1970. */
  now(): number;
  /** The gate of this kind of run. */
  readonly slot: Slot;
  /** What scripts are run by at present, for the journal. */
  made(): Made;
  /** Every outcome is delivered into a fresh isolate, played back to where the script stands. */
  readonly alwaysReplay: boolean;
  /** Ms a run that only waits for persons keeps its child. */
  readonly parkMs: number;
}

/** Starts a run; see `Sandbox.run`. */
export function startRun(request: RunRequest, scriptHost: ScriptHost, ports: RunnerPorts): Run {
  const run = new ScriptRun(request, scriptHost, ports);
  return {
    begun: run.begun,
    outcome: run.outcome,
    stop: () => run.end("stopped", STOPPED),
    suspend: () => run.suspend(),
    ranMs: () => run.ranMs(),
  };
}

const STOPPED = "the run was stopped";

class ScriptRun {
  readonly begun: Promise<void>;
  readonly outcome: Promise<RunOutcome>;
  readonly #request: RunRequest;
  readonly #scriptHost: ScriptHost;
  readonly #ports: RunnerPorts;
  readonly #quotas: Quotas;
  readonly #clock: RunClock;
  readonly #databases = new Databases();
  readonly #ended = new AbortController();
  readonly #turns: Turns;
  readonly #calls: Calls;
  readonly #mask: Mask;
  readonly #continuity: Continuity | null;
  readonly #begun = Promise.withResolvers<void>();
  readonly #settled = Promise.withResolvers<Ending>();
  #session: ScriptIoSession | null = null;
  #life: Life | null = null;
  /** The last child's process is gone. */
  #gone: Promise<void> = Promise.resolve();
  #replay: Replay | null = null;
  #ending: Ending | null = null;
  #used = { cpuMs: 0, peakMb: 0 };
  #inSlot = false;
  #restSince: number | null = null;

  constructor(request: RunRequest, scriptHost: ScriptHost, ports: RunnerPorts) {
    const { limits } = ports;
    this.#request = request;
    this.#scriptHost = scriptHost;
    this.#ports = ports;
    this.#mask = createMask(request.secrets);
    this.#clock = new RunClock((running) => this.#moveSlot(running));
    this.#quotas = new Quotas(limits, (reason, message) => this.end(reason, message));
    this.#turns = new Turns({
      ready: (outcome) => this.#ready(outcome),
      deliver: (outcome, now, header) => this.#deliver(outcome, now, header),
      ended: (calls, done) => this.#continuity?.ended(calls, done) ?? null,
      start: (call) => this.#calls.start(call),
      now: ports.now,
    });
    this.#calls = new Calls({
      session: () => this.#openSession(),
      scriptHost,
      quotas: this.#quotas,
      clock: this.#clock,
      mask: this.#mask,
      settle: (outcome) => this.#settle(outcome),
      ride: (op) => this.#continuity?.ride(op),
      leaving: (op) => this.#leaving(op),
      left: () => request.journal?.passed("afterSend"),
    });
    this.#continuity = this.#keep();
    this.begun = this.#begun.promise;
    this.outcome = this.#run();
  }

  ranMs(): number {
    return this.#clock.ranMs();
  }

  /** Ends the run; the first call counts. */
  end(reason: RunReason, message: string): void {
    this.#end(failedBy(reason, message));
  }

  suspend(): void {
    const continuity = this.#continuity;
    if (continuity === null || !continuity.isKept) {
      this.end("stopped", STOPPED);
      return;
    }
    continuity.suspend();
    void this.#suspend().then(() => this.end("stopped", STOPPED));
  }

  async #suspend(): Promise<void> {
    const late = new AbortController();
    await Promise.race([this.#turns.suspend(), pause(TURN_MS, late.signal)]);
    late.abort();
    await this.#calls.suspend();
  }

  #keep(): Continuity | null {
    const { journal } = this.#request;
    if (journal === undefined) return null;
    return new Continuity({
      request: this.#request,
      journal,
      made: this.#ports.made,
      clock: this.#clock,
      quotas: this.#quotas,
      databases: this.#databases,
      mask: this.#mask,
      now: this.#ports.now,
      calls: () => this.#calls,
      diverged: (message) => this.end("replay_diverged", maskCut(message, this.#mask, TEXT_LIMITS.message)),
      log: (line) => this.#scriptHost.log(line),
      failed: (error) => this.end("sandbox_crash", `the journal can't be kept: ${faultOf(error).message}`),
    });
  }

  async #run(): Promise<RunOutcome> {
    const watch = setInterval(() => this.#watch(), WATCH_MS);
    try {
      const history = this.#continuity?.recall() ?? null;
      if (this.#ending === null) await (history === null ? this.#begin() : this.#goOn(history));
    } catch (error) {
      this.end("sandbox_crash", error instanceof Error ? error.message : String(error));
    }
    const ending = await this.#settled.promise;
    clearInterval(watch);
    this.#calls.end();
    const ranMs = this.#clock.ranMs();
    await this.#lose();
    await this.#gone;
    await this.#closeSession();
    this.#moveSlot(false);
    await this.#continuity?.close();
    return {
      ...ending,
      usage: {
        wallMs: Math.round(ranMs),
        cpuMs: this.#used.cpuMs,
        peakMb: Math.round(this.#used.peakMb * 10) / 10,
        fetches: this.#quotas.used("fetches"),
      },
    };
  }

  async #begin(): Promise<void> {
    if (!(await this.#live())) return;
    this.#clock.start();
    this.#begun.resolve();
    this.#continuity?.start();
    this.#turns.settle({ id: 0, content: this.#start() });
  }

  /** Goes on where an earlier life was; where only persons are waited for, once one of them has answered. */
  async #goOn(history: History): Promise<void> {
    const continuity = this.#continuity;
    if (continuity === null) return;
    // until the script stands where it was
    this.#clock.pause();
    this.#clock.start(continuity.ranMs(history));
    await continuity.askFirst(history, this.#ended.signal);
    const last = history.turns.at(-1);
    const again = last?.end === null ? [this.#makeOutcome(last)] : [];
    const waiting = [...again, ...history.undelivered.map(({ id, content, body }) => makeOutcome(id, content, body))];
    const onlyPersons = history.open.length > 0 && history.open.every(({ asked }) => asked !== undefined);
    const isAtRest = onlyPersons && waiting.length === 0 && last?.end?.done !== true;
    if (!isAtRest) await this.#revive();
    if (this.#ending === null) this.#turns.goOn(history.now, waiting);
  }

  /** Has a child; false where the run has ended before. */
  async #live(): Promise<boolean> {
    const { slot, limits } = this.#ports;
    if (!this.#inSlot) this.#inSlot = await slot.enter(this.#ended.signal);
    if (this.#ending !== null) return false;
    const child = await this.#ports.takeChild();
    const life = new Life(child, limits, this.#request.wallMs, this.#listener());
    this.#life = life;
    if (this.#ending !== null) await this.#lose();
    return this.#ending === null;
  }

  /** A fresh child, played back to where the script stands. */
  async #revive(): Promise<void> {
    const continuity = this.#continuity;
    if (continuity === null || !(await this.#live())) return;
    const found = await continuity.replay((turn) => {
      const { id, content, body } = this.#makeOutcome(turn);
      this.#life?.deliver(id, JSON.stringify({ ...content, now: turn.now }), body, REPLAY_SLICES);
    });
    if (found === null) return;
    const { replay, history } = found;
    this.#replay = replay;
    replay.begin();
    const difference = await Promise.race([replay.finished, this.#settled.promise.then(() => null)]);
    this.#replay = null;
    if (this.#ending !== null) return;
    if (difference !== null) {
      this.end("replay_diverged", maskCut(difference, this.#mask, TEXT_LIMITS.message));
      return;
    }
    this.#clock.resume();
    this.#begun.resolve();
    continuity.takeUp(history, replay.calls, this.#clock.ranMs());
    if (replay.outcome !== null) this.#done(replay.outcome, true);
  }

  /** Lets the child go; what is under way goes on. */
  async #lose(): Promise<void> {
    const life = this.#life;
    if (life === null) return;
    this.#life = null;
    this.#gone = life.leave();
    const { cpuMs, peakMb } = life.use;
    this.#used = { cpuMs, peakMb: Math.max(peakMb, this.#used.peakMb) };
    await this.#gone;
  }

  /** Only persons are waited for: nothing but rows is kept until one has answered. */
  async #park(): Promise<void> {
    this.#clock.pause();
    await Promise.all([this.#lose(), this.#closeSession()]);
  }

  /** An outcome may enter: it is on disk, and there is a child it enters. */
  #ready(outcome: Outcome): Promise<void> | null {
    const continuity = this.#continuity;
    if (continuity === null) return null;
    const kept = continuity.kept(outcome.id);
    const isAnew = this.#ports.alwaysReplay && continuity.isKept && outcome.id !== 0 && outcome.now === undefined;
    if (this.#life !== null && !isAnew) return kept;
    return this.#enterAnew(kept);
  }

  async #enterAnew(kept: Promise<void> | null): Promise<void> {
    await kept;
    try {
      if (this.#life !== null) {
        this.#clock.pause();
        await this.#lose();
      }
      await this.#revive();
    } catch (error) {
      this.end("sandbox_crash", error instanceof Error ? error.message : String(error));
    }
    if (this.#ending !== null) throw new Error(STOPPED);
  }

  #deliver(outcome: Outcome, now: number, header: string): void {
    if (this.#life === null || this.#ending !== null) return;
    const { journal } = this.#request;
    this.#continuity?.delivered(outcome, now);
    journal?.passed("beforeDelivery");
    this.#life.deliver(outcome.id, header, outcome.body);
    journal?.passed("afterDelivery");
  }

  #settle(outcome: Outcome): void {
    this.#continuity?.settled(outcome);
    this.#turns.settle(outcome);
  }

  #leaving(op: OutOp & { op: "fetch" }): Promise<void> | null {
    const { journal } = this.#request;
    const kept = this.#continuity?.leaving(op) ?? null;
    if (kept !== null) return kept.then(() => journal?.passed("beforeSend"));
    journal?.passed("beforeSend");
    return null;
  }

  #listener(): LifeListener {
    return {
      isTurning: () => this.#replay !== null || this.#turns.speaking,
      count: (characters) => this.#replay !== null || this.#quotas.use("messageBytes", characters),
      collect: (call) => {
        if (this.#replay !== null) this.#replay.collect(call);
        else if (this.#quotas.use("messages") && this.#quotas.use("requestBytes", call.body.byteLength)) {
          this.#turns.collect(call);
        }
      },
      log: (line) => this.#log(line),
      ask: (op) => this.#ask(op),
      turned: () => (this.#replay === null ? this.#turns.turned() : this.#replay.turned(null)),
      done: (outcome, length) => {
        if (this.#replay === null) this.#done({ outcome, length }, false);
        else this.#replay.turned({ outcome, length });
      },
      end: (ending) => this.#end(ending),
    };
  }

  async #ask(op: ParentOp): Promise<AskAnswer | null> {
    if (this.#replay !== null) return this.#replay.ask(op);
    if (!this.#quotas.use("messages")) return null;
    const known = this.#continuity?.answered(op);
    if (known === null) return null;
    const answer = known ?? (await this.#answer(op));
    this.#continuity?.answer(op, answer);
    return this.#ending === null ? answer : null;
  }

  #answer(op: ParentOp): Promise<AskAnswer> {
    return answerAsk(op, this.#openSession(), this.#databases, this.#quotas).catch(
      (error: unknown): AskAnswer => ({ line: JSON.stringify({ error: faultOf(error) }) }),
    );
  }

  #log(line: string): void {
    if (this.#replay !== null) {
      this.#replay.line();
      return;
    }
    const quotas = this.#quotas;
    const masked = cut(maskCut(line, this.#mask, TEXT_LIMITS.logLine), quotas.limits.logLineBytes);
    if (!quotas.use("logLines") || !quotas.use("logBytes", Buffer.byteLength(masked))) return;
    if (this.#continuity === null) this.#scriptHost.log(masked);
    else this.#continuity.line(masked);
  }

  /** The script has ended; the context methods it called still take effect. */
  #done(end: ScriptEnd, isAgain: boolean): void {
    void this.#lose();
    this.#finish(end, isAgain).catch(() => this.#end(breach()));
  }

  async #finish({ outcome, length }: ScriptEnd, isAgain: boolean): Promise<void> {
    const { limits } = this.#quotas;
    if (!isAgain) await this.#turns.startCalls(true);
    this.#calls.finish();
    const ending = await runInSlices(scriptEnded(outcome, length, limits, this.#request.script, this.#mask));
    await this.#calls.drained();
    this.#end(ending);
  }

  #start(): Outcome["content"] {
    const { script, kind, entrypoint, context, seed } = this.#request;
    const { resultBytes } = this.#quotas.limits;
    return { start: { kind, code: script.code, entrypoint, context, seed, limits: { result: resultBytes } } };
  }

  /** What a recorded turn was delivered with; the start is made anew. */
  #makeOutcome({ id, content, body, now }: RecordedTurn): Outcome {
    return { ...(id === 0 ? { id, content: this.#start() } : makeOutcome(id, content, body)), now };
  }

  #openSession(): ScriptIoSession {
    this.#session ??= this.#ports.scriptIo.open({
      network: this.#request.network,
      mounts: this.#request.mounts,
      audit: (record) => this.#scriptHost.audit(this.#maskRecord(record)),
      limits: this.#ports.limits,
    });
    return this.#session;
  }

  async #closeSession(): Promise<void> {
    const session = this.#session;
    this.#session = null;
    this.#databases.leave();
    // an outside that throws, which it must not, would leave the run without an outcome
    await session?.close().catch(() => undefined);
  }

  #maskRecord(record: AuditRecord): AuditRecord {
    const { target, reason } = record;
    return { ...record, target: this.#mask(target), ...(reason !== undefined && { reason: this.#mask(reason) }) };
  }

  /** A run that waits for a person leaves its place to others, and takes it again without waiting. */
  #moveSlot(running: boolean): void {
    if (running === this.#inSlot) return;
    this.#inSlot = running;
    if (running) this.#ports.slot.reenter();
    else this.#ports.slot.leave();
  }

  #end(ending: Ending): void {
    if (this.#ending !== null) return;
    this.#ending = ending;
    this.#settled.resolve(ending);
    this.#begun.resolve();
    this.#ended.abort();
  }

  #watch(): void {
    if (this.#ending !== null) return;
    if (this.#clock.ranMs() >= this.#request.wallMs) {
      this.#end(overWall(this.#request.wallMs));
      return;
    }
    this.#life?.watch();
    const isAtRest = this.#life !== null && this.#turns.isIdle && this.#calls.waitsForPersons;
    if (!isAtRest || this.#continuity?.isKept !== true) {
      this.#restSince = null;
      return;
    }
    this.#restSince ??= performance.now();
    if (performance.now() - this.#restSince >= this.#ports.parkMs) void this.#park();
  }
}

function makeOutcome(id: number, content: SettledContent, body: Uint8Array | undefined): Outcome {
  return { id, content, ...(body !== undefined && { body }) };
}

/** Cuts a text to at most so many bytes of UTF-8, at a character. */
function cut(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytes - ELLIPSIS_BYTES));
  return `${text.slice(0, read)}…`;
}

const ELLIPSIS_BYTES = 3;
