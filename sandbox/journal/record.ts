/**
 * The content of a journal's rows: records in the order in which things came about in a run.
 *
 * Invariants:
 * 1. An outcome is recorded before its delivery, once; the order of deliveries is the one that counts.
 * 2. A delivery without its `turn` record had not ended: none of its calls had started.
 * 3. A request that is sent only once has its `left` record on disk before it leaves.
 */
import { z } from "zod";
import type { Json } from "../../src/core/json/json.ts";
import { CALL_CLASSES } from "./call-class.ts";

const id = z.int().positive();
const ms = z.number().min(0);

/** Where a body stands: a stretch of the row's bytes, or a body of the journal by its SHA-256. */
const bodyRef = z.union([
  z.object({ at: z.int().min(0), length: z.int().min(0) }),
  z.object({ sha256: z.string(), length: z.int().min(0) }),
]);

// what JSON.parse has made is JSON; a schema would descend into it as deep as the app that answered likes
const json = z.custom<Json>((value) => value !== undefined);

// `z.record` takes several times as long, and each row has one
const counts = z.custom<{ readonly [quota: string]: number }>(
  (value) => typeof value === "object" && value !== null && Object.values(value).every(Number.isFinite),
);

const wireError = z.object({
  name: z.string(),
  message: z.string(),
  code: z.string().exactOptional(),
  syscall: z.string().exactOptional(),
  path: z.string().exactOptional(),
  refused: z.literal(true).exactOptional(),
  mayChange: z.literal(true).exactOptional(),
});

/** A call as the journal remembers it: its arguments as a hash only, since the script makes them again. */
const callNote = z.object({
  id,
  class: z.enum(CALL_CLASSES),
  /** Of the arguments in canonical form; null where they are not to be compared. */
  hash: z.string().nullable(),
  /** Of a timer: when it is due, ms since 1970. */
  due: z.number().exactOptional(),
});

const record = z.discriminatedUnion("is", [
  /** The run began; what its script sees of the world is hashed, and what it runs on is named. */
  z.object({
    is: z.literal("start"),
    format: z.literal(1),
    entrypoint: z.string(),
    seed: z.string(),
    context: z.string().nullable(),
    made: z.object({ script: z.string(), guest: z.string(), node: z.string() }),
  }),
  /** A call was settled. */
  z.object({
    is: z.literal("outcome"),
    id,
    ok: json.exactOptional(),
    error: wireError.exactOptional(),
    body: bodyRef.exactOptional(),
  }),
  /** The outcome of call `id` entered the isolate (0: the start), which read this time from its clock. */
  z.object({ is: z.literal("delivery"), id: z.int().min(0), now: z.number() }),
  /** A question of the present delivery was answered while the isolate stood still. */
  z.object({
    is: z.literal("answer"),
    hash: z.string().nullable(),
    line: z.union([z.string(), bodyRef]),
    body: bodyRef.exactOptional(),
    encoding: z.enum(["latin1", "utf8"]).exactOptional(),
  }),
  /** The present delivery has ended, with these calls and so many log lines; `done`: and the script with it. */
  z.object({
    is: z.literal("turn"),
    calls: z.array(callNote),
    lines: z.int().min(0),
    done: z.literal(true).exactOptional(),
  }),
  /** A request that is sent only once leaves now. */
  z.object({ is: z.literal("left"), id, method: z.string(), url: z.string(), at: z.number() }),
  /** A person was asked about a checkpoint, by call `id`. */
  z.object({ is: z.literal("asked"), id, checkpoint: z.string() }),
  /** Beside a request, a timer keeps what was left of it: it is due later now, ms since 1970. */
  z.object({ is: z.literal("due"), id, due: z.number() }),
  /** The script stands where it was and goes on: running time counts from here. */
  z.object({ is: z.literal("wentOn") }),
  /** A limit was passed: what came about since is not kept. */
  z.object({ is: z.literal("givenUp"), reason: z.string() }),
  /** A person has decided about a request of unknown outcome. */
  z.object({ is: z.literal("choice"), id, choice: z.enum(["retry", "skip"]) }),
]);

const step = z.object({
  /** ms since 1970. */
  at: z.number(),
  /** Running time so far, in ms. */
  ranMs: ms,
  /** It passes on: no person is waited for. */
  running: z.boolean(),
  /** Amounts the run has used up, by quota. */
  used: counts,
  records: z.array(record),
});

/** The content of one row. */
export type JournalStep = z.infer<typeof step>;
/** One thing that came about. */
export type JournalRecord = z.infer<typeof record>;
export type BodyRef = z.infer<typeof bodyRef>;
export type CallNote = z.infer<typeof callNote>;
/** A record of one kind. */
export type RecordOf<Kind extends JournalRecord["is"]> = Extract<JournalRecord, { is: Kind }>;

/** The answer a settled call is delivered with. */
export type SettledContent = Pick<RecordOf<"outcome">, "ok" | "error">;

/** Reads a row's text; null for what no recorder wrote. */
export function parseStep(text: string): JournalStep | null {
  try {
    const parsed = step.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
