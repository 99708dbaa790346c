import { EngineError } from "../core/codes/problems.ts";
import type { HostFault } from "./ports/host.ts";

/**
 * Whether the host may have acted on a call that failed: `no` (never sent, or refused before acting), `yes` (the host
 * answered with an error), `unknown` (sent, the answer was lost).
 */
export type Delivery = "no" | "yes" | "unknown";

/** A failed host call. Every rejection of the `Host` port is one. */
export class HostError extends EngineError {
  readonly delivery: Delivery;
  readonly fault: HostFault;

  constructor(fault: HostFault, delivery: Delivery, cause?: unknown) {
    super(fault.code, fault.reason, { fields: fault.fields, errname: fault.errname }, cause);
    this.delivery = delivery;
    this.fault = fault;
  }
}
