/**
 * The host's jobs. Events are hints: they may be missing, doubled or out of order, so every wait is also a poll, and a
 * job is recognised by the request id that started it (docs/host-api.md, section 3).
 */
import { z } from "zod";
import type { Json } from "../../core/json/json.ts";
import { HostError } from "../../engine/host-error.ts";
import type { Clock } from "../../engine/ports/environment.ts";
import type { Host } from "../../engine/ports/host.ts";
import type { HostJob, JobRef } from "../../engine/ports/host-records.ts";
import { createFault, readJobFault } from "./faults.ts";
import type { HostMethod } from "./host-calls.ts";
import { buildJobParams, JOB_METHODS } from "./job-params.ts";
import type { Session } from "./session.ts";
import { WireJob } from "./wire.ts";

/** The host may finish a job's row while clocks differ by the JSON's precision. */
const SAME_START_MS = 1;

/** A job by the host's method; `called` is the name people read. */
type Ref = Omit<JobRef, "method"> & { readonly called: string; readonly method: HostMethod };

/** Runs a job that may be repeated, and resolves with its result; rejects with a `HostError` if it fails. */
export type RunJob = (method: HostMethod, params: readonly Json[], signal: AbortSignal) => Promise<unknown>;

interface Jobs {
  /** The part of the port that deals with jobs. */
  readonly port: Pick<Host, "startJob" | "findJob" | "waitJob">;
  readonly runJob: RunJob;
}

/** Creates what deals with jobs. */
export function createJobs(
  session: Session,
  clock: Clock,
  { pollMs, newId }: { readonly pollMs: number; readonly newId: () => string },
  mask: (text: string) => string,
): Jobs {
  async function query(filter: readonly Json[]): Promise<WireJob[]> {
    return await session.call("core.get_jobs", [[filter]], z.array(WireJob));
  }

  async function find(ref: Ref): Promise<WireJob | null> {
    const named = await query(["message_ids", "rin", ref.requestId]);
    const own = named.find((job) => isStartedBy(job, ref));
    if (own !== undefined || ref.id === undefined) return own ?? null;
    return (await query(["id", "=", ref.id])).find((job) => isSameJob(job, ref)) ?? null;
  }

  async function start({ called, method, requestId }: Ref, params: readonly Json[]): Promise<WireJob> {
    const id = await session.call(method, params, z.int(), { requestId });
    const [job] = await query(["id", "=", id]).catch((error: unknown) => {
      throw createUnsureError(called, error);
    });
    if (job === undefined) throw createUnsureError(called);
    // A full lock queue answers with the job of another call: ours was dropped.
    if (job.message_ids[0] === requestId) return job;
    const words = `"${called}" was dropped: too many jobs wait before it`;
    throw new HostError(createFault("HOST_JOB_DROPPED", words, true), "no");
  }

  async function wait(
    ref: Ref,
    signal: AbortSignal,
    progress: (job: WireJob, percent: number) => void,
  ): Promise<WireJob | null> {
    let heard: WireJob | null = null;
    let percent = -1;
    let wake = () => {};
    const offJob = session.onJob((job) => {
      if (!isStartedBy(job, ref) && !isSameJob(job, ref)) return;
      heard = chooseLater(heard, job);
      wake();
    });
    const offLoss = session.onLoss(() => wake());
    const cancelled = Promise.withResolvers<never>();
    cancelled.promise.catch(() => {});
    const abort = () => cancelled.reject(waitCancelled(ref));
    signal.addEventListener("abort", abort);
    if (signal.aborted) abort();
    try {
      for (;;) {
        const asked = heard ?? find(ref).catch(passUnlessLasting);
        // Before the answer comes: what is heard while the host is asked is newer than what it answers.
        heard = null;
        const known: WireJob | null | "unasked" = await Promise.race([cancelled.promise, asked]);
        if (known === null) return null;
        if (known !== "unasked") {
          // Late events of earlier steps never take the progress back.
          const isFurther = readPercent(known) > percent;
          percent = Math.max(percent, readPercent(known));
          if (isFurther || isFinal(known)) progress(known, percent);
          if (isFinal(known)) return known;
        }
        if (heard !== null) continue;
        const { promise, resolve } = Promise.withResolvers<void>();
        wake = resolve;
        const cancel = clock.after(pollMs, resolve);
        await Promise.race([cancelled.promise, promise]).finally(cancel);
      }
    } finally {
      offJob();
      offLoss();
      signal.removeEventListener("abort", abort);
    }
  }

  return {
    port: {
      async startJob(call, requestId) {
        const job = await start(toRef({ requestId, method: call.method }), buildJobParams(call));
        return toHostJob(call.method, job, mask);
      },
      async findJob(ref) {
        const job = await find(toRef(ref));
        return job === null ? null : toHostJob(ref.method, job, mask);
      },
      async waitJob(ref, { signal, progress }) {
        const show = (job: WireJob, percent: number) => progress({ ...toHostJob(ref.method, job, mask), percent });
        const job = await wait(toRef(ref), signal, show);
        return job === null ? null : toHostJob(ref.method, job, mask);
      },
    },
    async runJob(method, params, signal) {
      const ref = { requestId: newId(), called: method, method };
      const { id, time_started } = await start(ref, params);
      const started = { ...ref, id, ...(time_started != null && { startedAt: time_started }) };
      const job = await wait(started, signal, () => {});
      if (job === null) {
        const words = `the host no longer knows the job "${method}"`;
        throw new HostError(createFault("HOST_JOB_DROPPED", words, true), "unknown");
      }
      if (job.state !== "SUCCESS") throw new HostError(readJobFault(job, mask), "yes");
      return job.result;
    },
  };
}

