import type { Json, JsonObject } from "../../core/json/json.ts";
import type { RpcError } from "../rpc/rpc-error.ts";

/** States of a job (docs/host-api.md, section 3). */
export type JobState = "WAITING" | "RUNNING" | "SUCCESS" | "FAILED" | "ABORTED";

/** A job as the host remembers it: in memory only. */
export interface JobRecord {
  readonly id: number;
  readonly method: string;
  readonly description: string;
  /** As received, secrets replaced. */
  readonly args: readonly Json[];
  /** Request ids: the one that started it first, then those of calls dropped in its favour. */
  messageIds: readonly string[];
  readonly abortable: boolean;
  /** Null for the helper jobs the host starts itself. */
  readonly credentials: JsonObject | null;
  state: JobState;
  percent: number;
  progressText: string;
  result: Json;
  error: string | null;
  exception: string | null;
  excInfo: JsonObject | null;
  /** Why it failed, as a connection without `legacy_jobs` gets it. */
  failure: RpcError | null;
  /** UTC ms. */
  startedAt: number;
  finishedAt: number | null;
  /** Resolves when the job has ended; never when the service restarts first. */
  readonly ended: Promise<void>;
}

/** A running job, as its own work sees it. */
export interface JobHandle {
  readonly id: number;
  /** Aborts when the service restarts: the work stops where it is, nothing is cleaned up. */
  readonly signal: AbortSignal;
  /** Tells the next step; faults strike here. */
  progress(percent: number, description: string): void;
}

/** The complete job object of `core.get_jobs` and of every job event. */
export function viewJob(job: JobRecord): JsonObject {
  return {
    id: job.id,
    message_ids: job.messageIds,
    method: job.method,
    arguments: job.args,
    transient: false,
    description: job.description || null,
    abortable: job.abortable,
    logs_path: null,
    logs_excerpt: null,
    progress: { percent: job.percent, description: job.progressText, extra: null },
    result: job.result,
    result_encoding_error: null,
    error: job.error,
    exception: job.exception,
    exc_info: job.excInfo,
    state: job.state,
    time_started: { $date: job.startedAt },
    time_finished: job.finishedAt === null ? null : { $date: job.finishedAt },
    credentials: job.credentials,
  };
}

/** Shown by the host in place of a secret. */
export const MASK = "********";

/** Arguments as a job shows them: an app's `values` are always masked. */
export function maskArguments(params: readonly unknown[]): Json[] {
  return params.map((param) => maskValue(param));
}

const SECRET_KEYS = new Set([
  "values",
  "custom_compose_config",
  "custom_compose_config_string",
  "api_key",
  "password",
  "token",
  "otp_token",
]);

function maskValue(value: unknown): Json {
  if (Array.isArray(value)) return value.map((one) => maskValue(one));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [key, SECRET_KEYS.has(key) ? MASK : maskValue(one)]),
    );
  }
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : null;
}
