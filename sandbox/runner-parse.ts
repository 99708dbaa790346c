/** Reads what a child says: nothing it sends is believed before a schema has passed it. */
import { z } from "zod";
import type { Json } from "../src/core/json.ts";
import type { ChildMessage } from "./child-messages.ts";
import type { OutOp, ParentOp } from "./ops.ts";

/** Most ms a timer takes; setTimeout's own limit. */
const TIMER_MS = 2 ** 31 - 1;

const id = z.int().positive();
const headers = z.array(z.tuple([z.string(), z.string()]));
const details = z.array(z.object({ label: z.string(), value: z.string() }));
const waitMs = z
  .number()
  .min(0)
  .transform((ms) => Math.min(ms, TIMER_MS));

const childMessage: z.ZodType<ChildMessage> = z.discriminatedUnion("t", [
  z.object({ t: z.literal("ready"), webAssembly: z.boolean(), permission: z.boolean(), isolatedVm: z.string() }),
  z.object({ t: z.literal("out"), header: z.string() }),
  z.object({ t: z.literal("ask"), header: z.string() }),
  z.object({
    t: z.literal("turned"),
    fault: z.object({ kind: z.enum(["timeout", "memory", "rejection"]), message: z.string() }).exactOptional(),
  }),
]);

const contextCall = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("registerCheckpoints"),
    checkpoints: z.array(z.object({ id: z.string(), message: z.string() })),
  }),
  z.object({
    kind: z.literal("emitCheckpoint"),
    id: z.string(),
    message: z.string().exactOptional(),
    progress: z.number().exactOptional(),
  }),
  z.object({ kind: z.literal("updateCheckpointMessage"), id: z.string(), message: z.string() }),
  z.object({ kind: z.literal("skipCheckpoint"), id: z.string(), message: z.string().exactOptional() }),
  z.object({ kind: z.literal("setProgress"), percent: z.number() }),
  z.object({ kind: z.literal("awaitCheckpointRetry"), id: z.string(), error: z.string(), context: details }),
  z.object({ kind: z.literal("getInstalledAppUrl"), appId: z.string() }),
]);

const guestOutcome = z.discriminatedUnion("status", [
  // what JSON.parse has made is JSON; a schema would descend into it as deep as the sender likes
  z.object({ status: z.literal("completed"), result: z.custom<Json>((value) => value !== undefined) }),
  z.object({
    status: z.literal("failed"),
    reason: z.enum(["script_error", "policy_denied", "quota_result"]),
    message: z.string(),
    context: details,
    stack: z.string().exactOptional(),
  }),
]);

const outOp: z.ZodType<OutOp> = z.discriminatedUnion("op", [
  z.object({
    op: z.literal("fetch"),
    id,
    method: z.string(),
    url: z.string(),
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
    url: z.string(),
    method: z.string(),
    headers,
    attempts: z.number(),
    timeoutMs: waitMs,
    expectedStatus: z.array(z.number()).exactOptional(),
    initialDelayMs: waitMs,
    maxDelayMs: waitMs,
  }),
  z.object({ op: z.literal("context"), id, call: contextCall }),
  z.object({ op: z.literal("log"), line: z.string() }),
  z.object({ op: z.literal("done"), outcome: guestOutcome }),
]);

const sqliteValue = z.union([z.string(), z.number(), z.null(), z.object({ bytes: z.string() })]);

const parentOp: z.ZodType<ParentOp> = z.discriminatedUnion("op", [
  z.object({ op: z.literal("random"), bytes: z.int().min(1).max(65_536) }),
  z.object({ op: z.literal("fs.read"), path: z.string(), encoding: z.literal("utf8").exactOptional() }),
  z.object({ op: z.literal("fs.list"), path: z.string() }),
  z.object({ op: z.literal("fs.stat"), path: z.string() }),
  z.object({ op: z.literal("sqlite.open"), path: z.string() }),
  z.object({
    op: z.literal("sqlite.query"),
    db: z.int(),
    sql: z.string(),
    params: z.union([z.array(sqliteValue), z.record(z.string(), sqliteValue)]),
    limit: z.number().exactOptional(),
  }),
  z.object({ op: z.literal("sqlite.close"), db: z.int() }),
]);

/** A message of the child; null for what no honest child sends. */
export const parseChildMessage = parser(childMessage);
/** The operation of an `out`; null for what no honest guest sends. */
export const parseOutOp = parser(outOp);
/** The question of an `ask`; null for what no honest guest sends. */
export const parseParentOp = parser(parentOp);

function parser<T>(schema: z.ZodType<T>): (text: string) => T | null {
  return (text) => {
    try {
      const parsed = schema.safeParse(JSON.parse(text));
      return parsed.success ? parsed.data : null;
    } catch {
      return null;
    }
  };
}
