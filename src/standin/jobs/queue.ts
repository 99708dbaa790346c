/**
 * The host's job queue (docs/host-api.md, section 3).
 *
 * Invariants:
 * 1. `added` is emitted before `submit` returns, so it reaches a caller before the answer that carries the id.
 * 2. Jobs of one lock run one after another in the order they came; at most `MAX_WAITING` wait. A further call is dropped:
 *    it gets the last waiting job, whose `message_ids` gain its request id.
 * 3. A state never goes back; exactly one terminal state is entered, though its event may be sent twice.
 * 4. No client is needed: a job goes on and ends with no socket open.
 */
import type { Json, JsonObject } from "../../core/json/json.ts";
import type { EventHub } from "../events.ts";
import { createUnexpectedError, RpcError, toJobFailure } from "../rpc/rpc-error.ts";
import { type JobHandle, type JobRecord, type JobState, viewJob } from "./job.ts";

/** Jobs that may wait for one lock. */
const MAX_WAITING = 5;

/** Ended jobs the host remembers. */
const KEPT_JOBS = 1000;

/** A job to run. */
interface JobRequest {
  readonly method: string;
  readonly description: string;
  readonly args: readonly Json[];
  readonly messageIds: readonly string[];
  readonly credentials: JsonObject | null;
  readonly abortable: boolean;
  readonly lock: string | null;
  run(job: JobHandle): Promise<Json>;
}

/** Strikes at a job from outside its work: the fault table acts through these. */
export interface JobInterference {
  /** Called before a job is shown as running, and at each progress step; may throw the job's failure. */
  step(job: JobRecord, abort: () => void): void;
  /** How often the terminal event is sent: 0 lost, 1, or 2. */
  terminalEvents(job: JobRecord): number;
  /** Passes the event on now, later or out of order. */
  deliver(job: JobRecord, send: () => void): void;
}

/** Time the queue needs. */
interface QueueClock {
  now(): number;
  /** At least one tick: a job is WAITING before it runs. */
  tick(signal: AbortSignal): Promise<void>;
}

interface Lane {
  running: boolean;
  readonly waiting: { readonly job: JobRecord; readonly start: () => void }[];
}

export class JobQueue {
  readonly #events: EventHub;
  readonly #clock: QueueClock;
  readonly #interference: JobInterference;
  readonly #lanes = new Map<string, Lane>();
  readonly #ends = new WeakMap<JobRecord, () => void>();
  #jobs = new Map<number, JobRecord>();
  #nextId = 1;
  #service = new AbortController();

  constructor(events: EventHub, clock: QueueClock, interference: JobInterference) {
    this.#events = events;
    this.#clock = clock;
    this.#interference = interference;
  }

  /** Queues a job and returns it, or the last waiting job of a full lock. */
  submit(request: JobRequest): JobRecord {
    const lane = request.lock === null ? undefined : this.#lane(request.lock);
    const last = lane?.waiting.at(-1);
    if (lane !== undefined && last !== undefined && lane.waiting.length >= MAX_WAITING) {
      last.job.messageIds = [...last.job.messageIds, ...request.messageIds];
      this.#emit("changed", last.job);
      return last.job;
    }
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const job: JobRecord = {
      id: this.#nextId++,
      method: request.method,
      description: request.description,
      args: request.args,
      messageIds: request.messageIds,
      abortable: request.abortable,
      credentials: request.credentials,
      state: "WAITING",
      percent: 0,
      progressText: "",
      result: null,
      error: null,
      exception: null,
      excInfo: null,
      failure: null,
      startedAt: this.#clock.now(),
      finishedAt: null,
      ended,
    };
    this.#jobs.set(job.id, job);
    this.#ends.set(job, end);
    this.#forgetOldest();
    this.#emit("added", job);
    const start = (): void => void this.#run(job, request, lane);
    if (lane === undefined || !lane.running) {
      if (lane !== undefined) lane.running = true;
      start();
    } else {
      lane.waiting.push({ job, start });
    }
    return job;
  }

  get(id: number): JobRecord | undefined {
    return this.#jobs.get(id);
  }

  /** All remembered jobs, oldest first. */
  list(): readonly JobRecord[] {
    return [...this.#jobs.values()];
  }

  /** Marks a job ABORTED; its work goes on in the background, as on the host. */
  abort(job: JobRecord): void {
    this.#finish(job, "ABORTED");
  }

  /** The service dies: running work stops where it is, all jobs are forgotten, ids start again at 1. */
  restart(): void {
    this.#service.abort();
    this.#service = new AbortController();
    this.#jobs = new Map();
    this.#lanes.clear();
    this.#nextId = 1;
  }

  async #run(job: JobRecord, request: JobRequest, lane: Lane | undefined): Promise<void> {
    const { signal } = this.#service;
    try {
      await this.#clock.tick(signal);
      if (job.state === "WAITING") {
        job.state = "RUNNING";
        this.#emit("changed", job);
      }
      const handle: JobHandle = {
        id: job.id,
        signal,
        progress: (percent, text) => this.#progress(job, percent, text, signal),
      };
      const result = await request.run(handle);
      if (signal.aborted) return;
      if (job.finishedAt === null) Object.assign(job, { result, percent: 100 });
      this.#finish(job, "SUCCESS");
    } catch (error) {
      if (signal.aborted) return;
      const reason = error instanceof RpcError ? error : createUnexpectedError("Exception", String(error));
      const failure = toJobFailure(reason);
      if (job.finishedAt === null) {
        job.failure = reason;
        job.error = failure.error;
        job.exception = failure.exception;
        job.excInfo = failure.excInfo;
      }
      this.#finish(job, "FAILED");
    }
    this.#next(lane);
  }

  #next(lane: Lane | undefined): void {
    if (lane === undefined) return;
    const next = lane.waiting.shift();
    if (next === undefined) lane.running = false;
    else next.start();
  }

  #progress(job: JobRecord, percent: number, text: string, signal: AbortSignal): void {
    signal.throwIfAborted();
    if (job.state === "ABORTED") return;
    job.percent = percent;
    job.progressText = text;
    this.#emit("changed", job);
    this.#interference.step(job, () => this.abort(job));
    signal.throwIfAborted();
  }

  #finish(job: JobRecord, state: JobState): void {
    if (job.finishedAt !== null) return;
    job.state = state;
    job.finishedAt = this.#clock.now();
    const times = this.#interference.terminalEvents(job);
    for (let sent = 0; sent < times; sent += 1) this.#emit("changed", job);
    this.#ends.get(job)?.();
  }

  #emit(msg: "added" | "changed", job: JobRecord): void {
    const view = viewJob(job);
    this.#interference.deliver(job, () => this.#events.emit(msg, "core.get_jobs", job.id, view));
  }

  #lane(lock: string): Lane {
    const known = this.#lanes.get(lock);
    if (known !== undefined) return known;
    const lane: Lane = { running: false, waiting: [] };
    this.#lanes.set(lock, lane);
    return lane;
  }

  #forgetOldest(): void {
    for (const [id, job] of this.#jobs) {
      if (this.#jobs.size <= KEPT_JOBS) return;
      if (job.finishedAt !== null) this.#jobs.delete(id);
    }
  }
}
