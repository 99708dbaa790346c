/**
 * The host's jobs. Events are hints: they may be missing, doubled or out of order, so every wait is also a poll, and a
 * job is recognised by the request id that started it (docs/host-api.md, section 3).
 */
import { z } from "zod";
import type { Json } from "../../core/json/json.ts";
import { HostError } from "../../engine/host-error.ts";
import type { Clock } from "../../engine/ports/environment.ts";
import type { Host } from "../../engine/ports/host.ts";
import type { HostJob, JobCall, JobRef } from "../../engine/ports/host-records.ts";
import { createFault, readJobFault } from "./faults.ts";
import { buildJobParams, JOB_METHODS } from "./job-params.ts";
import type { Session } from "./session.ts";
import { WireJob } from "./wire.ts";

/** The host may finish a job's row while clocks differ by the JSON's precision. */
const SAME_START_MS = 1;

/** ms: the host itself waits for a service this long. */
const SERVICE_START_MS = 120_000;

/** The part of the port that deals with jobs. */
export function createJobs(
  session: Session,
  clock: Clock,
  timing: { readonly pollMs: number },
  mask: (text: string) => string,
): Pick<Host, "startJob" | "findJob" | "waitJob"> {
  /** Direct calls that have ended, by request id. */
  const direct = new Map<string, HostJob>();

  async function query(filter: readonly Json[]): Promise<WireJob[]> {
    return await session.call("core.get_jobs", [[filter]], z.array(WireJob));
  }

  async function find(ref: JobRef): Promise<WireJob | null> {
    const named = await query(["message_ids", "rin", ref.requestId]);
    const own = named.find((job) => isStartedBy(job, ref));
    if (own !== undefined || ref.id === undefined) return own ?? null;
    return (await query(["id", "=", ref.id])).find((job) => isSameJob(job, ref)) ?? null;
  }

  /** 25.04 has no job that starts a service: a direct call, kept as the job it is elsewhere. */
  async function startShares2504(requestId: string): Promise<HostJob> {
    const options = { as: "service.start", requestId, timeoutMs: SERVICE_START_MS };
    const startedAt = clock.now();
    const started = await session.call("service.control", ["cifs"], z.boolean(), options);
    const fault = createFault("HOST_CALL_FAILED", "the service of the shares does not start", true);
    const job = { id: 0, method: "startShares", percent: 100, description: "", startedAt } as const;
    const ended: HostJob = started ? { ...job, state: "SUCCESS" } : { ...job, state: "FAILED", error: fault };
    direct.set(requestId, ended);
    return ended;
  }

  return {
    async startJob(call, requestId) {
      if (call.method === "startShares" && (await session.version()).release === "25.04")
        return startShares2504(requestId);
      const id = await session.call(JOB_METHODS[call.method], buildJobParams(call), z.int(), { requestId });
      const [job] = await query(["id", "=", id]).catch((error: unknown) => {
        throw createUnsureError(call, error);
      });
      if (job === undefined) throw createUnsureError(call);
      // A full lock queue answers with the job of another call: ours was dropped.
      if (job.message_ids[0] === requestId) return toHostJob(call.method, job, mask);
      const words = `"${call.method}" was dropped: too many jobs wait before it`;
      throw new HostError(createFault("HOST_JOB_DROPPED", words, true), "no");
    },

    async findJob(ref) {
      const ended = direct.get(ref.requestId);
      if (ended !== undefined) return ended;
      const job = await find(ref);
      return job === null ? null : toHostJob(ref.method, job, mask);
    },

    async waitJob(ref, { signal, progress }) {
      const ended = direct.get(ref.requestId);
      if (ended !== undefined) return ended;
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
            const job = toHostJob(ref.method, known, mask);
            // Late events of earlier steps never take the progress back.
            if (job.percent > percent || isFinal(job)) progress({ ...job, percent: Math.max(percent, job.percent) });
            percent = Math.max(percent, job.percent);
            if (isFinal(job)) return job;
          }
          if (heard !== null) continue;
          const { promise, resolve } = Promise.withResolvers<void>();
          wake = resolve;
          const cancel = clock.after(timing.pollMs, resolve);
          await Promise.race([cancelled.promise, promise]).finally(cancel);
        }
      } finally {
        offJob();
        offLoss();
        signal.removeEventListener("abort", abort);
      }
    },
  };
}

/** A question that could not be asked now is asked again later; any other fault ends the wait. */
function passUnlessLasting(error: unknown): "unasked" {
  if (error instanceof HostError && error.fault.retryable) return "unasked";
  throw error;
}

function isStartedBy(job: WireJob, ref: JobRef): boolean {
  return job.message_ids[0] === ref.requestId && job.method === JOB_METHODS[ref.method];
}

/** Ids start again at 1 with the host's service: only with its method and start time does an id name a job. */
function isSameJob(job: WireJob, ref: JobRef): boolean {
  if (ref.startedAt === undefined || job.time_started == null) return false;
  const sameStart = Math.abs(job.time_started - ref.startedAt) <= SAME_START_MS;
  return job.id === ref.id && job.method === JOB_METHODS[ref.method] && sameStart;
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
  const percent = state === "SUCCESS" ? 100 : (job.progress?.percent ?? 0);
  return {
    id: job.id,
    method,
    state,
    percent: Math.min(100, Math.max(0, percent)),
    description: mask(job.progress?.description ?? ""),
    ...(job.time_started != null && { startedAt: job.time_started }),
    ...((state === "FAILED" || state === "ABORTED") && { error: readJobFault(job, mask) }),
  };
}

/** The host has accepted the job, but it could not be looked at. */
function createUnsureError(call: JobCall, cause?: unknown): HostError {
  const words = `the job of "${call.method}" could not be looked at after it was accepted`;
  return new HostError(createFault("HOST_ANSWER_LOST", words, true), "unknown", cause);
}

function waitCancelled(ref: JobRef): HostError {
  return new HostError(
    createFault("HOST_CLOSED", `the wait for the job of "${ref.method}" was cancelled`, false),
    "unknown",
  );
}
