import type { CodeRow } from "../codes.ts";

/** Codes of a user's answers, hook inputs and consents. */
export const ANSWER_CODES = {
  ANSWER_REQUIRED: { title: "A required question has no answer", hint: "give an answer for the key shown" },
} as const satisfies Record<string, CodeRow>;
