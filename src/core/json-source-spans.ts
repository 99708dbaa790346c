/**
 * Where the values of a JSON text stand: one pass of a scanner over the text for all places asked for.
 * Iterative: the text may be of any depth.
 */
import { createScanner } from "jsonc-parser";
import type { JsonPath } from "./json.ts";

/** The scanner's kinds of token: its own names are ambient const enums, which erasable TypeScript can't read. */
export const TOKEN = {
  openBrace: 1,
  closeBrace: 2,
  openBracket: 3,
  closeBracket: 4,
  comma: 5,
  colon: 6,
  string: 10,
  end: 17,
} as const;

/** A place to point at in a document. */
export interface Place {
  readonly path: JsonPath;
  /** Point at the key that holds the value instead of the value. */
  readonly key?: boolean;
  /** Point at a part of the value, which is a string: UTF-16 units of the decoded string. */
  readonly within?: { readonly offset: number; readonly length: number };
}

/** Line and column 1-based, column and length in UTF-16 units. */
export interface Span {
  readonly line: number;
  readonly column: number;
  readonly length: number;
}

interface Token {
  readonly offset: number;
  readonly length: number;
}

interface Wanted {
  readonly children: Map<string | number, Wanted>;
  key?: Token;
  value?: Token;
}

/**
 * The span of each place: the whole token of a key, string, number or literal, the opening bracket of an array or object.
 * A place that does not exist is the nearest enclosing value. Of equal keys the last counts, as in `JSON.parse`.
 */
export function locate(text: string, places: readonly Place[]): Span[] {
  const root: Wanted = { children: new Map() };
  for (const { path } of places) {
    let node = root;
    for (const step of path) {
      const child: Wanted = node.children.get(step) ?? { children: new Map() };
      node.children.set(step, child);
      node = child;
    }
  }
  fill(text, root);
  const toSpan = spanReader(text);
  return places.map((place) => toSpan(tokenOf(text, root, place)));
}

/** Line and column of a range of the text. */
export function spanAt(text: string, offset: number, length: number): Span {
  return spanReader(text)({ offset, length });
}

function tokenOf(text: string, root: Wanted, place: Place): Token {
  let node = root;
  let best: Token = root.value ?? { offset: 0, length: 1 };
  for (const step of place.path) {
    const child = node.children.get(step);
    if (child?.value === undefined) return best;
    node = child;
    best = child.value;
  }
  if (place.key) return node.key ?? best;
  if (place.within === undefined) return best;
  return partOfString(text, best, place.within);
}

/** Maps a range of a decoded string to its source, where an escape takes two or six units. */
function partOfString(text: string, token: Token, part: { offset: number; length: number }): Token {
  const end = token.offset + token.length - 1;
  let at = token.offset + 1;
  const skip = (units: number): void => {
    for (let left = units; left > 0 && at < end; left -= 1) {
      at += text[at] !== "\\" ? 1 : text[at + 1] === "u" ? 6 : 2;
    }
  };
  skip(part.offset);
  const offset = at;
  skip(part.length);
  return { offset, length: at - offset };
}

interface Frame {
  readonly kind: "object" | "array";
  readonly wanted: Wanted | undefined;
  step: string | number;
  /** In an object: the next string is a key. */
  expectsKey: boolean;
}

function fill(text: string, root: Wanted): void {
  const scanner = createScanner(text, true);
  const stack: Frame[] = [];
  const target = (): Wanted | undefined => {
    const top = stack.at(-1);
    return top === undefined ? root : top.wanted?.children.get(top.step);
  };
  for (let token = scanner.scan(); token !== TOKEN.end; token = scanner.scan()) {
    const top = stack.at(-1);
    const at: Token = { offset: scanner.getTokenOffset(), length: scanner.getTokenLength() };
    if (token === TOKEN.closeBrace || token === TOKEN.closeBracket) {
      stack.pop();
    } else if (token === TOKEN.comma) {
      if (top?.kind === "array") top.step = Number(top.step) + 1;
      else if (top !== undefined) top.expectsKey = true;
    } else if (token === TOKEN.colon) {
      if (top !== undefined) top.expectsKey = false;
    } else if (token === TOKEN.string && top?.kind === "object" && top.expectsKey) {
      top.step = scanner.getTokenValue();
      const wanted = target();
      if (wanted !== undefined) {
        wanted.key = at;
        forget(wanted.children);
      }
    } else {
      const wanted = target();
      if (wanted !== undefined) wanted.value = at;
      const opensObject = token === TOKEN.openBrace;
      if (opensObject || token === TOKEN.openBracket) {
        stack.push({
          kind: opensObject ? "object" : "array",
          wanted,
          step: opensObject ? "" : 0,
          expectsKey: opensObject,
        });
      }
    }
  }
}

/** The paths of keys an object of a JSON text has more than once, each once, in the order of the text. */
export function repeatedKeys(text: string): readonly JsonPath[] {
  const scanner = createScanner(text, true);
  const repeated = new Map<string, JsonPath>();
  /** The open arrays and objects; `keys` are those an object has had. */
  const stack: { step: string | number; keys: Set<string> | null; expectsKey: boolean }[] = [];
  for (let token = scanner.scan(); token !== TOKEN.end; token = scanner.scan()) {
    const top = stack.at(-1);
    if (token === TOKEN.openBrace) stack.push({ step: "", keys: new Set(), expectsKey: true });
    else if (token === TOKEN.openBracket) stack.push({ step: 0, keys: null, expectsKey: false });
    else if (token === TOKEN.closeBrace || token === TOKEN.closeBracket) stack.pop();
    else if (top === undefined) continue;
    else if (token === TOKEN.comma && typeof top.step === "number") top.step += 1;
    else if (token === TOKEN.comma) top.expectsKey = true;
    else if (token === TOKEN.string && top.keys !== null && top.expectsKey) {
      top.step = scanner.getTokenValue();
      top.expectsKey = false;
      const path = stack.map(({ step }) => step);
      if (top.keys.has(top.step)) repeated.set(JSON.stringify(path), path);
      top.keys.add(top.step);
    }
  }
  return [...repeated.values()];
}

/** A repeated key replaces what stood below the first. */
function forget(children: Map<string | number, Wanted>): void {
  for (const child of children.values()) {
    delete child.key;
    delete child.value;
    forget(child.children);
  }
}

function spanReader(text: string): (token: Token) => Span {
  const lineStarts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lineStarts.push(at + 1);
  return ({ offset, length }) => {
    let low = 0;
    let high = lineStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((lineStarts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (lineStarts[low] ?? 0) + 1, length };
  };
}
