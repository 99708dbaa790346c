import { isJsonObject } from "../core/json/json.ts";
import type { ArmedFault, Faults } from "./faults.ts";
import type { JobRecord } from "./jobs/job.ts";
import type { JobInterference } from "./jobs/queue.ts";
import { createUpFailure } from "./rpc/rpc-error.ts";

/** Effects of the job faults on the rest of the stand-in. */
interface FaultEffects {
  /** Cuts every connection. */
  dropSockets(): void;
  restartService(): void;
}

/** Percent at which a job is past every step. */
const END = 100;

/** Lets the armed job and event faults strike the queue; without any, every second job's terminal event comes twice. */
export function createInterference(faults: Faults, effects: FaultEffects): JobInterference {
  return new ArmedInterference(faults, effects);
}

class ArmedInterference implements JobInterference {
  readonly #faults: Faults;
  readonly #effects: FaultEffects;
  /** Events of a job that wait for its end. */
  readonly #held = new WeakMap<JobRecord, (() => void)[]>();
  readonly #duplicated = new WeakSet<JobRecord>();
  /** A job fails once: its clean-up steps are no further occasions. */
  readonly #failed = new WeakSet<JobRecord>();

  constructor(faults: Faults, effects: FaultEffects) {
    this.#faults = faults;
    this.#effects = effects;
  }

  step(job: JobRecord, abort: () => void): void {
    if (this.#strikes("drop-mid-job", job)) this.#effects.dropSockets();
    if (this.#strikes("job-aborted", job)) abort();
    if (this.#strikes("service-restart", job)) this.#effects.restartService();
    if (job.percent === END || this.#failed.has(job)) return;
    const limited = this.#strikes("job-rate-limit", job);
    if (!limited && !this.#strikes("job-call-error", job)) return;
    this.#failed.add(job);
    throw createEngineFault(job, limited ? RATE_LIMIT : "");
  }

  terminalEvents(job: JobRecord): number {
    if (this.#strikes("last-event-lost", job)) return 0;
    return job.id % 2 === 0 ? 2 : 1;
  }

  deliver(job: JobRecord, send: () => void): void {
    if (job.state === "WAITING") {
      if (this.#faults.take("events-duplicated", { method: job.method })) this.#duplicated.add(job);
      if (this.#faults.take("events-reordered", { method: job.method })) this.#held.set(job, []);
    }
    const waiting = this.#held.get(job);
    if (waiting === undefined) {
      send();
      if (this.#duplicated.has(job)) send();
    } else if (waiting.length === 0 && job.finishedAt === null) {
      waiting.push(send);
    } else {
      send();
      for (const late of waiting.splice(0)) late();
    }
  }

  #strikes(name: ArmedFault["name"], job: JobRecord): boolean {
    return this.#faults.take(name, { method: job.method, percent: job.percent }) !== undefined;
  }
}

const RATE_LIMIT =
  " It appears that you have reached the pull rate limit of the registry. You may increase the limit by authenticating.";

function createEngineFault(job: JobRecord, more: string): Error {
  const [first] = job.args;
  const app = isJsonObject(first) ? String(first["app_name"] ?? "") : String(first ?? "");
  return createUpFailure(app, more);
}
