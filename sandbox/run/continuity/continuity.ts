/**
 * Lets a run go on where it was: keeps what comes about, plays it back, and takes up what was under way.
 *
 * Invariants:
 * 1. An outcome enters the isolate once it is on disk, unless it is the same whenever it comes; a request that changes
 *    something leaves once everything that led to it is.
 * 2. Nothing whose outcome was kept is done again.
 * 3. What was under way is taken up after the replay has shown that the script stands where it was.
 */
import type { JournalRide, RunJournal } from "../../contract.ts";
import { runAtOnce } from "../../in-slices.ts";
import { classifyCall, hashCall } from "../../journal/call-class.ts";
import type { History, RecordedAnswer, RecordedDelivery } from "../../journal/history.ts";
import type { JournalRecord } from "../../journal/record.ts";
import { Recorder } from "../../journal/recorder.ts";
import type { OutOp, ParentOp } from "../../protocol/ops.ts";
import type { AskAnswer } from "../asks.ts";
import { readHandle } from "../databases.ts";
import type { DeliveryEnd, Outcome, ScriptCall } from "../deliveries.ts";
import { maskCall, maskId } from "../mask-call.ts";
import { Replay } from "../replay.ts";
import { WallTime } from "../time/wall-time.ts";
import type { ContinuityPorts } from "./continuity-ports.ts";
import { EarlierLives } from "./earlier-lives.ts";
import { isSentOnce, Leavings, takesRoom } from "./leavings.ts";
import { noteCalls } from "./note-calls.ts";
import { noteStart } from "./run-start.ts";
import { type LifeEnd, takeUp } from "./take-up.ts";

/** The journal of a run at work. */
export class Continuity {
  readonly #ports: ContinuityPorts;
  readonly #journal: RunJournal;
  readonly #wallTime: WallTime;
  #recorder: Recorder;
  readonly #earlier: EarlierLives;
  readonly #leavings: Leavings;
  /** How the last life ended; null once what it left was taken up. */
  #before: LifeEnd | null = null;
  /** Outcomes that enter once they are on disk, and how far the journal has to be there for it, by call. */
  readonly #keeping = new Map<number, number>();
  /** How far the journal has to be on disk for all the script has been told. */
  #told = 0;
  /** Answers to the questions of a delivery that is delivered again. */
  #answers: RecordedAnswer[] = [];
  #suspended = false;

  constructor(ports: ContinuityPorts) {
    this.#ports = ports;
    this.#journal = ports.journal;
    this.#wallTime = new WallTime(ports.now);
    this.#recorder = this.#record();
    this.#earlier = new EarlierLives(ports);
    const { mask, now } = ports;
    this.#leavings = new Leavings({ mask, now, add: (record) => this.#recorder.add(record) });
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
    const history = await this.#earlier.recall();
    if (history === null) return null;
    const { last } = history;
    const lastDelivery = history.deliveries.at(-1);
    this.#before = { isDone: lastDelivery?.end?.done === true, at: last.at };
    this.#recorder = this.#record(history);
    this.#ports.quotas.restore(last.used);
    this.#answers = lastDelivery?.end === null ? [...lastDelivery.answers] : [];
    return { ...history, deliveries: history.deliveries.slice(-1) };
  }

  /** A call was settled; where the script would be told the same again, nobody waits for the disk. */
  settled({ id, content, body, isBlank }: Outcome): void {
    if ("start" in content) return;
    this.#leavings.settled(id);
    const mark = this.#recorder.outcome(id, content, body);
    if (isBlank !== true) this.#keeping.set(id, mark);
  }

  /**
   * Resolves when the outcome is on disk; null where it is. Asked for when it is the next to enter, so that those that
   * were settled behind it are written with it.
   */
  kept(id: number): Promise<void> | null {
    const isHeld = this.isHeld(id);
    this.#keeping.delete(id);
    return isHeld ? null : this.#recorder.flush();
  }

  /** The outcome is on disk, or need not be. */
  isHeld(id: number): boolean {
    const mark = this.#keeping.get(id);
    return mark === undefined || this.#recorder.holds(mark);
  }

  /**
   * An outcome is about to enter the isolate; the first is the start, with which alone a journal begins. Resolves when it is
   * on disk, and its delivery with it; null where the outcome is.
   */
  enter({ id, now: before }: Outcome, now: number): Promise<void> | null {
    if (before === undefined) {
      if (id === 0) this.#recorder.add(noteStart(this.#ports.request, this.#ports.made()));
      this.#recorder.add({ is: "delivery", id, now });
      this.#told = this.#recorder.recorded;
    }
    return this.kept(id);
  }

  /** A delivery has ended; answers what resolves when its calls may start, and rejects where they never may. */
  ended({ calls, before, done, at }: DeliveryEnd): (() => Promise<void>) | null {
    if (this.#answers.length > 0) {
      this.#refuse("what it asked is missing");
      return () => Promise.reject(new Error("the run has diverged"));
    }
    const since = this.#wallTime.of(at);
    this.#recorder.endDelivery(noteCalls(calls, since), done);
    const requests = calls.flatMap(({ op }) => (op.op === "fetch" ? [op] : []));
    if (this.#suspended || done || requests.every((op) => classifyCall(op) === "read")) return null;
    this.#leavings.noteAhead(calls, this.#ports.calls().room - before.filter(takesRoom).length);
    // where all the script was told is on disk, a later life comes to the same requests
    const comesAgain = this.isKept && this.#recorder.holds(this.#told);
    return comesAgain && !requests.some(isSentOnce) ? null : () => this.#recorder.flush();
  }

  /** A person would have to be asked about the request if its outcome were lost. */
  asksIfLost(op: OutOp & { op: "fetch" }): boolean {
    return isSentOnce(op) && !this.#journal.resends;
  }

  /** A request is about to leave; resolves when it may. */
  leaving(op: OutOp & { op: "fetch" }): Promise<void> | null {
    return this.isKept && this.#leavings.note(op) ? this.#recorder.flush() : null;
  }

  /** A context call takes the journal along; what a person is asked about is not answered by it. */
  ride({ id, call }: OutOp & { op: "context" }): JournalRide {
    const checkpoint = call.kind === "awaitCheckpointRetry" ? maskId(call.id, this.#ports.mask) : null;
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
    this.#told = this.#recorder.recorded;
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
    if (history.open.some(({ asked, left }) => asked !== undefined || left !== undefined)) this.#earlier.forget();
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
    const history = await this.#earlier.readAgain(this.#recorder.rows);
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
    const before = this.#before;
    this.#before = null;
    this.#recorder.addLater({ is: "wentOn" });
    // first: whoever hears of what follows has to know that the script is there again
    this.#journal.wentOn(Math.round(ranMs));
    takeUp(open, made, before, {
      journal: this.#journal,
      calls: this.#ports.calls(),
      quotas: this.#ports.quotas,
      leavings: this.#leavings,
      wallTime: this.#wallTime,
      addLater: (record) => this.#recorder.addLater(record),
    });
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
    if (this.#suspended) this.#leavings.retryLater((id) => this.#ports.calls().hasLeft(id));
    await this.#recorder.close(this.#suspended || this.#journal.keepsEnd === true);
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

  #recallDatabase(op: ParentOp, { line }: AskAnswer): void {
    if (op.op === "sqlite.close") this.#ports.databases.remember(op.db, null);
    if (op.op !== "sqlite.open") return;
    const db = readHandle(line);
    if (db !== null) this.#ports.databases.remember(db, op.path);
  }

  #refuse(message: string): null {
    this.#ports.diverged(message);
    return null;
  }
}
