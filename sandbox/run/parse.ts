/**
 * Reads what a child says: nothing it sends is believed before a schema has passed it.
 *
 * Invariants:
 * 1. A header past the length its kind may have is refused before it is parsed.
 * 2. A list is counted before its items are looked at: a schema names every issue it finds, and a hostile list of half
 *    a million wrong items cost seconds.
 */
import { z } from "zod";
import type { Json } from "../../src/core/json/json.ts";
import { CHILD_HEADER } from "../limits.ts";
import type { ChildMessage } from "../protocol/child-messages.ts";
import {
  CHECKPOINT_ID,
  CHECKPOINTS_AT_ONCE,
  clamp,
  DETAILS,
  type OutOp,
  type ParentOp,
  QUERY_LIMITS,
  REQUEST_LIMITS,
  TEXT_LIMITS,
  WAIT_LIMITS,
} from "../protocol/ops.ts";

/** Most ms a timer takes; setTimeout's own limit. */
const TIMER_MS = 2 ** 31 - 1;
/** Most statuses a `waitForApp` expects. */
const STATUSES = 600;

const id = z.int().positive();
const url = z.string().max(REQUEST_LIMITS.url);
const headers = boundList(z.tuple([z.string(), z.string()]), REQUEST_LIMITS.headers);
const details = boundList(z.object({ label: boundText("label"), value: boundText("value") }), DETAILS);
const checkpointId = z.string().min(1).max(CHECKPOINT_ID);
const checkpointText = boundText("checkpoint");
const attempts = z.number().transform((count) => Math.floor(clamp(count, WAIT_LIMITS.attempts)));
const timeoutMs = z.number().transform((ms) => clamp(ms, WAIT_LIMITS.timeoutMs));
const delayMs = z.number().transform((ms) => clamp(ms, WAIT_LIMITS.delayMs));
const waitMs = z
  .number()
  .min(0)
  .transform((ms) => Math.min(ms, TIMER_MS));

const childMessage: z.ZodType<ChildMessage> = z.discriminatedUnion("t", [
  z.object({ t: z.literal("ready"), webAssembly: z.boolean(), permission: z.boolean(), isolatedVm: z.string() }),
  z.object({ t: z.literal("out"), header: z.string() }),
  z.object({ t: z.literal("ask"), header: z.string() }),
  z.object({
    t: z.literal("delivered"),
    error: z.object({ kind: z.enum(["timeout", "memory", "rejection"]), message: z.string() }).exactOptional(),
  }),
]);

const contextCall = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("registerCheckpoints"),
    checkpoints: boundList(z.object({ id: checkpointId, message: checkpointText }), CHECKPOINTS_AT_ONCE),
  }),
  z.object({
    kind: z.literal("emitCheckpoint"),
    id: checkpointId,
    message: checkpointText.exactOptional(),
    progress: z.number().exactOptional(),
  }),
  z.object({ kind: z.literal("updateCheckpointMessage"), id: checkpointId, message: checkpointText }),
  z.object({ kind: z.literal("skipCheckpoint"), id: checkpointId, message: checkpointText.exactOptional() }),
  z.object({ kind: z.literal("setProgress"), percent: z.number() }),
  z.object({
    kind: z.literal("awaitCheckpointRetry"),
    id: checkpointId,
    error: boundText("message"),
    context: details,
  }),
  z.object({ kind: z.literal("getInstalledAppUrl"), appId: z.string() }),
]);

const guestOutcome = z.discriminatedUnion("status", [
  // what JSON.parse has made is JSON; a schema would descend into it as deep as the sender likes
  z.object({ status: z.literal("completed"), result: z.custom<Json>((value) => value !== undefined) }),
  z.object({
    status: z.literal("failed"),
    reason: z.enum(["script_error", "policy_denied", "quota_result"]),
    message: boundText("message"),
    context: details,
    stack: boundText("stack").exactOptional(),
  }),
]);

const outOp: z.ZodType<OutOp> = z.discriminatedUnion("op", [
  z.object({
    op: z.literal("fetch"),
    id,
    method: z.string(),
    url,
    headers,
    redirect: z.enum(["follow", "manual", "error"]),
    hasBody: z.boolean(),
  }),
  z.object({ op: z.literal("fetch.abort"), id }),
  z.object({ op: z.literal("timer"), id, ms: waitMs }),
  z.object({ op: z.literal("timer.clear"), id }),
  z.object({
    op: z.literal("waitForApp"),
    id,
    url,
    method: z.string(),
    headers,
    attempts,
    timeoutMs,
    expectedStatus: boundList(z.number(), STATUSES).exactOptional(),
    initialDelayMs: delayMs,
    maxDelayMs: delayMs,
  }),
  z.object({ op: z.literal("context"), id, call: contextCall }),
  z.object({ op: z.literal("log"), line: boundText("logLine") }),
  z.object({ op: z.literal("done"), outcome: guestOutcome }),
]);

const sqliteValue = z.union([z.string(), z.number(), z.null(), z.object({ bytes: z.string() })]);

const namedParams = z
  .custom<object>((value) => isRecord(value) && Object.keys(value).length <= QUERY_LIMITS.params)
  .pipe(z.record(z.string(), sqliteValue));

const parentOp: z.ZodType<ParentOp> = z.discriminatedUnion("op", [
  z.object({ op: z.literal("random"), bytes: z.int().min(1).max(65_536) }),
  z.object({ op: z.literal("fs.read"), path: z.string(), encoding: z.literal("utf8").exactOptional() }),
  z.object({ op: z.literal("fs.list"), path: z.string() }),
  z.object({ op: z.literal("fs.stat"), path: z.string() }),
  z.object({ op: z.literal("sqlite.open"), path: z.string() }),
  z.object({
    op: z.literal("sqlite.query"),
    db: z.int(),
    sql: z.string().max(QUERY_LIMITS.sql),
    params: z.union([boundList(sqliteValue, QUERY_LIMITS.params), namedParams]),
    limit: z.number().exactOptional(),
  }),
  z.object({ op: z.literal("sqlite.close"), db: z.int() }),
]);

/** A message of the child; null for what no honest child sends. */
export const parseChildMessage = createParser(childMessage);
/** The operation of an `out`; null for what no honest guest sends. */
export const parseOutOp = createParser(outOp);
/** The question of an `ask`; null for what no honest guest sends. */
export const parseParentOp = createParser(parentOp);

/** A list of at most so many items; a longer one is refused unseen. */
function boundList<T extends z.ZodType>(item: T, most: number) {
  return z.custom<z.input<T>[]>((value) => Array.isArray(value) && value.length <= most).pipe(z.array(item));
}

function boundText(kind: keyof typeof TEXT_LIMITS) {
  return z.string().max(TEXT_LIMITS[kind].sent);
}

function isRecord(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a header is longer than its kind may be; only that of a script's result is that long. */
export function isTooLong(header: string): boolean {
  return header.length > CHILD_HEADER && !header.startsWith(DONE);
}

/** How the child begins the message that brings the result. */
const DONE = JSON.stringify({ t: "out", header: '{"op":"done"' }).slice(0, -2);

function createParser<T>(schema: z.ZodType<T>): (text: string) => T | null {
  return (text) => {
    try {
      const parsed = schema.safeParse(JSON.parse(text));
      return parsed.success ? parsed.data : null;
    } catch {
      return null;
    }
  };
}
