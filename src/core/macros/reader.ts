/** Reading a string from left to right; shared by the readers of arguments, conditions and JSON branches. */
import type { Call, MacroFault, Sequence } from "./tree.ts";

/** A macro and the offset after it. */
export interface ReadCall {
  readonly call: Call;
  readonly end: number;
}

export interface Reader {
  readonly text: string;
  /** The macro that begins at a `$`, or null where the `$` is text. Each place is read once, whoever asks. */
  callAt(at: number): ReadCall | null;
  fault(fault: MacroFault): void;
  /** Macros and JSON values open within each other: readers recurse, so both count together. */
  depth: number;
  /** By kind of quote: the first opening quote known to have no end, so that no search runs twice over the same text. */
  readonly endless: Map<string, number>;
}

/** Where an argument stands, quotes and outer white space left out. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

export type Closer = ")" | "]";

export function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text, at)) at += 1;
  return at;
}

/** The range without the white space around it. */
export function trimRange(text: string, range: TextRange): TextRange {
  let { start, end } = range;
  while (start < end && isSpace(text, start)) start += 1;
  while (end > start && isSpace(text, end - 1)) end -= 1;
  return { start, end };
}

/** White space as `trim` sees it; only text beyond ASCII needs to ask. */
function isSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 128) return code === 32 || (code >= 9 && code <= 13);
  return text.charAt(at).trim() === "";
}

export function isQuote(character: string): boolean {
  return character === "'" || character === '"' || character === "`";
}

/**
 * The quote that ends the argument or, with `operand`, the side of a comparison opened by the quote at `open`: the
 * first equal one after which the argument ends, so that `'it's'` is `it's`. Macros in between keep their own quotes.
 * -1 where there is none: the quote is text then.
 */
export function findClosingQuote(reader: Reader, open: number, closer: Closer, operand: boolean): number {
  const { text, endless } = reader;
  const quote = text.charAt(open);
  const kind = `${quote}${closer}${operand ? "=" : ""}`;
  if (open >= (endless.get(kind) ?? Infinity)) return -1;
  for (let at = open + 1; at < text.length; ) {
    const read = text[at] === "$" ? reader.callAt(at) : null;
    if (read !== null) {
      at = read.end;
      continue;
    }
    if (text[at] === quote) {
      const next = skipSpace(text, at + 1);
      if (text[next] === "," || text[next] === closer || (operand && isComparison(text, next))) return at;
    }
    at += 1;
  }
  endless.set(kind, open);
  return -1;
}

export function isComparison(text: string, at: number): boolean {
  return text[at + 1] === "=" && (text[at] === "=" || text[at] === "!");
}

/** Texts and macros of a range; macros never reach over its end because whoever made the range skipped them whole. */
export function readSequence(reader: Reader, { start, end }: TextRange): Sequence {
  const parts: (string | Call)[] = [];
  let textFrom = start;
  for (let at = start; at < end; ) {
    const read = reader.text[at] === "$" ? reader.callAt(at) : null;
    if (read === null) {
      at += 1;
      continue;
    }
    if (at > textFrom) parts.push(reader.text.slice(textFrom, at));
    parts.push(read.call);
    at = read.end;
    textFrom = at;
  }
  if (end > textFrom) parts.push(reader.text.slice(textFrom, end));
  return { kind: "sequence", parts };
}
