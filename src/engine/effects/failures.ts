import { EngineError, type Failure, type FailureDetail } from "../../core/codes/problems.ts";
import { HostError, isHostAway } from "../host-error.ts";
import type { HostFault } from "../ports/host-records.ts";

/** A host's fault as the task's failure. */
export function toFaultFailure(fault: HostFault, context: readonly FailureDetail[] = []): Failure {
  return {
    code: fault.code,
    message: fault.reason,
    context: [...fault.fields.map(({ field, message }) => ({ label: field, value: message })), ...context],
    retryable: fault.retryable,
  };
}

/**
 * Does what is asked, or says what a lasting refusal of the host means: asking again would be for ever. Rejects with
 * anything else: what passes (the effect is taken up again), the end of the effect, a bug.
 */
export async function catchRefusal<T, R>(
  signal: AbortSignal,
  ask: () => Promise<T>,
  refused: (failure: Failure) => R,
): Promise<T | R> {
  try {
    return await ask();
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof HostError && (error.fault.retryable || isHostAway(error))) throw error;
    return refused(toHostFailure(error));
  }
}

/**
 * A failed host call as the task's failure. Thrown on is a call that never got to the host, for the effect to be taken up
 * again, and anything else as the bug it is.
 */
export function toHostFailure(error: unknown, context: readonly FailureDetail[] = []): Failure {
  if (isHostAway(error)) throw error;
  if (error instanceof HostError) return toFaultFailure(error.fault, context);
  if (error instanceof EngineError && !error.code.startsWith("STORE_")) {
    return { code: error.code, message: error.message, context, retryable: true };
  }
  throw error;
}
