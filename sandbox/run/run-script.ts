/**
 * One run: its deliveries, its calls, its journal, its end; a child while it has one.
 *
 * Invariants:
 * 1. The outcome settles once, after the child's process is gone and its session is closed.
 * 2. The first reason to end a run is the one reported.
 * 3. A run with a journal may lose its child at any time between two deliveries, and comes to stand where it was in another.
 */
import { createMask, type Mask, maskCut } from "../../src/core/report/mask.ts";
import type { SandboxChild } from "../child/child-process.ts";
import type { Run, RunJournal, RunOutcome, RunReason, RunRequest, ScriptHost, ScriptIo } from "../contract.ts";
import { runInSlices } from "../in-slices.ts";
import type { History } from "../journal/history.ts";
import type { RunLimits } from "../limits.ts";
import { type OutOp, type ParentOp, TEXT_LIMITS } from "../protocol/ops.ts";
import type { AskAnswer } from "./asks.ts";
import { Calls, toWireError } from "./calls.ts";
import { Continuity } from "./continuity/continuity.ts";
import type { Made } from "./continuity/continuity-ports.ts";
import { cutToBytes } from "./cut-to-bytes.ts";
import { Deliveries, type Outcome } from "./deliveries.ts";
import { type Ending, endScript, failBy, failByBreach, maskPlain } from "./endings.ts";
import { failByWall, type LifeListener } from "./life.ts";
import { Lives } from "./lives.ts";
import { makeOutcome, makeStart, remakeOutcome } from "./outcomes.ts";
import { Quotas } from "./quotas.ts";
import type { Replay, ScriptEnd } from "./replay.ts";
import { RunSession } from "./run-session.ts";
import type { Slot } from "./slots.ts";
import { RunClock } from "./time/clock.ts";
import { pause } from "./time/pause.ts";

/** How often the watchdog looks, ms. */
const WATCH_MS = 50;
/** How many times the CPU of a delivery its replay may take: a machine that starts up has other work. */
const REPLAY_SLICES = 2;

export interface RunnerPorts {
  readonly scriptIo: ScriptIo;
  readonly limits: RunLimits;
  /** A ready child for this run alone, which needs the machine until it is `atWork`; rejects when none can be had. */
  takeChild(atWork: Promise<void>): Promise<SandboxChild>;
  /** Wall clock, ms since 1970. */
  now(): number;
  /** The gate of this kind of run. */
  readonly slot: Slot;
  /** The gate before journals that are read. */
  readonly reading: Slot;
  /** The guest and Node that run scripts at present, for the journal. */
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
    suspend: (patienceMs) => run.suspend(patienceMs),
    ranMs: () => run.ranMs(),
  };
}

const STOPPED = "the run was stopped";

class ScriptRun {
  readonly begun: Promise<boolean>;
  readonly outcome: Promise<RunOutcome>;
  readonly #request: RunRequest;
  readonly #scriptHost: ScriptHost;
  readonly #ports: RunnerPorts;
  readonly #quotas: Quotas;
  readonly #start: Outcome;
  readonly #clock: RunClock;
  readonly #ended = new AbortController();
  readonly #session: RunSession;
  readonly #lives: Lives;
  readonly #deliveries: Deliveries;
  readonly #calls: Calls;
  readonly #mask: Mask;
  readonly #continuity: Continuity | null;
  readonly #begun = Promise.withResolvers<boolean>();
  readonly #settled = Promise.withResolvers<Ending>();
  #replay: Replay | null = null;
  #ending: Ending | null = null;
  #restSince: number | null = null;

