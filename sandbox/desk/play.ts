/**
 * Plays a journal at a desk: the script runs as it did, every outcome is the journal's, and where that ends it stands.
 *
 * Invariant: there is nothing here that could send, ask or wait; what the journal does not answer ends the play.
 */
import type { Json } from "../../src/core/json/json.ts";
import { createMask } from "../../src/core/report/mask.ts";
import type { SandboxChild } from "../child/child-process.ts";
import type { OpenCall, Play, PlayListener, PlayOutcome, PlayRequest } from "../contract.ts";
import { runInSlices } from "../in-slices.ts";
import { type CallOp, hashCall } from "../journal/call-class.ts";
import { describeCall } from "../journal/describe-call.ts";
import { type History, type RecordedAnswer, type RecordedDelivery, readHistory } from "../journal/history.ts";
import type { RunLimits } from "../limits.ts";
import type { ParentOp } from "../protocol/ops.ts";
import type { AskAnswer } from "../run/asks.ts";
import { toWireError } from "../run/calls.ts";
import type { ScriptCall } from "../run/deliveries.ts";
import { type Ending, endScript, failBy } from "../run/endings.ts";
import { failByWall, Life, type LifeListener } from "../run/life.ts";
import { Quotas } from "../run/quotas.ts";
import { Replay, type ScriptEnd } from "../run/replay.ts";

const WATCH_MS = 50;
/** How many times the CPU of a delivery it may take, as in any replay. */
const SLICES = 2;

export interface PlayPorts {
  /** A ready child for this play alone; rejects when none can be had. */
  takeChild(): Promise<SandboxChild>;
  readonly limits: RunLimits;
}

/** Starts to play a journal; see `JournalPlayer.play`. */
export function startPlay(request: PlayRequest, listener: PlayListener, ports: PlayPorts): Play {
  const play = new JournalPlay(request, listener, ports);
  return { outcome: play.run(), stop: () => play.end(failBy("stopped", "the replay was stopped")) };
}

/** Where a play has come to, before it is known what it used. */
type Stand =
  | { readonly status: "ended"; readonly ending: Ending }
  | { readonly status: "open"; readonly calls: readonly OpenCall[] }
  | { readonly status: "diverged"; readonly message: string };

class JournalPlay {
  readonly #request: PlayRequest;
  readonly #listener: PlayListener;
  readonly #ports: PlayPorts;
  readonly #quotas: Quotas;
  readonly #stand = Promise.withResolvers<Stand>();
  readonly #calls = new Map<number, string>();
  readonly #questions: string[] = [];
  /** Values of the journal's outcomes. */
  readonly #known = new Map<number, Json | undefined>();
  readonly #since = performance.now();
  /** Calls the script waits for, by id. */
  readonly #open = new Map<number, CallOp>();
  /** While recorded deliveries are held against what they were; then null. */
  #replay: Replay | null = null;
  /** Answers to a delivery that had not ended. */
  #answers: RecordedAnswer[] = [];
  #delivered = Promise.withResolvers<void>();

  constructor(request: PlayRequest, listener: PlayListener, ports: PlayPorts) {
    this.#request = request;
    this.#listener = listener;
    this.#ports = ports;
    this.#quotas = new Quotas(ports.limits, (reason, message) => this.end(failBy(reason, message)));
  }

  /** The first reason to end is the one reported. */
  end(ending: Ending): void {
    this.#stand.resolve({ status: "ended", ending });
  }

