/**
 * Lets a run go on where it was: keeps what comes about, plays it back, and takes up what was under way.
 *
 * Invariants:
 * 1. An outcome enters the isolate once it is on disk, unless it is the same whenever it comes; a request that changes
 *    something leaves once everything that led to it is.
 * 2. Nothing whose outcome was kept is done again.
 * 3. What was under way is taken up after the replay has shown that the script stands where it was.
 */
import { type Mask, maskCut } from "../../src/core/report/mask.ts";
import type { JournalRide, RunJournal, RunRequest } from "../contract.ts";
import { runAtOnce, runInSlices } from "../in-slices.ts";
import { classifyCall, hashCall, hashText, writeCanonicalJson } from "../journal/call-class.ts";
import {
  type History,
  type OpenCall,
  type RecordedAnswer,
  type RecordedDelivery,
  readHistoryInSteps,
} from "../journal/history.ts";
import type { JournalRecord } from "../journal/record.ts";
import { Recorder } from "../journal/recorder.ts";
import { type OutOp, type ParentOp, TEXT_LIMITS } from "../protocol/ops.ts";
import type { AskAnswer } from "./asks.ts";
import type { Calls } from "./calls.ts";
import { type Databases, readHandle } from "./databases.ts";
import type { Outcome, ScriptCall } from "./deliveries.ts";
import { maskCall } from "./mask-call.ts";
import { noteCalls } from "./note-calls.ts";
import type { Quotas } from "./quotas.ts";
import { Replay } from "./replay.ts";
import type { Slot } from "./slots.ts";
import type { RunClock } from "./time/clock.ts";
import { WallTime } from "./time/wall-time.ts";
import { createUnknownOutcome } from "./unknown-outcome.ts";

/** The guest and Node that run scripts: a change of them is no divergence, but may bring one. */
export interface Made {
  /** SHA-256 of the guest with its shims. */
  readonly guest: string;
  /** Node's major version. */
  readonly node: string;
}

export interface ContinuityPorts {
  readonly request: RunRequest;
  readonly journal: RunJournal;
  made(): Made;
  readonly clock: RunClock;
  readonly quotas: Quotas;
  readonly databases: Databases;
  readonly mask: Mask;
  /** One run at a time reads its journal: much of it is in memory twice meanwhile. */
  readonly reading: Slot;
  /** The run has ended. */
  readonly ended: AbortSignal;
  /** Wall clock, ms since 1970. */
  now(): number;
  calls(): Calls;
  /** The run can't be gone on with: it does not do what it did. */
  diverged(message: string): void;
  log(line: string): void;
  /** The journal can't be written: the run is over. */
  failed(error: unknown): void;
}

interface TakeUp {
  /** ms of `performance.now()`. */
  readonly now: number;
  /** The time until which timers have run, ms since 1970. */
  readonly stoppedAt: number;
  /** They may guard a request. */
  readonly guards: boolean;
}

/** Largest journal that stays in memory between its reading and the replay, in bytes. */
const RECALLED_BYTES = 1024 * 1024;

/** The journal of a run at work. */
export class Continuity {
  readonly #ports: ContinuityPorts;
  readonly #journal: RunJournal;
  readonly #wallTime: WallTime;
  #recorder: Recorder;
  /** How an earlier life ended; null once what it left was taken up. */
  #before: { readonly isDone: boolean; readonly at: number } | null = null;
  /** Outcomes that enter once they are on disk, and how far the journal has to be there for it, by call. */
  readonly #keeping = new Map<number, number>();
  /** Requests whose leaving is recorded already. */
  readonly #leaving = new Set<number>();
  /** Those of which nothing is known since. */
  readonly #uncertain = new Set<number>();
  /** What was recalled, for the replay that follows at once; null where it is large, or somebody is asked first. */
  #recalled: History | null = null;
  /** Answers to the questions of a delivery that is delivered again. */
  #answers: RecordedAnswer[] = [];
  #suspended = false;

  constructor(ports: ContinuityPorts) {
    this.#ports = ports;
    this.#journal = ports.journal;
    this.#wallTime = new WallTime(ports.now);
    this.#recorder = this.#record();
  }

