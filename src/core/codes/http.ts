import type { CodeRow } from "../codes.ts";

/** Codes of the HTTP interface. */
export const HTTP_CODES = {
  HTTP_BAD_REQUEST: {
    title: "The request does not fit the schema",
    hint: "see the errors for the fields and correct them",
  },
} as const satisfies Record<string, CodeRow>;