  async run(): Promise<PlayOutcome> {
    const use = await this.#play().catch((error: unknown) => {
      this.end(failBy("sandbox_crash", toWireError(error).message));
      return { cpuMs: 0, peakMb: 0 };
    });
    const stand = await this.#stand.promise;
    const made = { calls: this.#calls, questions: this.#questions };
    const wallMs = Math.round(performance.now() - this.#since);
    const usage = { wallMs, cpuMs: use.cpuMs, peakMb: Math.round(use.peakMb * 10) / 10, fetches: 0 };
    if (stand.status === "diverged") return { ...stand, made };
    if (stand.status === "open") return { ...stand, usage, made };
    return { status: "ended", outcome: { ...stand.ending, usage }, made };
  }

  /** Plays until it is known where the script stands; answers what its process used. */
  async #play(): Promise<Life["use"]> {
    const history = readHistory(this.#request.journal);
    if ("damage" in history) {
      this.#stand.resolve({ status: "diverged", message: `the journal is damaged: ${history.damage}` });
      return { cpuMs: 0, peakMb: 0 };
    }
    const life = new Life(await this.#ports.takeChild(), this.#ports.limits, this.#request.wallMs, this.#hear());
    const watch = setInterval(() => this.#watch(life), WATCH_MS);
    try {
      void this.#follow(history, life).catch((error: unknown) => {
        this.end(failBy("sandbox_crash", toWireError(error).message));
      });
      await this.#stand.promise;
    } finally {
      clearInterval(watch);
      await life.leave();
    }
    return life.use;
  }

  async #follow(history: History, life: Life): Promise<void> {
    for (const { id, content } of [...history.deliveries, ...history.undelivered]) this.#known.set(id, content.ok);
    const open = new Set(history.open.map(({ id }) => id));
    const replay = new Replay(
      history.deliveries.filter(({ end }) => end !== null),
      {
        deliver: (delivery) => this.#deliver(delivery, history, life),
        isOpen: (id) => open.has(id),
        seen: (op, body) => this.#see(op, body),
        asked: (op) => this.#questions.push(hashCall(op)),
      },
    );
    this.#replay = replay;
    replay.begin();
    const difference = await replay.finished;
    this.#replay = null;
    if (difference !== null) {
      this.#stand.resolve({ status: "diverged", message: difference });
      return;
    }
    if (replay.end !== null) {
      await this.#finish(replay.end);
      return;
    }
    for (const [id, { op }] of replay.calls) if ("id" in op) this.#open.set(id, op);
    for (const delivery of listRest(history)) {
      this.#answers = [...delivery.answers];
      this.#delivered = Promise.withResolvers();
      this.#deliver(delivery, history, life);
      await this.#delivered.promise;
    }
    const calls = [...this.#open].map(([id, op]) => ({ id, call: describeCall(op) }));
    this.#stand.resolve({ status: "open", calls });
  }

  #hear(): LifeListener {
    return {
      isDelivering: () => true,
      count: (characters) => this.#quotas.use("messageBytes", characters),
      collect: (call) => (this.#replay === null ? this.#collect(call) : this.#replay.collect(call)),
      log: (line) => {
        this.#replay?.line();
        this.#listener.log(line);
      },
      ask: async (op) => (this.#replay === null ? this.#ask(op) : this.#replay.ask(op)),
      delivered: () => (this.#replay === null ? this.#delivered.resolve() : this.#replay.delivered(null)),
      done: (outcome, length) => {
        if (this.#replay === null) void this.#finish({ outcome, length });
        else this.#replay.delivered({ outcome, length });
      },
      end: (ending) => this.end(ending),
    };
  }

  /** A call of a delivery that had not ended. */
  #collect({ op, body }: ScriptCall): void {
    if (!("id" in op)) return;
    this.#see(op, body);
    if (op.op === "timer.clear" || op.op === "fetch.abort") this.#open.delete(op.id);
    else this.#open.set(op.id, op);
  }

  #see(op: CallOp, body: Uint8Array): void {
    this.#calls.set(op.id, hashCall(op, body));
    if (op.op === "context") this.#listener.called(op.call, this.#known.get(op.id));
  }

  /** A question of a delivery that had not ended: where it was not asked, the script stands in it. */
  #ask(op: ParentOp): AskAnswer | null {
    this.#questions.push(hashCall(op));
    const answer = this.#answers.shift();
    if (answer === undefined) {
      this.#stand.resolve({ status: "open", calls: [{ id: null, call: op.op }] });
      return null;
    }
    if (answer.hash === null || answer.hash === hashCall(op)) return answer;
    this.#stand.resolve({ status: "diverged", message: `a question is "${op.op}", and was another` });
    return null;
  }

  #deliver({ id, content, body, now }: RecordedDelivery, { start }: History, life: Life): void {
    const { script, entrypoint, context } = this.#request;
    const limits = { result: this.#ports.limits.resultBytes };
    const { seed } = start;
    const delivered =
      id === 0 ? { start: { kind: "hook", code: script.code, entrypoint, context, seed, limits } } : content;
    life.deliver(id, JSON.stringify({ ...delivered, now }), body, SLICES);
  }

  async #finish({ outcome, length }: ScriptEnd): Promise<void> {
    this.end(await runInSlices(endScript(outcome, length, this.#ports.limits, this.#request.script, NO_MASK)));
  }

  #watch(life: Life): void {
    if (performance.now() - this.#since >= this.#request.wallMs) this.end(failByWall(this.#request.wallMs));
    else life.watch();
  }
}

/** Lists what a journal knows beyond its last whole delivery: one that had not ended, and outcomes that were not delivered. */
function listRest({ deliveries, undelivered, now, last }: History): readonly RecordedDelivery[] {
  const later = { now: Math.max(now, last.at), answers: [], end: null };
  return [...deliveries.filter(({ end }) => end === null), ...undelivered.map((outcome) => ({ ...outcome, ...later }))];
}

/** Whoever plays a journal has what it says. */
const NO_MASK = createMask([]);
