import type { Code } from "../../core/codes/code.ts";
import { HostError } from "../host-error.ts";
import type { Host } from "../ports/host.ts";
import type { HostFault, HostJob, JobCall } from "../ports/host-records.ts";

type JobMethod = JobCall["method"];
type Calls = { readonly [Method in JobMethod]: Extract<JobCall, { readonly method: Method }> };
type Report = (percent: number) => void;

/**
 * What each kind of job does; it rejects with a `HostError` when it can't. `report`: 0-100. A job of a kind that is absent
 * fails with `HOST_CAPABILITY_MISSING`.
 */
export type JobWork = { readonly [Method in JobMethod]?: (call: Calls[Method], report: Report) => Promise<void> };

type Started = { shown: HostJob; readonly ended: Promise<HostJob>; readonly watchers: Set<(job: HostJob) => void> };

/** Ended jobs that are remembered. */
const REMEMBERED = 1_000;

/**
 * The jobs of a host whose work is done in this process. It remembers the last 1,000 that have ended. If the process ends,
 * all are forgotten: the engine then finds out from the app what became of them.
 */
export function createHostJobs(work: JobWork): Pick<Host, "startJob" | "findJob" | "waitJob"> {
  const jobs = new Map<string, Started>();
  const ended: string[] = [];
  let lastId = 0;

  function show(job: Started, change: Partial<HostJob>): HostJob {
    job.shown = { ...job.shown, ...change };
    for (const watch of job.watchers) watch(job.shown);
    return job.shown;
  }

  function end(requestId: string, shown: HostJob, resolve: (job: HostJob) => void): void {
    resolve(shown);
    if (ended.push(requestId) > REMEMBERED) jobs.delete(ended.shift() ?? "");
  }

  return {
    async startJob(call, requestId) {
      const begun = { id: ++lastId, method: call.method, startedAt: Date.now() };
      const shown: HostJob = { ...begun, state: "RUNNING", percent: 0, description: "" };
      const { promise, resolve } = Promise.withResolvers<HostJob>();
      const job: Started = { shown, ended: promise, watchers: new Set() };
      jobs.set(requestId, job);
      const report = (percent: number) => show(job, { percent: Math.max(job.shown.percent, percent) });
      void doWork(work, call.method, call, report).then(
        () => end(requestId, show(job, { state: "SUCCESS", percent: 100 }), resolve),
        (error: unknown) => end(requestId, show(job, { state: "FAILED", error: toFault(error) }), resolve),
      );
      return shown;
    },
    async findJob(ref) {
      const named = jobs.get(ref.requestId)?.shown;
      if (named?.method === ref.method) return named;
      const isSame = ({ id, method, startedAt }: HostJob) =>
        id === ref.id && method === ref.method && startedAt === ref.startedAt;
      return [...jobs.values()].find(({ shown }) => isSame(shown))?.shown ?? null;
    },
    async waitJob(ref, { signal, progress }) {
      const job = jobs.get(ref.requestId);
      if (job === undefined) return null;
      const cancelled = Promise.withResolvers<never>();
      const cancel = () => cancelled.reject(createError("HOST_CLOSED", "the wait for the job was cancelled"));
      signal.addEventListener("abort", cancel);
      job.watchers.add(progress);
      try {
        if (signal.aborted) cancel();
        progress(job.shown);
        return await Promise.race([cancelled.promise, job.ended]);
      } finally {
        job.watchers.delete(progress);
        signal.removeEventListener("abort", cancel);
      }
    },
  };
}

async function doWork<Method extends JobMethod>(
  work: JobWork,
  method: Method,
  call: Calls[Method],
  report: Report,
): Promise<void> {
  if (work[method] === undefined) throw createError("HOST_CAPABILITY_MISSING", `this host does no job "${method}"`);
  await work[method](call, report);
}

/** What is no `HostError` is a bug of the work, and fails its job. */
function toFault(error: unknown): HostFault {
  if (error instanceof HostError) return error.fault;
  const reason = error instanceof Error ? error.message : String(error);
  return createError("HOST_CALL_FAILED", reason).fault;
}

function createError(code: Code, reason: string): HostError {
  return new HostError({ code, reason, fields: [], retryable: false }, "unknown");
}
