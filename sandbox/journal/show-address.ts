/**
 * An address as people are shown it: origin and path, where parts that could be a token are masked. An app may have given
 * it to the script in the run, so that no list of secrets has it. Pure.
 */
import { MASKED } from "../../src/core/report/mask.ts";

/** Shortest part that could be a token: a shorter secret is not masked by its value either. */
const SHORTEST = 6;

/** Words in lower case, in capitals, in camel case, and short numbers: `v3`, `SYNC`, `AuthenticateByName`, `12`. */
const WORDS = [
  /^[a-z]{0,20}\d{0,6}$/,
  /^[A-Z]{1,6}$/,
  /^\d{1,6}[a-z]{1,2}$/,
  /^(?:[a-z]{2,})?(?:[A-Z](?=[a-z]*[aeiouy])[a-z]{2,}|By|Id|In|Of|On|To|Up)*\d{0,2}$/,
];

/** Shows an address without query and fragment; null where the text is none. */
export function showAddress(url: string): string | null {
  const address = URL.parse(url);
  if (address === null) return null;
  return `${address.origin}${address.pathname.split("/").map(showPart).join("/")}`;
}

function showPart(part: string): string {
  if (part.length < SHORTEST) return part;
  return part.split(/[-_.~:+,]|%20/).every(isWord) ? part : MASKED;
}

function isWord(text: string): boolean {
  return WORDS.some((form) => form.test(text));
}
