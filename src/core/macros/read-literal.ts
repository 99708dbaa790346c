/**
 * JSON written as a branch of an `$IF`: strings in any of the three quotes, macros in strings or bare as values
 * (docs/decisions.md, section 2.4).
 */
import { MAX_NESTING } from "./names.ts";
import { isQuote, type Reader, skipSpace } from "./reader.ts";
import type { Branch, Call } from "./tree.ts";

export interface ReadBranch {
  readonly branch: Branch;
  readonly end: number;
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORDS = { true: true, false: false, null: null } as const;
const ESCAPES: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

/** The object or array that begins at `at`, or null where what stands there is no JSON. */
export function readLiteral(reader: Reader, at: number): ReadBranch | null {
  const character = reader.text[at];
  return character === "{" || character === "[" ? readValue(reader, at) : null;
}

function readValue(reader: Reader, from: number): ReadBranch | null {
  const at = skipSpace(reader.text, from);
  if (reader.depth > MAX_NESTING) {
    const message = `JSON in a branch is nested deeper than ${MAX_NESTING} levels`;
    reader.fault({ code: "MACRO_NESTING", severity: "error", message, offset: at, length: 1 });
    return null;
  }
  reader.depth += 1;
  const read = readAt(reader, at);
  reader.depth -= 1;
  return read;
}

function readAt(reader: Reader, at: number): ReadBranch | null {
  const { text } = reader;
  const character = text.charAt(at);
  if (character === "[") return readArray(reader, at);
  if (character === "{") return readObject(reader, at);
  if (isQuote(character)) return readString(reader, at);
  if (character === "$") {
    const read = reader.callAt(at);
    return read && { branch: { kind: "sequence", parts: [read.call] }, end: read.end };
  }
  for (const [word, value] of Object.entries(WORDS)) {
    if (text.startsWith(word, at)) return { branch: { kind: "scalar", value }, end: at + word.length };
  }
  NUMBER.lastIndex = at;
  const number = NUMBER.exec(text)?.[0];
  return number === undefined ? null : { branch: { kind: "scalar", value: Number(number) }, end: at + number.length };
}

function readArray(reader: Reader, open: number): ReadBranch | null {
  const { text } = reader;
  const items: Branch[] = [];
  let at = skipSpace(text, open + 1);
  if (text[at] === "]") return { branch: { kind: "array", items }, end: at + 1 };
  for (;;) {
    const item = readValue(reader, at);
    if (item === null) return null;
    items.push(item.branch);
    at = skipSpace(text, item.end);
    if (text[at] === "]") return { branch: { kind: "array", items }, end: at + 1 };
    if (text[at] !== ",") return null;
    at += 1;
  }
}

function readObject(reader: Reader, open: number): ReadBranch | null {
  const { text } = reader;
  const entries: (readonly [string, Branch])[] = [];
  let at = skipSpace(text, open + 1);
  if (text[at] === "}") return { branch: { kind: "object", entries }, end: at + 1 };
  for (;;) {
    at = skipSpace(text, at);
    const key = isQuote(text.charAt(at)) ? readKey(text, at) : null;
    if (key === null) return null;
    at = skipSpace(text, key.end);
    if (text[at] !== ":") return null;
    const value = readValue(reader, at + 1);
    if (value === null) return null;
    entries.push([key.text, value.branch]);
    at = skipSpace(text, value.end);
    if (text[at] === "}") return { branch: { kind: "object", entries }, end: at + 1 };
    if (text[at] !== ",") return null;
    at += 1;
  }
}

/** A key is text: macros in keys are left alone. */
function readKey(text: string, open: number): { readonly text: string; readonly end: number } | null {
  let key = "";
  for (let at = open + 1; at < text.length; ) {
    if (text[at] === text[open]) return { text: key, end: at + 1 };
    const unit = readUnit(text, at);
    key += unit.text;
    at = unit.end;
  }
  return null;
}

function readString(reader: Reader, open: number): ReadBranch | null {
  const { text } = reader;
  const parts: (string | Call)[] = [];
  let run = "";
  for (let at = open + 1; at < text.length; ) {
    const read = text[at] === "$" ? reader.callAt(at) : null;
    if (read !== null) {
      if (run !== "") parts.push(run);
      run = "";
      parts.push(read.call);
      at = read.end;
    } else if (text[at] === text[open]) {
      if (run !== "") parts.push(run);
      return { branch: { kind: "sequence", parts }, end: at + 1 };
    } else {
      const unit = readUnit(text, at);
      run += unit.text;
      at = unit.end;
    }
  }
  return null;
}

/** One character of a JSON string, its escape read (RFC 8259, section 7; an escaped quote of any kind is that quote). */
function readUnit(text: string, at: number): { readonly text: string; readonly end: number } {
  if (text[at] !== "\\") return { text: text.charAt(at), end: at + 1 };
  const escaped = text.charAt(at + 1);
  const code = escaped === "u" ? /^[0-9a-fA-F]{4}/.exec(text.slice(at + 2, at + 6))?.[0] : undefined;
  if (code !== undefined) return { text: String.fromCharCode(Number.parseInt(code, 16)), end: at + 6 };
  return { text: ESCAPES[escaped] ?? escaped, end: at + 2 };
}