  constructor(request: RunRequest, scriptHost: ScriptHost, ports: RunnerPorts) {
    const { limits, scriptIo, slot } = ports;
    const { wallMs, journal } = request;
    this.#request = request;
    this.#scriptHost = scriptHost;
    this.#ports = ports;
    const mask = createMask(request.secrets);
    this.#mask = mask;
    this.#clock = new RunClock((running) => this.#lives.movePlace(running));
    const quotas = new Quotas(limits, (reason, message) => this.end(reason, message));
    this.#quotas = quotas;
    this.#start = makeStart(request, quotas.limits.resultBytes);
    this.#session = new RunSession({ scriptIo, request, limits, quotas, mask, scriptHost });
    const listener = this.#listen();
    this.#lives = new Lives({ takeChild: ports.takeChild, slot, limits, wallMs, listener, ended: this.#ended.signal });
    this.#deliveries = new Deliveries({
      ready: (outcome, now) => this.#ready(outcome, now),
      isReady: (outcome) => !this.#entersAnew(outcome) && (this.#continuity?.isHeld(outcome.id) ?? true),
      deliver: (outcome, header) => this.#deliver(outcome, header),
      ended: (delivery) => this.#continuity?.ended(delivery) ?? null,
      start: (calls, at) => this.#calls.startCalls(calls, at),
      now: ports.now,
    });
    this.#calls = new Calls({
      session: () => this.#session.open(),
      scriptHost,
      quotas,
      clock: this.#clock,
      mask,
      settle: (outcome) => this.#settle(outcome),
      ride: (op) => this.#continuity?.ride(op),
      asksIfLost: (op) => this.#continuity?.asksIfLost(op) ?? false,
      leaving: (op) => this.#leaving(op),
      left: () => journal?.passed("afterSend"),
    });
    this.#continuity = journal === undefined ? null : this.#keep(journal);
    this.begun = this.#begun.promise;
    this.outcome = this.#run();
  }

  ranMs(): number {
    return this.#clock.ranMs();
  }

  /** Ends the run; the first call counts. */
  end(reason: RunReason, message: string): void {
    this.#end(failBy(reason, message));
  }

  suspend(patienceMs: number): void {
    if (this.#continuity?.isKept === true) {
      this.#continuity.suspend();
      void this.#comeToRest(patienceMs).then(() => this.end("stopped", STOPPED));
    } else this.end("stopped", STOPPED);
  }

  async #comeToRest(patienceMs: number): Promise<void> {
    const rests = new AbortController();
    const late = pause(patienceMs, rests.signal);
    await this.#deliveries.suspend(late);
    await this.#calls.suspend(late);
    rests.abort();
  }

  #keep(journal: RunJournal): Continuity {
    return new Continuity({
      request: this.#request,
      journal,
      made: this.#ports.made,
      clock: this.#clock,
      quotas: this.#quotas,
      databases: this.#session.databases,
      mask: this.#mask,
      reading: this.#ports.reading,
      ended: this.#ended.signal,
      now: this.#ports.now,
      calls: () => this.#calls,
      diverged: (difference) => this.#diverge(difference),
      log: (line) => this.#scriptHost.log(line),
      failed: (error) => this.end("sandbox_crash", `the journal can't be kept: ${toWireError(error).message}`),
    });
  }

  async #run(): Promise<RunOutcome> {
    const watch = setInterval(() => this.#watch(), WATCH_MS);
    try {
      const history = (await this.#continuity?.recall()) ?? null;
      if (this.#ending === null) await (history === null ? this.#begin() : this.#goOn(history));
    } catch (error) {
      this.#crash(error);
    }
    const ending = await this.#settled.promise;
    clearInterval(watch);
    this.#calls.end();
    const ranMs = this.#clock.ranMs();
    // what is to be kept goes to the disk while the processes go
    await Promise.all([this.#continuity?.close(), this.#lives.end()]);
    await this.#session.close();
    this.#lives.movePlace(false);
    const { cpuMs, peakMb } = this.#lives.used;
    return {
      ...ending,
      usage: {
        wallMs: Math.round(ranMs),
        cpuMs,
        peakMb: Math.round(peakMb * 10) / 10,
        fetches: this.#quotas.used("fetches"),
      },
    };
  }

  async #begin(): Promise<void> {
    if ((await this.#lives.begin(Promise.resolve())) === null) return;
    this.#clock.start();
    this.#begun.resolve(true);
    this.#deliveries.settle(this.#start);
  }

  /** Goes on where an earlier life was; where only persons are waited for, once one of them has answered. */
  async #goOn(history: History): Promise<void> {
    const continuity = this.#continuity;
    if (continuity === null) return;
    const last = history.deliveries.at(-1);
    const again = last?.end === null ? [remakeOutcome(last, this.#start)] : [];
    const waiting = [...again, ...history.undelivered.map(makeOutcome)];
    // until the script stands where it was
    this.#clock.pause();
    this.#clock.start(continuity.countRanMs(history));
    this.#deliveries.hold(history.now, waiting);
    await Promise.race([continuity.askFirst(history, this.#ended.signal), this.#settled.promise]);
    const waitsForPersons = history.open.length > 0 && history.open.every(({ asked }) => asked !== undefined);
    const isAtRest = waitsForPersons && waiting.length === 0 && last?.end?.done !== true;
    if (!isAtRest && this.#ending === null) await this.#revive();
    if (this.#ending === null) this.#deliveries.release();
  }

  /** A fresh child, played back to where the script stands. */
  async #revive(): Promise<void> {
    const atWork = Promise.withResolvers<void>();
    try {
      await this.#comeBack(atWork.promise);
    } finally {
      atWork.resolve();
    }
  }

  async #comeBack(atWork: Promise<void>): Promise<void> {
    const continuity = this.#continuity;
    const life = await this.#lives.begin(atWork);
    if (continuity === null || life === null) return;
    const ended = this.#settled.promise.then(() => null);
    const preparing = continuity.prepareReplay((delivery) => {
      const { id, content, body } = remakeOutcome(delivery, this.#start);
      life.deliver(id, JSON.stringify({ ...content, now: delivery.now }), body, REPLAY_SLICES);
    });
    const prepared = await Promise.race([preparing, ended]);
    if (prepared === null) return;
    const { replay, history } = prepared;
    this.#replay = replay;
    replay.begin();
    const difference = await Promise.race([replay.finished, ended]);
    this.#replay = null;
    if (difference !== null) this.#diverge(difference);
    if (this.#ending !== null) return;
    this.#clock.resume();
    // another person may still be waited for
    this.#lives.movePlace(this.#clock.running);
    this.#begun.resolve(false);
    continuity.takeUp(history, replay.calls, this.#clock.ranMs());
    if (replay.end !== null) this.#done(replay.end, true);
  }

  /** Only persons are waited for: nothing but rows is kept until one has answered. */
  async #park(): Promise<void> {
    this.#clock.pause();
    await Promise.all([this.#lives.lose(), this.#session.close()]);
  }

  /** An outcome may enter: it is on disk, and there is a child it enters. */
  #ready(outcome: Outcome, now: number): Promise<number> | null {
    const continuity = this.#continuity;
    if (continuity === null) return null;
    if (this.#entersAnew(outcome)) return this.#enterAnew(continuity, outcome, now);
    return continuity.enter(outcome, now)?.then(() => now) ?? null;
  }

  #entersAnew({ id, now }: Outcome): boolean {
    const isReplayed = this.#ports.alwaysReplay && this.#continuity?.isKept === true && id !== 0 && now === undefined;
    return this.#lives.life === null || isReplayed;
  }

  /** The outcome enters another child, at the time that one is there. */
  async #enterAnew(continuity: Continuity, outcome: Outcome, asked: number): Promise<number> {
    await continuity.kept(outcome.id);
    try {
      if (this.#lives.life !== null) {
        this.#clock.pause();
        await this.#lives.lose();
      } else if (this.#ending === null) {
        // a person has answered: the task's time passes
        this.#lives.movePlace(true);
      }
      await this.#revive();
    } catch (error) {
      this.#crash(error);
    }
    if (this.#ending !== null) throw new Error(STOPPED);
    const now = outcome.now ?? Math.max(asked, this.#ports.now());
    await continuity.enter(outcome, now);
    return now;
  }

  #deliver(outcome: Outcome, header: string): void {
    const { life } = this.#lives;
    if (life === null || this.#ending !== null) return;
    const { journal } = this.#request;
    journal?.passed("beforeDelivery");
    life.deliver(outcome.id, header, outcome.body);
    journal?.passed("afterDelivery");
  }

  #settle(outcome: Outcome): void {
    this.#continuity?.settled(outcome);
    this.#deliveries.settle(outcome);
  }

  async #leaving(op: OutOp & { op: "fetch" }): Promise<void> {
    await this.#continuity?.leaving(op);
    this.#request.journal?.passed("beforeSend");
  }

  #listen(): LifeListener {
    return {
      isDelivering: () => this.#replay !== null || this.#deliveries.speaking,
      count: (characters) => this.#replay !== null || this.#quotas.use("messageBytes", characters),
      collect: (call) => {
        if (this.#replay !== null) this.#replay.collect(call);
        else if (this.#quotas.use("messages") && this.#quotas.use("requestBytes", call.body.byteLength)) {
          this.#deliveries.collect(call);
        }
      },
      log: (line) => this.#log(line),
      ask: (op) => this.#ask(op),
      delivered: () => (this.#replay === null ? this.#deliveries.delivered() : this.#replay.delivered(null)),
      done: (outcome, length) => {
        if (this.#replay === null) this.#done({ outcome, length }, false);
        else this.#replay.delivered({ outcome, length });
      },
      end: (ending) => this.#end(ending),
    };
  }

  async #ask(op: ParentOp): Promise<AskAnswer | null> {
    if (this.#replay !== null) return this.#replay.ask(op);
    if (!this.#quotas.use("messages")) return null;
    const known = this.#continuity?.answered(op);
    if (known !== undefined) return known;
    const answer = await this.#session.answer(op);
    this.#continuity?.answer(op, answer);
    return this.#ending === null ? answer : null;
  }

  #log(line: string): void {
    if (this.#replay !== null) {
      this.#replay.line();
      return;
    }
    const quotas = this.#quotas;
    const masked = cutToBytes(maskCut(line, this.#mask, TEXT_LIMITS.logLine), quotas.limits.logLineBytes);
    if (!quotas.use("logLines") || !quotas.use("logBytes", Buffer.byteLength(masked))) return;
    if (this.#continuity === null) this.#scriptHost.log(masked);
    else this.#continuity.line(masked);
  }

  /** The script has ended, `again` where an earlier life had seen it; the context methods it called still take effect. */
  #done(end: ScriptEnd, again: boolean): void {
    this.#deliveries.end();
    void this.#lives.lose();
    this.#finish(end, again).catch(() => this.#end(failByBreach()));
  }

  async #finish({ outcome, length }: ScriptEnd, again: boolean): Promise<void> {
    const { limits } = this.#quotas;
    if (!again && !(await this.#deliveries.startCalls())) return;
    this.#calls.finish();
    const ending = await runInSlices(endScript(outcome, length, limits, this.#request.script, this.#mask));
    await this.#calls.drained();
    this.#end(ending);
  }

  #diverge(difference: string): void {
    this.end("replay_diverged", maskPlain(difference, this.#mask, TEXT_LIMITS.message));
  }

  #crash(error: unknown): void {
    this.end("sandbox_crash", error instanceof Error ? error.message : String(error));
  }

  #end(ending: Ending): void {
    if (this.#ending !== null) return;
    this.#ending = ending;
    this.#settled.resolve(ending);
    this.#begun.resolve(false);
    this.#ended.abort();
  }

  #watch(): void {
    if (this.#ending !== null) return;
    const { wallMs } = this.#request;
    if (this.#clock.ranMs() >= wallMs) this.#end(failByWall(wallMs));
    this.#lives.life?.watch();
    const isAtRest = this.#lives.life !== null && this.#deliveries.isIdle && this.#calls.waitsForPersons;
    if (!isAtRest || this.#continuity?.isKept !== true) {
      this.#restSince = null;
      return;
    }
    this.#restSince ??= performance.now();
    if (performance.now() - this.#restSince >= this.#ports.parkMs) void this.#park();
  }
}
