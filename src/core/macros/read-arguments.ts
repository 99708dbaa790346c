/** Splitting `(a, b, c)` and `[a, b]` into arguments: commas count outside quotes, parentheses, JSON and inner macros. */
import { readLiteral } from "./read-literal.ts";
import {
  type Closer,
  findClosingQuote,
  isComparison,
  isQuote,
  type Reader,
  skipSpace,
  type TextRange,
  trimRange,
} from "./reader.ts";
import type { Branch } from "./tree.ts";

/** Roles of an argument: text, a branch of an `$IF`, its condition or list of conditions. */
export type Role = "text" | "branch" | "condition";

export type Argument =
  | ({ readonly kind: "text"; readonly quoted: boolean } & TextRange)
  | { readonly kind: "literal"; readonly branch: Branch }
  | { readonly kind: "list"; readonly items: readonly Argument[] };

interface ReadArgument {
  readonly argument: Argument;
  /** Offset of the `,` or closer behind it. */
  readonly end: number;
}

/** The arguments from `from` to the closer, and the offset behind the closer; null where it is missing. */
export function readArguments(
  reader: Reader,
  from: number,
  closer: Closer,
  roleOf: (index: number) => Role,
): { readonly items: readonly Argument[]; readonly end: number } | null {
  const { text } = reader;
  const items: Argument[] = [];
  for (let at = from; ; ) {
    const role = roleOf(items.length);
    const start = skipSpace(text, at);
    const read =
      (role === "branch" ? readLiteralArgument(reader, start, closer) : null) ??
      (role === "condition" && closer === ")" ? readList(reader, start, closer) : null) ??
      (role === "condition" && opensComparison(reader, start, closer) ? null : readQuoted(reader, start, closer)) ??
      readPlain(reader, start, closer, role);
    if (read === null) return null;
    items.push(read.argument);
    if (text[read.end] === closer) return { items, end: read.end + 1 };
    at = read.end + 1;
  }
}

/** JSON, bare or with quotes around it. */
function readLiteralArgument(reader: Reader, start: number, closer: Closer): ReadArgument | null {
  const { text } = reader;
  const quote = isQuote(text.charAt(start)) ? text.charAt(start) : null;
  const read = readLiteral(reader, quote === null ? start : skipSpace(text, start + 1));
  if (read === null) return null;
  let end = skipSpace(text, read.end);
  if (quote !== null) {
    if (text[end] !== quote) return null;
    end = skipSpace(text, end + 1);
  }
  if (text[end] !== "," && text[end] !== closer) return null;
  return { argument: { kind: "literal", branch: read.branch }, end };
}

function readList(reader: Reader, start: number, closer: Closer): ReadArgument | null {
  const { text } = reader;
  if (text[start] !== "[") return null;
  const list = readArguments(reader, start + 1, "]", () => "condition");
  const end = list === null ? text.length : skipSpace(text, list.end);
  if (list !== null && (text[end] === "," || text[end] === closer)) {
    return { argument: { kind: "list", items: list.items }, end };
  }
  reader.fault({
    code: "MACRO_ARGUMENTS",
    severity: "error",
    message: 'the list of conditions is not closed; "[condition, condition]" is allowed',
    offset: start,
    length: 1,
  });
  return null;
}

/** Whether the quote at `start` belongs to the left side of a comparison, not to the whole condition. */
function opensComparison(reader: Reader, start: number, closer: Closer): boolean {
  if (!isQuote(reader.text.charAt(start))) return false;
  const close = findClosingQuote(reader, start, closer, true);
  return close !== -1 && isComparison(reader.text, skipSpace(reader.text, close + 1));
}

function readQuoted(reader: Reader, start: number, closer: Closer): ReadArgument | null {
  if (!isQuote(reader.text.charAt(start))) return null;
  const close = findClosingQuote(reader, start, closer, false);
  if (close === -1) return null;
  return {
    argument: { kind: "text", quoted: true, start: start + 1, end: close },
    end: skipSpace(reader.text, close + 1),
  };
}

function readPlain(reader: Reader, start: number, closer: Closer, role: Role): ReadArgument | null {
  const { text } = reader;
  let depth = 0;
  let operandStarts = role === "condition";
  for (let at = start; at < text.length; ) {
    const character = text.charAt(at);
    if (operandStarts && isQuote(character)) {
      const close = findClosingQuote(reader, at, closer, true);
      if (close !== -1) {
        at = close + 1;
        operandStarts = false;
        continue;
      }
    }
    const read = character === "$" ? reader.callAt(at) : null;
    if (read !== null) {
      at = read.end;
      operandStarts = false;
      continue;
    }
    if (depth === 0 && (character === "," || character === closer)) {
      return { argument: { kind: "text", quoted: false, ...trimRange(text, { start, end: at }) }, end: at };
    }
    if (role === "condition" && isComparison(text, at)) {
      operandStarts = true;
      at += 2;
      continue;
    }
    if (character === "(") depth += 1;
    if (character === ")") {
      if (depth === 0) return null;
      depth -= 1;
    }
    if (operandStarts && character !== "!" && character.trim() !== "") operandStarts = false;
    at += 1;
  }
  return null;
}
