import { EngineError } from "../../core/codes/problems.ts";

/** What a command ended with as an error with a code. Throws anything else: it is a bug, and its stack is wanted. */
export function toEngineError(error: unknown): EngineError {
  if (error instanceof EngineError) return error;
  if (isSystemError(error)) return new EngineError("CLI_SYSTEM_ERROR", error.message, { reason: error.code }, error);
  throw error;
}

function isSystemError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && "syscall" in error && "code" in error && typeof error.code === "string";
}
