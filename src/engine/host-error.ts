import type { Code } from "../core/codes/code.ts";
import { EngineErrorOf } from "../core/codes/problems.ts";
import type { HostFault } from "./ports/host-records.ts";

/**
 * Whether the host may have acted on a call that failed: `no` (never sent, or refused before acting), `yes` (the host
 * answered with an error), `unknown` (sent, the answer was lost).
 */
export type Delivery = "no" | "yes" | "unknown";

/** Marks a `HostError`, whichever copy of the package or realm made it. */
const BRAND = Symbol.for("slipway.HostError");

/** Whether a value is a `HostError`, also of another copy of the package or another realm; `instanceof` asks the same. */
export function isHostError(value: unknown): value is HostError {
  return typeof value === "object" && value !== null && BRAND in value;
}

/** Codes of a call that did not get through: nobody there, or no entry with this key, certificate, address or version. */
const AWAY: ReadonlySet<Code> = new Set([
  "HOST_UNREACHABLE",
  "HOST_TLS_UNTRUSTED",
  "HOST_AUTH_FAILED",
  "HOST_KEY_EXPIRED",
  "HOST_ACCESS_DENIED",
  "HOST_VERSION_UNSUPPORTED",
]);

/**
 * Whether the host was not got through to, so that it has not acted: what passes, or a person puts right, ends it, and no
 * task ends for it.
 */
export function isHostAway(error: unknown): error is HostError {
  return error instanceof HostError && error.delivery === "no" && AWAY.has(error.code);
}

/**
 * Faults of the connection or of a busy host, which say nothing of the path that was asked for. A timeout is none: it may be
 * one mount that hangs, and all others stay readable.
 */
const NOT_OF_PATH: ReadonlySet<string> = new Set([
  "HOST_ANSWER_LOST",
  "HOST_BUSY",
  "HOST_RATE_LIMITED",
  "HOST_SESSION_ENDED",
]);

/** Whether the host, asked about a path, does not tell about this one; false where it could not be asked at all. */
export function isRefusedPath(error: unknown): error is HostError {
  return error instanceof HostError && !NOT_OF_PATH.has(error.code) && !isHostAway(error);
}

/** A failed host call. Every rejection of the `Host` port is one. */
export class HostError extends EngineErrorOf<Code> {
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isHostError(value);
  }

  static {
    Object.defineProperty(HostError.prototype, BRAND, { value: true });
  }

  readonly delivery: Delivery;
  readonly fault: HostFault;

  constructor(fault: HostFault, delivery: Delivery, cause?: unknown) {
    super(fault.code, fault.reason, { fields: fault.fields, errname: fault.errname }, cause);
    this.delivery = delivery;
    this.fault = fault;
  }
}
