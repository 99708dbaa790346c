/**
 * Text to value. Spans cost more than parsing, so they are computed by `json-source-spans.ts` only when a problem exists.
 * Nothing here recurses over the input: a text of any depth is read or refused without overflowing the stack.
 */
import { createScanner, type ParseErrorCode, printParseErrorCode, visit } from "jsonc-parser";
import { MAX_PROBLEMS } from "../script/script-limits.ts";
import { isJsonObject, type Json } from "./json.ts";
import { TOKEN } from "./json-source-spans.ts";

/** Deepest nesting of arrays and objects read; what is deeper is refused, so that later walks may recurse. */
export const MAX_DEPTH = 200;

/** Why a text is no JSON document we read. */
interface SourceFault {
  readonly kind: "syntax" | "depth";
  readonly message: string;
  /** UTF-16 units from the start of the text. */
  readonly offset: number;
  readonly length: number;
}

export type JsonSource =
  | {
      readonly ok: true;
      readonly value: Json;
      /** Whether an object has a key twice, of which `value` has the last only: `findRepeatedKeys` finds which. */
      readonly repeatsKeys: boolean;
    }
  | {
      readonly ok: false;
      /** The first `MAX_PROBLEMS`. */
      readonly faults: readonly SourceFault[];
      /** How many there are beyond those. */
      readonly rest: number;
    };

/** Removes the byte order mark some editors write; RFC 8259 section 8.1 lets a reader ignore it. */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}

/** Reads a JSON text (RFC 8259: no comments, no trailing commas); faults are values, it never throws. */
export function readJson(text: string): JsonSource {
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const depth = checkDepth(text);
    return { ok: false, ...(depth ? { faults: [depth], rest: 0 } : findSyntaxFaults(text, String(error))) };
  }
  const keys = countKeys(value, MAX_DEPTH);
  if (keys !== TOO_DEEP) return { ok: true, value, repeatsKeys: countWrittenKeys(text) !== keys };
  const depth = checkDepth(text);
  return { ok: false, faults: depth ? [depth] : [], rest: 0 };
}

const TOO_DEEP = -1;

/** The keys of all objects in a value, or TOO_DEEP when it has more levels than allowed. */
function countKeys(value: Json | undefined, levels: number): number {
  if (typeof value !== "object" || value === null) return 0;
  if (levels === 0) return TOO_DEEP;
  let keys = 0;
  if (isJsonObject(value)) {
    for (const key in value) {
      const below = countKeys(value[key], levels - 1);
      if (below === TOO_DEEP) return TOO_DEEP;
      keys += 1 + below;
    }
    return keys;
  }
  for (const item of value) {
    const below = countKeys(item, levels - 1);
    if (below === TOO_DEEP) return TOO_DEEP;
    keys += below;
  }
  return keys;
}

/** The keys written in a JSON text: closing quotes before a colon. An escaped quote stands inside a string. */
function countWrittenKeys(text: string): number {
  let keys = 0;
  for (let colon = text.indexOf(":"); colon !== -1; colon = text.indexOf(":", colon + 1)) {
    let before = colon - 1;
    while (isWhiteSpace(text.charCodeAt(before))) before -= 1;
    if (text.charCodeAt(before) !== 0x22) continue;
    let backslashes = 0;
    while (text.charCodeAt(before - 1 - backslashes) === 0x5c) backslashes += 1;
    if (backslashes % 2 === 0) keys += 1;
  }
  return keys;
}

function isWhiteSpace(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;
}

function checkDepth(text: string): SourceFault | null {
  const scanner = createScanner(text, true);
  let depth = 0;
  for (let token = scanner.scan(); token !== TOKEN.end; token = scanner.scan()) {
    if (token === TOKEN.openBrace || token === TOKEN.openBracket) {
      depth += 1;
      if (depth > MAX_DEPTH) {
        const message = `arrays and objects are nested deeper than ${MAX_DEPTH} levels`;
        return { kind: "depth", message, offset: scanner.getTokenOffset(), length: 1 };
      }
    }
    if (token === TOKEN.closeBrace || token === TOKEN.closeBracket) depth -= 1;
  }
  return null;
}

const SYNTAX_MESSAGES: Readonly<Record<string, string>> = {
  InvalidSymbol: "is not a JSON value",
  InvalidNumberFormat: "is not a JSON number",
  PropertyNameExpected: "a key in double quotes is expected",
  ValueExpected: "a value is expected",
  ColonExpected: 'a ":" is expected after the key',
  CommaExpected: 'a "," is expected',
  CloseBraceExpected: 'a "}" is expected',
  CloseBracketExpected: 'a "]" is expected',
  EndOfFileExpected: "the document has ended, nothing may follow",
  InvalidCommentToken: "comments are not allowed in JSON",
  UnexpectedEndOfComment: "comments are not allowed in JSON",
  UnexpectedEndOfString: "the string is not closed",
  UnexpectedEndOfNumber: "the number is not complete",
  InvalidUnicode: 'the string has a "\\u" escape without four hexadecimal digits',
  InvalidEscapeCharacter: 'the string has an unknown escape; allowed are \\" \\\\ \\/ \\b \\f \\n \\r \\t \\u',
  InvalidCharacter: "the string has a control character that must be escaped",
};

/** `text` is at most MAX_DEPTH deep here: the visitor recurses. */
function findSyntaxFaults(text: string, engineMessage: string): { faults: readonly SourceFault[]; rest: number } {
  const faults: SourceFault[] = [];
  let rest = 0;
  let last = -1;
  const onError = (error: ParseErrorCode, offset: number, length: number): void => {
    // Of several faults at one place the first names the cause.
    if (offset === last) return;
    last = offset;
    if (faults.length >= MAX_PROBLEMS) {
      rest += 1;
      return;
    }
    const said = SYNTAX_MESSAGES[printParseErrorCode(error)] ?? "is not JSON";
    const shown = text.slice(offset, offset + Math.min(length, SHOWN));
    const quoted = said.startsWith("is ") ? `"${shown}${length > SHOWN ? "..." : ""}" ${said}` : said;
    faults.push({ kind: "syntax", message: quoted, offset, length });
  };
  visit(text, { onError }, { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false });
  if (faults.length > 0) return { faults, rest };
  // The two parsers disagree (e.g. about white space outside JSON's four): take the engine's position.
  const offset = Number(/position (\d+)/.exec(engineMessage)?.[1] ?? 0);
  return { faults: [{ kind: "syntax", message: "the text is not JSON at this place", offset, length: 1 }], rest };
}

/** Units shown of what is no JSON. */
const SHOWN = 60;
