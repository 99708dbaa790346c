import { createHash } from "node:crypto";

/** A UUID (version 8, RFC 9562 section 5.8) derived from the effect's id: the same for every sending of it. */
export function toRequestId(effectId: string): string {
  const hex = createHash("sha256").update(effectId).digest("hex");
  const variant = (8 + (Number.parseInt(hex.charAt(16), 16) % 4)).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}
