/**
 * Facts TypeScript sources tell about themselves: read in isolation (sandbox/bundler/), never by the engine. Facts are kept
 * by the hash of the text, so that an unchanged one costs one hash.
 */

import { createHash } from "node:crypto";
import { Bundler } from "../../../sandbox/compile/bundler/bundler.ts";
import type { BundlerProgram } from "../../../sandbox/compile/bundler/files.ts";
import type { BundleOutcome, ServedFile } from "../../../sandbox/compile/bundler/process.ts";
import { BundlerStarter } from "../../../sandbox/compile/bundler/starter.ts";
import { readMessage } from "../../core/json/read-message.ts";
import type { TextFacts } from "../../core/rules/rows/source-rules.ts";

/** Most texts whose facts are kept. */
const KEPT = 4_096;
/** How long a text that ends the process or takes it too long is not tried again, ms. */
const BAD_MS = 10 * 60_000;
/** How long the process that catalogs share is kept when nothing is asked of it, ms. */
const REST_MS = 2_000;

/** Reads facts of TypeScript texts. */
export type ReadSource = (text: string) => Promise<TextFacts>;

/** A reader with a process of its own, which is started with the first text that is new. */
export interface SourceReader {
  /** The facts of a text. Never rejects: what can't be read is faulty. */
  readonly read: ReadSource;
  /** Ends the process and removes its files; the next new text starts another. */
  readonly rest: () => Promise<void>;
}

/** A reader of texts, each read once. `program` replaces the process's own: tests of a compromised one. */
export function createSourceReader(program?: BundlerProgram): SourceReader {
  const starter = new BundlerStarter({ allowWeak: true, ...(program !== undefined && { program }) });
  const bundler = new Bundler(starter);
  return {
    read: createReadSource(bundler),
    rest: async () => {
      await bundler.rest();
      if (bundler.isIdle) await starter.removeFiles();
    },
  };
}

/** Reads each text once, by a bundler that somebody else ends. Never rejects. */
export function createReadSource(bundler: SourceBundler): ReadSource {
  const known = new Map<string, Promise<Reading>>();
  return async (text) => {
    const hash = createHash("sha256").update(text).digest("base64");
    const kept = await known.get(hash);
    if (kept !== undefined && performance.now() < kept.until) return kept.facts;
    const reading = readText(bundler, text);
    known.delete(hash);
    known.set(hash, reading);
    const [oldest] = known.keys();
    if (known.size > KEPT && oldest !== undefined) known.delete(oldest);
    return (await reading).facts;
  };
}

/** `rest` ends its process, because what it answered was not to be believed. */
type SourceBundler = Pick<Bundler, "ask" | "rest">;

const shared = createSourceReader();
let asked = 0;
let resting: NodeJS.Timeout | undefined;

/**
 * The facts of a text for any catalog of this process: read once, and in one process where catalogs are opened one after
 * the other. It ends when nothing has been asked for two seconds, or with this process. Never rejects.
 */
export async function readSharedSource(text: string): Promise<TextFacts> {
  clearTimeout(resting);
  asked += 1;
  try {
    return await shared.read(text);
  } finally {
    asked -= 1;
    if (asked === 0) resting = setTimeout(() => void shared.rest(), REST_MS).unref();
  }
}

interface Reading {
  readonly facts: TextFacts;
  /** Not believed any more then, ms of the monotonic clock. */
  readonly until: number;
}

async function readText(bundler: SourceBundler, text: string): Promise<Reading> {
  let outcome: BundleOutcome;
  try {
    outcome = await bundler.ask({ order: { t: "read" }, text, find: refuseImport });
  } catch (error) {
    // says nothing about the text
    return { facts: createFaulty(readMessage(error)), until: 0 };
  }
  const until = performance.now() + BAD_MS;
  if (outcome.kind === "died") return { facts: createFaulty("it nests too deeply or needs too much memory"), until };
  if (outcome.kind !== "answered") return { facts: createFaulty(outcome.message), until };
  const { answer } = outcome;
  if (answer.t === "facts") return { facts: answer.facts, until: Number.POSITIVE_INFINITY };
  await bundler.rest();
  return { facts: createFaulty("its reader was ended, it answered what it was not asked"), until };
}

/** Reading follows no import. */
async function refuseImport(): Promise<ServedFile> {
  return { ok: false, code: "SANDBOX_IMPORT_FORBIDDEN", message: "nothing is imported here" };
}

function createFaulty(reason: string): TextFacts {
  return { kind: "faulty", message: `the code can't be read: ${reason}`, place: { line: 1, column: 1, length: 1 } };
}
