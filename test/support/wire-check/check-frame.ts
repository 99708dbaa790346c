/**
 * Holds every frame of a stand-in's socket against what the release it plays accepts and returns.
 *
 * 1. A request of any client but a bare one fits the release's model; the release has the method.
 * 2. What the real host refuses, the stand-in does not answer with a result; what the release has not is "unknown".
 * 3. Results, errors and events have the real shapes; the result of a job is that of its method.
 */
import { z } from "zod";
import { isJsonObject, type Json, type JsonObject } from "../../../src/core/json/json.ts";
import type { StandinFrame } from "../../../src/standin/rpc/frames.ts";
import { checkParams, checkResult, checkRow, type Finding } from "./check-values.ts";
import { findSchemaRelease, hasMethod, type SchemaRelease } from "./host-schemas.ts";

/** The `user-agent` of a client that may send what no honest one sends. */
export const BARE_CLIENT = "bare test client";

/** What was checked: how often, by `release`, `kind` and method. */
export type Counts = Map<string, number>;

const ErrorAnswer = z.union([
  z.strictObject({
    code: z.union([z.literal(-32602), z.literal(-32001)]),
    message: z.string(),
    data: z.strictObject({
      error: z.int(),
      errname: z.string(),
      reason: z.string(),
      trace: z.looseObject({ class: z.string() }),
      extra: z.array(z.tuple([z.string().nullable(), z.string(), z.int()])).nullable(),
    }),
  }),
  z.strictObject({ code: z.literal([-32700, -32600, -32601, -32000]), message: z.string() }),
]);

/** Checks a frame, counts it, and returns what is wrong as sentences. */
export function checkFrame(frame: StandinFrame, counts: Counts): readonly string[] {
  const { request, sent } = frame;
  const spoken = findSchemaRelease(frame.version);
  if (sent === null) return request === null ? [] : checkRequest(frame, spoken, request, counts);
  if (sent["method"] !== undefined) return checkEvent(findHostRelease(frame), sent, counts);
  if (request === null) return checkError(spoken, "?", sent["error"], counts);
  const { method, params } = request;
  const unknown = isJsonObject(sent["error"]) && sent["error"]["code"] === -32601;
  const early = isJsonObject(sent["error"]) && sent["error"]["code"] === -32000;
  if (!hasMethod(spoken, method) && !unknown && !early)
    return [`${spoken} ${method}: the release does not have it, the stand-in answers ${JSON.stringify(sent)}`];
  if (sent["error"] !== undefined) return checkError(spoken, method, sent["error"], counts);
  const accepted = checkParams(spoken, method, params);
  const result = sent["result"] ?? null;
  const refusedByHost = isJobId(result, method) ? [] : (accepted ?? []);
  const findings = checkResult(spoken, method, params, result);
  count(counts, spoken, findings === undefined ? "answers without a model" : "answers", method);
  return [
    ...refusedByHost.map((found) => describe(spoken, method, "parameter the stand-in took", found)),
    ...(findings ?? []).map((found) => describe(spoken, method, "result", found)),
    ...(method === "core.get_jobs" ? checkJobs(findHostRelease(frame), result) : []),
  ];
}

function checkRequest(
  { agent }: StandinFrame,
  release: SchemaRelease,
  { method, params }: NonNullable<StandinFrame["request"]>,
  counts: Counts,
): readonly string[] {
  if (agent === BARE_CLIENT) return [];
  if (!hasMethod(release, method)) return [`${release} ${method}: called, and the release does not have it`];
  const findings = checkParams(release, method, params);
  count(counts, release, findings === undefined ? "requests without a model" : "requests", method);
  return (findings ?? []).map((found) => describe(release, method, "parameter", found));
}

function checkError(
  release: SchemaRelease,
  method: string,
  error: Json | undefined,
  counts: Counts,
): readonly string[] {
  const checked = ErrorAnswer.safeParse(error);
  count(counts, release, "errors", method);
  if (checked.success) return [];
  return [`${release} ${method}: error ${z.prettifyError(checked.error)}: ${JSON.stringify(error)}`];
}

/** Events have the shapes of the host's own release, whatever version the session speaks. */
function checkEvent(release: SchemaRelease, sent: JsonObject, counts: Counts): readonly string[] {
  const params = isJsonObject(sent["params"]) ? sent["params"] : {};
  const { collection, fields, msg } = params;
  const name = `${collection}`;
  if (sent["method"] !== "collection_update" || msg === "removed") {
    count(counts, release, "events", name);
    const known = sent["method"] === "notify_unsubscribed" || (msg === "removed" && fields === undefined);
    return known ? [] : [`${release} ${name}: unknown event ${JSON.stringify(sent)}`];
  }
  const findings = checkRow(release, name, fields ?? null);
  count(counts, release, findings === undefined ? "events without a model" : "events", name);
  const wrong = (findings ?? []).map((found) => describe(release, name, "event", found));
  return name === "core.get_jobs" ? [...wrong, ...checkJobs(release, [fields ?? null])] : wrong;
}

/** A job that has succeeded holds the result of its method. */
function checkJobs(release: SchemaRelease, jobs: Json): readonly string[] {
  if (!Array.isArray(jobs)) return [];
  return jobs.flatMap((job: Json) => {
    if (!isJsonObject(job) || job["state"] !== "SUCCESS" || typeof job["method"] !== "string") return [];
    const findings = checkResult(release, job["method"], [], job["result"] ?? null) ?? [];
    return findings.map((found) => describe(release, `${job["method"]}`, "result of the job", found));
  });
}

function isJobId(result: Json, method: string): boolean {
  return typeof result === "number" && /^app\.|^filesystem\.|^service\./.test(method);
}

function findHostRelease({ generation }: StandinFrame): SchemaRelease {
  return findSchemaRelease(`v${generation}.`);
}

function count(counts: Counts, release: SchemaRelease, kind: string, method: string): void {
  const key = JSON.stringify([release, kind, method]);
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function describe(release: SchemaRelease, method: string, what: string, { path, problem, value }: Finding): string {
  return `${release} ${method}: ${what} ${path || "/"} ${problem}: ${JSON.stringify(value)?.slice(0, 300)}`;
}