  /** The run could lose its child and come to stand where it was. */
  get isKept(): boolean {
    return !this.#recorder.isGivenUp;
  }

  /**
   * Reads what earlier lives have left; null where the run begins. A journal no life can go on from is told as a
   * divergence.
   */
  async recall(): Promise<History | null> {
    const history = await this.#readHistory();
    if (history === null) return null;
    if (history.givenUp !== null) {
      this.#journal.giveUp(history.givenUp);
      return null;
    }
    const { start, last } = history;
    const { entrypoint, seed } = this.#ports.request;
    const isSame = start.entrypoint === entrypoint && start.seed === seed;
    if (!isSame || (start.context !== null && start.context !== this.#contextHash())) {
      return this.#refuse("the journal is another run's: its script began with other data");
    }
    const lastDelivery = history.deliveries.at(-1);
    this.#before = { isDone: lastDelivery?.end?.done === true, at: last.at };
    this.#recorder = this.#record(history);
    this.#ports.quotas.restore(last.used);
    this.#answers = lastDelivery?.end === null ? [...lastDelivery.answers] : [];
    // a run may wait long for its place or for a person: much that was kept of other deliveries is read again then
    if (history.place.bytes <= RECALLED_BYTES) this.#recalled = history;
    return { ...history, deliveries: history.deliveries.slice(-1) };
  }

  /** A call was settled; where the script would be told the same again, nobody waits for the disk. */
  settled({ id, content, body, isBlank }: Outcome): void {
    if ("start" in content) return;
    this.#uncertain.delete(id);
    const mark = this.#recorder.outcome(id, content, body);
    if (isBlank !== true) this.#keeping.set(id, mark);
  }

  /**
   * Resolves when the outcome is on disk; null where it is. Asked for when it is the next to enter, so that those that
   * were settled behind it are written with it.
   */
  kept(id: number): Promise<void> | null {
    const mark = this.#keeping.get(id);
    this.#keeping.delete(id);
    return mark === undefined || this.#recorder.holds(mark) ? null : this.#recorder.flush();
  }

  /** An outcome enters the isolate; the first is the start, with which alone a journal begins. */
  delivered({ id, now: before }: Outcome, now: number): void {
    if (before !== undefined) return;
    if (id === 0) this.#start();
    this.#recorder.add({ is: "delivery", id, now });
  }

  /** A delivery has ended; resolves when what it calls may start, and rejects where it never may. */
  ended(calls: readonly ScriptCall[], done: boolean, at: number): Promise<void> | null {
    if (this.#answers.length > 0) {
      this.#refuse("what it asked is missing");
      return Promise.reject(new Error("the run has diverged"));
    }
    const since = this.#wallTime.of(at);
    this.#recorder.endDelivery(noteCalls(calls, since), done);
    const requests = calls.flatMap(({ op }) => (op.op === "fetch" ? [op] : []));
    if (this.#suspended || done || requests.every((op) => classifyCall(op) === "read")) return null;
    for (const op of requests.slice(0, Math.max(0, this.#ports.calls().room))) {
      if (classifyCall(op) !== "once") continue;
      this.#noteLeaving(op);
      this.#leaving.add(op.id);
    }
    return this.#recorder.flush();
  }

  /** A person would have to be asked about the request if its outcome were lost. */
  asksIfLost(op: OutOp & { op: "fetch" }): boolean {
    return classifyCall(op) === "once" && !this.#journal.resends;
  }

  /** A request is about to leave; resolves when it may. */
  leaving(op: OutOp & { op: "fetch" }): Promise<void> | null {
    if (!this.isKept || classifyCall(op) !== "once" || this.#leaving.delete(op.id)) return null;
    this.#noteLeaving(op);
    return this.#recorder.flush();
  }

  /** A context call takes the journal along; what a person is asked about is not answered by it. */
  ride({ id, call }: OutOp & { op: "context" }): JournalRide {
    const checkpoint = call.kind === "awaitCheckpointRetry" ? this.#ports.mask(call.id) : null;
    return this.#recorder.ride(
      (ok): JournalRecord => (checkpoint === null ? { is: "outcome", id, ok } : { is: "asked", id, checkpoint }),
    );
  }

  /** The answer an earlier life gave to this question of the delivery; undefined where it had not asked. */
  answered(op: ParentOp): AskAnswer | null | undefined {
    const answer = this.#answers.shift();
    if (answer === undefined) return undefined;
    if (answer.hash !== null && answer.hash !== hashCall(op)) {
      return this.#refuse(`a question is "${op.op}", and was another`);
    }
    this.#recallDatabase(op, answer);
    return answer;
  }

  /** A question of the delivery was answered. */
  answer(op: ParentOp, { line, body }: AskAnswer): void {
    this.#recorder.answer(hashCall(op), line, body);
  }

  line(text: string): void {
    this.#recorder.line(text);
  }

  /**
   * Asks about requests whose outcome nobody knows, and waits for persons who were asked before; not after the run's end.
   * Where the signal aborts meanwhile it may never resolve.
   */
  async askFirst(history: History, signal: AbortSignal): Promise<void> {
    // nobody is there any more who would hear of it
    if (history.deliveries.at(-1)?.end?.done === true) return;
    if (history.open.some(({ asked, left }) => asked !== undefined || left !== undefined)) this.#recalled = null;
    for (const call of history.open) {
      if (call.asked !== undefined) this.#ports.calls().await(call.id, this.#journal.decisionOf(call.asked, signal));
    }
    if (this.#journal.resends) return;
    for (const { id, class: kind, left, choice } of history.open) {
      if (kind !== "once" || left === undefined || choice !== undefined) continue;
      const { method, url, at } = left;
      const decided = await this.#journal.askAboutRequest({ call: id, method, url, at }, signal);
      if (signal.aborted) return;
      this.#recorder.add({ is: "choice", id, choice: decided });
      await this.#recorder.flush();
    }
  }

  /** A replay of everything so far; everything so far is on disk then. */
  async prepareReplay(
    deliver: (delivery: RecordedDelivery) => void,
  ): Promise<{ readonly replay: Replay; readonly history: History } | null> {
    await this.#recorder.flush();
    const history = this.#takeRecalled() ?? (await this.#readHistory());
    if (history === null) return null;
    const open = new Set(history.open.map(({ id }) => id));
    const ended = history.deliveries.filter(({ end }) => end !== null);
    const replay = new Replay(ended, {
      deliver,
      isOpen: (id) => open.has(id),
      seen: (op) => {
        if (op.op !== "context" || open.has(op.id)) return;
        this.#ports.quotas.knowCheckpoints(op.call);
        this.#journal.replayed(runAtOnce(maskCall(op.call, this.#ports.mask)));
      },
      asked: (op, answer) => this.#recallDatabase(op, answer),
    });
    return { replay, history };
  }

  /** Takes up what was under way when the last life ended; this process has under way itself what it has called. */
  takeUp({ open }: History, made: ReadonlyMap<number, ScriptCall>, ranMs: number): void {
    if (this.#before === null) return;
    const { isDone, at } = this.#before;
    this.#before = null;
    this.#recorder.addLater({ is: "wentOn" });
    // first: whoever hears of what follows has to know that the script is there again
    this.#journal.wentOn(Math.round(ranMs));
    const { lastAlive } = this.#journal;
    // a timer may guard a request: beside one it keeps the time it had left when the engine was last known to live
    const guards = open.some(({ class: kind }) => ["read", "change", "once", "wait"].includes(kind));
    const now = Math.ceil(performance.now());
    const stoppedAt = guards ? Math.max(lastAlive ?? 0, at) : this.#wallTime.of(now);
    for (const call of open) {
      const again = made.get(call.id);
      if (again === undefined || call.asked !== undefined) continue;
      // with the script its requests and timers have ended
      if (!isDone || call.class === "report") this.#takeUpCall(call, again, { now, stoppedAt, guards });
    }
  }

  /** Running time an earlier life had behind it when the engine was last known to live, ms. */
  countRanMs({ last }: History): number {
    const { lastAlive } = this.#journal;
    return last.ranMs + (last.running && lastAlive !== null ? Math.max(0, lastAlive - last.at) : 0);
  }

  /** Starts nothing more. */
  suspend(): void {
    this.#suspended = true;
  }

  /** The end of the run in this process: its last lines are on disk, and everything else where somebody will read it. */
  async close(): Promise<void> {
    if (this.#suspended) {
      for (const id of this.#uncertain) {
        if (!this.#ports.calls().hasLeft(id)) this.#recorder.add({ is: "choice", id, choice: "retry" });
      }
    }
    await this.#recorder.close(this.#suspended || this.#journal.keepsEnd === true);
  }

  /** What was recalled, while nothing has been recorded since. */
  #takeRecalled(): History | null {
    const recalled = this.#recalled;
    this.#recalled = null;
    return recalled?.place.rows === this.#recorder.rows ? recalled : null;
  }

  /** What the journal says; null where the run begins, and where it can't be gone on from. */
  async #readHistory(): Promise<History | null> {
    const { reading, ended } = this.#ports;
    if (!(await reading.enter(ended))) return null;
    try {
      const stored = this.#journal.read();
      if (stored.rows.length === 0 && stored.head === "") return null;
      const history = await runInSlices(readHistoryInSteps(stored));
      return "damage" in history ? this.#refuse(`the journal is damaged: ${history.damage}`) : history;
    } finally {
      reading.leave();
    }
  }

  /** The script begins. */
  #start(): void {
    const { request, made } = this.#ports;
    this.#recorder.add({
      is: "start",
      format: 1,
      entrypoint: request.entrypoint,
      seed: request.seed,
      context: this.#contextHash(),
      made: { script: request.script.sha256, ...made() },
    });
  }

  #takeUpCall(call: OpenCall, made: ScriptCall, { now, stoppedAt, guards }: TakeUp): void {
    const calls = this.#ports.calls();
    if (call.class === "once" && call.choice === "skip") {
      calls.refuse(call.id, createUnknownOutcome(call));
    } else if (made.op.op === "timer") {
      // below 0 where it is over: here and in a life after this one they end in the order they were due in
      const restMs = Math.min(made.op.ms, (call.due ?? stoppedAt) - stoppedAt);
      // with the next progress: without one a later life counts from the same last sign of life
      if (guards) this.#recorder.addLater({ is: "due", id: call.id, due: this.#wallTime.of(now) + restMs });
      calls.start(made, now + restMs - made.op.ms);
    } else {
      // nobody will be asked about it, and that it leaves again is no progress
      if (call.left !== undefined && this.#journal.resends) this.#leaving.add(call.id);
      this.#ports.quotas.use("requestBytes", made.body.byteLength);
      calls.start(made, now);
    }
  }

  #record(history?: History): Recorder {
    const { clock, quotas, now, log } = this.#ports;
    return new Recorder(
      {
        journal: this.#journal,
        head: () => ({ at: now(), ranMs: clock.ranMs(), running: clock.running, used: quotas.spent }),
        log: (lines) => {
          for (const line of lines) log(line);
        },
        failed: this.#ports.failed,
      },
      history?.place,
    );
  }

  #noteLeaving({ id, method, url }: OutOp & { op: "fetch" }): void {
    const address = URL.parse(url);
    const shown = (text: string) => maskCut(text, this.#ports.mask, TEXT_LIMITS.value);
    this.#uncertain.add(id);
    this.#recorder.add({
      is: "left",
      id,
      method: shown(method),
      url: shown(address === null ? "" : `${address.origin}${address.pathname}`),
      at: this.#ports.now(),
    });
  }

  #recallDatabase(op: ParentOp, { line }: AskAnswer): void {
    if (op.op === "sqlite.close") this.#ports.databases.remember(op.db, null);
    if (op.op !== "sqlite.open") return;
    const db = readHandle(line);
    if (db !== null) this.#ports.databases.remember(db, op.path);
  }

  #contextHash(): string {
    return hashText(writeCanonicalJson(this.#ports.request.context));
  }

  #refuse(message: string): null {
    this.#ports.diverged(message);
    return null;
  }
}
