/** How a call on a socket fails, and whether the host may have acted on it. */
import { HostError } from "../../engine/host-error.ts";
import { createFault } from "./faults.ts";
import { connectError } from "./versions.ts";

/** Bytes a logged-in session may send in one message (docs/host-api.md, section 2). */
export const MESSAGE_LIMIT_BYTES = 65_536;
/** Close code of a refused client address. */
const POLICY_VIOLATION = 1008;

/** The socket had ended before the call was sent. */
export function createUnsentError(url: URL, closeCode: number): HostError {
  return closeCode === POLICY_VIOLATION ? createAccessDeniedError() : connectError(url, "the connection has ended");
}

/** The host did not answer in time (ms). */
export function createTimeoutError(method: string, timeoutMs: number): HostError {
  const words = `"${method}" was not answered within ${timeoutMs} ms`;
  return new HostError(createFault("HOST_TIMEOUT", words, true), "unknown");
}

function createAccessDeniedError(): HostError {
  const words = "the host refuses connections from this address";
  return new HostError(createFault("HOST_ACCESS_DENIED", words, false), "no");
}

/** The socket ended before the answer came. */
export function createLostError(method: string, closeCode: number): HostError {
  if (closeCode === POLICY_VIOLATION) return createAccessDeniedError();
  return new HostError(
    createFault("HOST_ANSWER_LOST", `the connection closed before "${method}" was answered`, true),
    "unknown",
  );
}

/** The call is larger than the host takes; it was not sent. */
export function createTooLargeError(method: string, bytes: number): HostError {
  const words = `"${method}" needs ${bytes} bytes, the host accepts ${MESSAGE_LIMIT_BYTES}`;
  return new HostError(createFault("HOST_MESSAGE_TOO_LARGE", words, false), "no");
}