function toRef(ref: JobRef): Ref {
  return { ...ref, called: ref.method, method: JOB_METHODS[ref.method] };
}

/** A question that could not be asked now is asked again later; any other fault ends the wait. */
function passUnlessLasting(error: unknown): "unasked" {
  if (error instanceof HostError && error.fault.retryable) return "unasked";
  throw error;
}

function isStartedBy(job: WireJob, ref: Ref): boolean {
  return job.message_ids[0] === ref.requestId && job.method === ref.method;
}

/** Ids start again at 1 with the host's service: only with its method and start time does an id name a job. */
function isSameJob(job: WireJob, ref: Ref): boolean {
  if (ref.startedAt === undefined || job.time_started == null) return false;
  const sameStart = Math.abs(job.time_started - ref.startedAt) <= SAME_START_MS;
  return job.id === ref.id && job.method === ref.method && sameStart;
}

/** Which of two events of one job tells more, whatever the order they came in. */
function chooseLater(a: WireJob | null, b: WireJob): WireJob {
  if (a === null || isFinal(b)) return b;
  return isFinal(a) || (a.progress?.percent ?? 0) > (b.progress?.percent ?? 0) ? a : b;
}

function isFinal(job: { readonly state: string }): boolean {
  return job.state === "SUCCESS" || job.state === "FAILED" || job.state === "ABORTED";
}

const STATES: Readonly<Record<string, HostJob["state"]>> = {
  WAITING: "WAITING",
  SUCCESS: "SUCCESS",
  FAILED: "FAILED",
  ABORTED: "ABORTED",
};

/** A job object as the port shows it; a state unknown here is one that goes on. */
function toHostJob(method: HostJob["method"], job: WireJob, mask: (text: string) => string): HostJob {
  const state = STATES[job.state] ?? "RUNNING";
  return {
    id: job.id,
    method,
    state,
    percent: readPercent(job),
    description: mask(job.progress?.description ?? ""),
    ...(job.time_started != null && { startedAt: job.time_started }),
    ...((state === "FAILED" || state === "ABORTED") && { error: readJobFault(job, mask) }),
  };
}

function readPercent({ state, progress }: WireJob): number {
  return state === "SUCCESS" ? 100 : Math.min(100, Math.max(0, progress?.percent ?? 0));
}

/** The host has accepted the job, but it could not be looked at. */
function createUnsureError(called: string, cause?: unknown): HostError {
  const words = `the job of "${called}" could not be looked at after it was accepted`;
  return new HostError(createFault("HOST_ANSWER_LOST", words, true), "unknown", cause);
}

function waitCancelled(ref: Ref): HostError {
  return new HostError(
    createFault("HOST_CLOSED", `the wait for the job of "${ref.called}" was cancelled`, false),
    "unknown",
  );
}
