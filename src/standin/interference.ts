import { isJsonObject } from "../core/json/json.ts";
import type { ArmedFault, Faults } from "./faults.ts";
import type { JobRecord } from "./jobs/job.ts";
import type { JobInterference } from "./jobs/queue.ts";
import { createUpFailure } from "./rpc/rpc-error.ts";

/** What the job faults do to the rest of the stand-in. */
interface FaultEffects {
  /** Cuts every connection. */
  dropSockets(): void;
  restartService(): void;
}

/** Percent at which a job is past every step. */
const END = 100;

/** Lets the armed job and event faults strike the queue; without any, every second job's terminal event comes twice. */
export function createInterference(faults: Faults, effects: FaultEffects): JobInterference {
  const held = new WeakMap<JobRecord, (() => void)[]>();
  const duplicated = new WeakSet<JobRecord>();
  // A job fails once: its clean-up steps are no further occasions.
  const failed = new WeakSet<JobRecord>();
  const strikesJob = (name: ArmedFault["name"], job: JobRecord): boolean =>
    faults.take(name, { method: job.method, percent: job.percent }) !== undefined;
  return {
    step: (job, abort) => {
      if (strikesJob("drop-mid-job", job)) effects.dropSockets();
      if (strikesJob("job-aborted", job)) abort();
      if (strikesJob("service-restart", job)) effects.restartService();
      if (job.percent === END || failed.has(job)) return;
      const limited = strikesJob("job-rate-limit", job);
      if (!limited && !strikesJob("job-call-error", job)) return;
      failed.add(job);
      throw createEngineFault(job, limited ? RATE_LIMIT : "");
    },
    terminalEvents: (job) => {
      if (strikesJob("last-event-lost", job)) return 0;
      return job.id % 2 === 0 ? 2 : 1;
    },
    deliver: (job, send) => {
      if (job.state === "WAITING") {
        if (faults.take("events-duplicated", { method: job.method })) duplicated.add(job);
        if (faults.take("events-reordered", { method: job.method })) held.set(job, []);
      }
      const waiting = held.get(job);
      if (waiting === undefined) {
        send();
        if (duplicated.has(job)) send();
      } else if (waiting.length === 0 && job.finishedAt === null) {
        waiting.push(send);
      } else {
        send();
        for (const late of waiting.splice(0)) late();
      }
    },
  };
}

const RATE_LIMIT =
  " It appears that you have reached the pull rate limit of the registry. You may increase the limit by authenticating.";

function createEngineFault(job: JobRecord, more: string): Error {
  const [first] = job.args;
  const app = isJsonObject(first) ? String(first["app_name"] ?? "") : String(first ?? "");
  return createUpFailure(app, more);
}
