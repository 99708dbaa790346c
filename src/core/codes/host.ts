import type { CodeRow } from "../codes.ts";

/** Codes of the storage host and its API. */
export const HOST_CODES = {
  HOST_UNREACHABLE: { title: "The host does not answer", hint: "check the address and that the host is running" },
} as const satisfies Record<string, CodeRow>;
