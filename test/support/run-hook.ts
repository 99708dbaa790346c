/** `slipway run-hook` in a process of its own, and what it keeps. */
import { readFileSync } from "node:fs";
import { z } from "zod";
import { type JournalFile, readJournalFile } from "../../sandbox/journal/journal-file.ts";
import { slipway } from "./slipway-process.ts";

/** Runs a script's `run` and reads the document it prints. */
export async function runHook(script: string, ...args: readonly string[]) {
  const ended = await slipway("run-hook", script, "--entrypoint", "run", "--format", "json", ...args);
  return { exitCode: ended.exitCode, document: z.looseObject({}).parse(JSON.parse(ended.stdout)) };
}

/** A file of `--journal`. */
export function readBack(file: string): JournalFile {
  const read = readJournalFile(readFileSync(file, "utf8"));
  if ("damage" in read) throw new Error(read.damage);
  return read;
}
