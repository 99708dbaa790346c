import { EngineError } from "../../core/codes/problems.ts";
import { HostError } from "../host-error.ts";

/** What `error.type` says of an error: its code, and of one without a code what the semantic conventions name the rest. */
export function readErrorType(error: unknown): string {
  return error instanceof EngineError || error instanceof HostError ? error.code : "_OTHER";
}
