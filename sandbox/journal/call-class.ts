/** How a call is kept, and what becomes of it when its outcome is lost (docs/hooks.md, "After a restart"). Pure. */
import { createHash, hash } from "node:crypto";
import type { OutOp, ParentOp } from "../protocol/ops.ts";

/**
 * `read` and `change` are requests that are sent again, `once` those that are not in silence; `wait` is `waitForApp`,
 * `report` a context call without an answer, `person` one a person answers, `ask` one the host answers; `stop` ends an
 * earlier call.
 */
export const CALL_CLASSES = ["read", "change", "once", "wait", "timer", "report", "person", "ask", "stop"] as const;

export type CallClass = (typeof CALL_CLASSES)[number];

/** A call out of a delivery: anything but a log line or the end. */
export type CallOp = Extract<OutOp, { readonly id: number }>;

/** Methods RFC 9110 (section 9.2.1) calls safe. */
const SAFE: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);
/** Those it calls idempotent (section 9.2.2) beside the safe ones. */
const IDEMPOTENT: ReadonlySet<string> = new Set(["PUT", "DELETE"]);

/** The class of a call. */
export function classifyCall(op: CallOp): CallClass {
  switch (op.op) {
    case "fetch":
      return SAFE.has(op.method) ? "read" : IDEMPOTENT.has(op.method) ? "change" : "once";
    case "waitForApp":
      return "wait";
    case "timer":
      return "timer";
    case "fetch.abort":
    case "timer.clear":
      return "stop";
    case "context":
      if (op.call.kind === "awaitCheckpointRetry") return "person";
      return op.call.kind === "getInstalledAppUrl" ? "ask" : "report";
  }
}

/**
 * A hash of a call's arguments: equal wherever they mean the same, whatever the order of members in the guest that made
 * them. 128 bits of SHA-256.
 */
export function hashCall(op: CallOp | ParentOp, body?: Uint8Array): string {
  const text = writeCanonicalJson(op);
  if (body === undefined || body.byteLength === 0) return hashText(text);
  return createHash("sha256").update(text).update(body).digest("base64url").slice(0, 22);
}

/** A hash of a text: 128 bits of SHA-256. */
export function hashText(text: string): string {
  return hash("sha256", text, "base64url").slice(0, 22);
}

/** JSON text with the members of every object in the order of their names. */
export function writeCanonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
