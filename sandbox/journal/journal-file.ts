/**
 * A journal as a file of JSON Lines: a line that names the format and what else is known of the run, one a row, and one
 * with the head and a SHA-256 of everything before it. Pure.
 *
 * Invariant: what is read is what was written, to the byte, or damage; whether the rows are in order and whole is for
 * `readHistory` to say.
 */
import { createHash } from "node:crypto";
import { z } from "zod";
import type { Json, JsonObject } from "../../src/core/json/json.ts";
import { JOURNAL_LIMITS } from "../limits.ts";
import type { JournalRow, StoredJournal } from "./row.ts";

/** A journal and what was written beside it: names and versions for whoever plays it, as their own keys. */
export interface JournalFile extends StoredJournal {
  readonly meta: JsonObject;
}

const FORMAT = "slipway-journal/1";

/** No journal's file is larger, in bytes: its texts are escaped twice, its bodies in base64. */
export const LARGEST_FILE = 4 * JOURNAL_LIMITS.bytes;

const json: z.ZodType<Json> = z.json();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const base64 = z.string();
const firstLine = z.strictObject({ format: z.literal(FORMAT), meta: z.record(z.string(), json) });
const rowLine = z.strictObject({
  seq: z.int().min(0),
  text: z.string(),
  bytes: base64,
  bodies: z.array(z.strictObject({ sha256, bytes: base64 })),
  digest: sha256,
});
const lastLine = z.strictObject({ head: z.union([z.literal(""), sha256]), sha256 });

/** The text of a file with a run's journal in it; `meta` is kept as it is. */
export function writeJournalFile({ rows, head }: StoredJournal, meta: JsonObject = {}): string {
  const lines: Json[] = [
    { format: FORMAT, meta },
    ...rows.map(({ seq, text, bytes, bodies, digest }) => ({
      seq,
      text,
      bytes: encode(bytes),
      bodies: bodies.map((body) => ({ sha256: body.sha256, bytes: encode(body.bytes) })),
      digest,
    })),
  ];
  return endFile(lines.map((line) => `${JSON.stringify(line)}\n`).join(""), head);
}

/** Reads what `writeJournalFile` has written; `damage` says in words what is wrong, and in which line. */
export function readJournalFile(text: string): JournalFile | { readonly damage: string } {
  const rowsAt = text.indexOf("\n") + 1;
  const lastAt = text.lastIndexOf("\n", text.length - 2) + 1;
  const first = read(firstLine, text.slice(0, rowsAt));
  if (first === null) return { damage: `line 1 does not begin a journal of the format ${FORMAT}` };
  const last = text.endsWith("\n") ? read(lastLine, text.slice(lastAt)) : null;
  if (last === null) return { damage: "its last line is missing" };
  if (text !== endFile(text.slice(0, lastAt), last.head)) return { damage: "it was changed" };
  const rows: JournalRow[] = [];
  for (const line of iterateLines(text.slice(rowsAt, lastAt))) {
    const row = readRow(line);
    if (row === null) return { damage: `line ${rows.length + 2} is no row of a journal` };
    rows.push(row);
  }
  return { rows, head: last.head, meta: first.meta };
}

/** One after the other: a file of nothing but line ends has as many lines as bytes. */
function* iterateLines(text: string): Generator<string, void> {
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf("\n", at);
    yield text.slice(at, end);
    at = end + 1;
  }
}

/** The last line names everything before it, so that a change anywhere is seen. */
function endFile(before: string, head: string): string {
  const sha256 = createHash("sha256").update(before).update(head).digest("hex");
  return `${before}${JSON.stringify({ head, sha256 })}\n`;
}

function readRow(line: string): JournalRow | null {
  const row = read(rowLine, line);
  if (row === null) return null;
  const bytes = decode(row.bytes);
  const bodies = row.bodies.flatMap((body) => {
    const decoded = decode(body.bytes);
    return decoded === null ? [] : [{ sha256: body.sha256, bytes: decoded }];
  });
  return bytes === null || bodies.length < row.bodies.length ? null : { ...row, bytes, bodies };
}

function read<T>(schema: z.ZodType<T>, line: string): T | null {
  try {
    const parsed = schema.safeParse(JSON.parse(line));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

function encode(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

/** The bytes; null where the text is not the one they are written as, since Node's decoder passes over what it does not know. */
function decode(text: string): Uint8Array | null {
  const bytes = Buffer.from(text, "base64");
  return bytes.toString("base64") === text ? bytes : null;
}
