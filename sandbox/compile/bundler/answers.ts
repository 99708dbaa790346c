/**
 * Reads what the bundler's process says.
 *
 * Invariant: the process works on what authors wrote and may be taken over by it, so nothing it says is believed before a
 * schema has passed it, in which every list and text has a bound.
 */
import { z } from "zod";
import { VIRTUAL_MODULES } from "../../protocol/ops.ts";
import { BUNDLE_BYTES, FILES } from "../bundle-files.ts";
import { type BundlerMessage, MOST_DIAGNOSTICS, MOST_EXPORTS, MOST_PLACES } from "./messages.ts";

/** Most characters of a name or a message. */
const TEXT = 4_096;
/** Most names an honest source map or list of exports has. */
const NAMES = 20_000;
/** Modules of a script: its files, those offered to it, the entry's and esbuild's own. */
const MODULES = FILES + VIRTUAL_MODULES.length + 2;
const BIG = 2 ** 31;

const text = z.string().max(TEXT);
const count = z.int().nonnegative().max(BIG);

const Diagnostic = z.strictObject({
  code: z.enum([
    "SANDBOX_SYNTAX",
    "SANDBOX_IMPORT_FORBIDDEN",
    "SANDBOX_IMPORT_NOT_LITERAL",
    "SANDBOX_FILE_MISSING",
    "SANDBOX_FILE_OUTSIDE",
    "SANDBOX_SCRIPT_TOO_LARGE",
    "SANDBOX_NOT_BUNDLED",
  ]),
  message: text,
  module: text.nullable(),
  line: count.min(1),
  column: count,
  length: count,
});

const Place = z.strictObject({ line: count.min(1), column: count.min(1), length: count });
const WaitOptions = z.partialRecord(z.enum(["retries", "timeout", "initialDelayMs", "maxDelayMs"]), z.number());

const Facts = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("faulty"), message: text, place: Place }),
  z.strictObject({
    kind: z.literal("read"),
    exports: z.array(text).max(MOST_EXPORTS),
    open: z.boolean(),
    getInputs: z.array(z.strictObject({ entrypoint: text, id: text, place: Place })).max(MOST_PLACES),
    waits: z.array(z.strictObject({ entrypoint: text, options: WaitOptions, place: Place })).max(MOST_PLACES),
  }),
]);

const Message: z.ZodType<BundlerMessage> = z.discriminatedUnion("t", [
  z.strictObject({ t: z.literal("ready") }),
  z.strictObject({ t: z.literal("ask"), id: count.min(1), specifier: text, from: text }),
  z.strictObject({
    t: z.literal("built"),
    codeBytes: count.max(BUNDLE_BYTES),
    inputs: z.array(text).max(MODULES),
    sources: z.array(text).max(MODULES),
    names: z.array(text).max(NAMES),
  }),
  z.strictObject({ t: z.literal("facts"), facts: Facts }),
  z.strictObject({ t: z.literal("missing"), exports: z.array(text).max(NAMES) }),
  z.strictObject({ t: z.literal("faulty"), diagnostics: z.array(Diagnostic).min(1).max(MOST_DIAGNOSTICS) }),
]);

/** A message of the process; null where it is not one. */
export function readMessage(header: string): BundlerMessage | null {
  try {
    return Message.parse(JSON.parse(header));
  } catch {
    return null;
  }
}
