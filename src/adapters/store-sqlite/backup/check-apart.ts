import { execFile } from "node:child_process";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { z } from "zod";
import { isCode } from "../../../core/codes/code.ts";
import { EngineError } from "../../../core/codes/problems.ts";
import type { Backup } from "../../../engine/api.ts";

const Answer = z.union([
  z.object({ found: z.object({ bytes: z.number(), tasks: z.number(), unfinished: z.number() }) }),
  z.object({ code: z.string().refine(isCode), message: z.string() }),
]);
/** What the process says. */
export type CheckAnswer = z.infer<typeof Answer>;

/**
 * Checks a finished copy in a process of its own: reading every page takes seconds, and an engine may be running in this
 * one. Throws as `checkCopy` does, and the reason of the signal, which ends it at once.
 */
export async function checkApart(copy: string, signal?: AbortSignal): Promise<Omit<Backup, "file">> {
  const answer = Answer.parse(JSON.parse(await runCheck(copy, signal)));
  if ("found" in answer) return answer.found;
  throw new EngineError(answer.code, answer.message, { file: copy });
}

async function runCheck(copy: string, signal: AbortSignal | undefined): Promise<string> {
  const program = fileURLToPath(new URL(`./check-copy-program${extname(import.meta.url)}`, import.meta.url));
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [program, copy], { ...(signal && { signal }) });
    return stdout;
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}
