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
 * Codes of a lost connection or a busy host. A timeout is not among them: one mount that hangs leaves all others readable.
 */
const NO_ANSWER: ReadonlySet<string> = new Set([
  "HOST_ANSWER_LOST",
  "HOST_BUSY",
  "HOST_CLOSED",
  "HOST_RATE_LIMITED",
  "HOST_SESSION_ENDED",
]);

/** Whether the host refused this question; false where the question may not have reached it. */
export function isHostRefusal(error: unknown): error is HostError {
  return error instanceof HostError && !NO_ANSWER.has(error.code) && !isHostAway(error);
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
