/** How a run ended, as data: each way a script, its process or a limit can end one. Pure. */

import type { FailureDetail } from "../../src/core/codes/problems.ts";
import { type Mask, maskCut, maskJsonInSteps, type TextLimit } from "../../src/core/report/mask.ts";
import { toPlainMasked } from "../../src/core/report/plain-words.ts";
import type { CompiledScript, RunOutcome, RunReason } from "../contract.ts";
import { CHILD_LIMITS, type RunLimits } from "../limits.ts";
import type { ProcessExit } from "../process/isolated-process.ts";
import type { ProcessUse } from "../process/use.ts";
import { FrameError } from "../protocol/frames.ts";
import { type GuestOutcome, TEXT_LIMITS } from "../protocol/ops.ts";
import { readAuthorStack } from "./author-stack.ts";

/** An outcome before it is known what the run used. */
export type Ending = RunOutcome extends infer Each ? (Each extends unknown ? Omit<Each, "usage"> : never) : never;

/** A run that did not complete. */
export function failBy(reason: RunReason, message: string): Ending {
  return { status: "failed", reason, message, context: [] };
}

/** It computed too long. */
export function failByCpu({ cpuMs, sliceMs }: RunLimits): Ending {
  const allowed = `${sliceMs / 1000} s at a stretch or ${cpuMs / 1000} s in all`;
  return failBy("timeout_cpu", `the script computed longer than the allowed ${allowed}`);
}

/** It took too much memory. */
export function failByMemory(): Ending {
  return failBy("memory", `the script used more than the allowed ${CHILD_LIMITS.isolateMb} MB of memory`);
}

/** Its process said what an honest child can't say there. */
export function failByBreach(): Ending {
  return failBy("sandbox_crash", "the script's process broke the protocol");
}

/** Its process broke the frames or their limits. */
export function failByFrames(error: Error): Ending {
  if (error instanceof FrameError && error.part === "header") return failBy("quota_messages", error.message);
  if (error instanceof FrameError && error.part === "frame") return failBy("quota_request", error.message);
  return failByBreach();
}

/** Its process ended by itself. */
export function failByExit({ code, signal, error }: ProcessExit, use: ProcessUse, limits: RunLimits): Ending {
  if (error !== undefined) return failBy("sandbox_crash", error);
  if (signal === "SIGXCPU" || (signal === "SIGKILL" && use.cpuMs >= KERNEL_CPU_MS)) return failByCpu(limits);
  const starved = signal === "SIGSEGV" && use.peakMb > STARVED_MB;
  if (starved || (signal !== null && ABORTS.has(signal))) return failByMemory();
  return failBy("sandbox_crash", `the script's process ended by ${signal ?? `exit code ${code}`}`);
}

/** CPU beyond which a SIGKILL is the kernel's, for RLIMIT_CPU; what was last seen may be a moment old. */
const KERNEL_CPU_MS = (CHILD_LIMITS.cpuS - 1) * 1000;

/** Native code that is refused memory runs into a null pointer: half of RLIMIT_DATA tells it from other crashes. */
const STARVED_MB = CHILD_LIMITS.dataKb / 1024 / 2;

/** Ends of a process that ran out of memory: V8 and the allocator abort, the kernel kills. */
const ABORTS: ReadonlySet<NodeJS.Signals> = new Set(["SIGABRT", "SIGTRAP", "SIGILL", "SIGKILL"]);

/** The script came to its end; `length` is that of the message that said so. In steps: a result may be long. */
export function* endScript(
  outcome: GuestOutcome,
  length: number,
  { resultBytes }: RunLimits,
  script: CompiledScript,
  mask: Mask,
): Generator<void, Ending> {
  if (outcome.status === "completed") {
    if (length > resultBytes + DONE_BYTES) {
      return failBy("quota_result", `the result is larger than the allowed ${resultBytes} bytes`);
    }
    const masked = yield* maskJsonInSteps(outcome.result, mask, RESULT_DEPTH);
    if (masked !== null) return { status: "completed", result: masked.json };
    return failBy("quota_result", `the result is nested deeper than the allowed ${RESULT_DEPTH} levels`);
  }
  return {
    status: "failed",
    reason: outcome.reason,
    message: maskPlain(outcome.message, mask, TEXT_LIMITS.message),
    context: yield* maskDetails(outcome.context, mask),
    ...(outcome.stack !== undefined && {
      stack: toPlainMasked(readAuthorStack(maskCut(outcome.stack, mask, TEXT_LIMITS.stack), script, mask), mask),
    }),
  };
}

/** The context of a failure as the engine may see it. */
export function* maskDetails(details: readonly FailureDetail[], mask: Mask): Generator<void, readonly FailureDetail[]> {
  const masked: FailureDetail[] = [];
  for (const { label, value } of details) {
    masked.push({ label: maskPlain(label, mask, TEXT_LIMITS.label), value: maskPlain(value, mask, TEXT_LIMITS.value) });
    yield;
  }
  return masked;
}

/** A text that people read, masked, cut, and without what deceives them. */
export function maskPlain(text: string, mask: Mask, limit: TextLimit): string {
  return toPlainMasked(text, (written) => maskCut(written, mask, limit));
}

/** Room for what stands around a result in its message. */
const DONE_BYTES = 200;

/** Deepest nesting of a result: whoever handles it later may descend into it. */
const RESULT_DEPTH = 100;
