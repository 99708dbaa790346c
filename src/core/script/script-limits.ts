/** Bounds of one install script; 1 KB is 1,024 bytes, bytes are those of UTF-8. */

/** Largest install script, in bytes. */
export const MAX_SCRIPT_BYTES = 1024 * 1024;
/** Longest text and longest key, in bytes; `scriptContent` has a limit of its own. */
export const MAX_TEXT_BYTES = 64 * 1024;
/** Longest `scriptContent`, and largest TypeScript file, in bytes. */
export const MAX_SOURCE_BYTES = 512 * 1024;
/** Most values (texts, numbers, lists, objects ...) outside `app_values` and the defaults of questions. */
export const MAX_VALUES = 30_000;
/** Most of what one script declares: people read it, and every dialog, plan and mask goes through all of it. */
export const MOST_DECLARED = {
  questions: 500,
  hooks: 200,
  consents: 50,
  /** Conditions of all hooks: each may name an app to link with. */
  links: 200,
  /** Questions for passwords and generated strings. */
  secrets: 50,
  directories: 200,
} as const;
/** Most problems of one file that are shown; a file with more is refused. */
export const MAX_PROBLEMS = 200;

/** Whether a text has more bytes in UTF-8. Costs nothing for texts that are far from the limit. */
export function exceedsBytes(text: string, limit: number): boolean {
  if (text.length > limit) return true;
  // A UTF-16 unit is at most three bytes.
  if (text.length * 3 <= limit) return false;
  return new TextEncoder().encode(text).length > limit;
}
