import { EngineError } from "../../../core/codes/problems.ts";
import type { Logger } from "../../ports/environment.ts";

/** The store refused: the disk or the file is at fault, not what was asked. */
export function isStoreFault(error: unknown): error is EngineError {
  return error instanceof EngineError && error.code.startsWith("STORE_");
}

/** The store's refusal; any other error is a bug and is thrown on. */
export function toStoreError(error: unknown): EngineError {
  if (isStoreFault(error)) return error;
  throw error;
}

/** Makes a write that can wait for its next occasion: where the store refuses it, the log says so and nobody else. */
export function tryWrite(logger: Logger, write: () => void): void {
  try {
    write();
  } catch (error) {
    logger.warn({ code: toStoreError(error).code }, "write that can wait failed");
  }
}
