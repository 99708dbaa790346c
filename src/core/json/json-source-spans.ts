/**
 * Where the values of a JSON text stand: one pass of a scanner over the text for all places asked for.
 * Iterative: the text may be of any depth.
 */
import { createScanner } from "jsonc-parser";
import type { JsonPath } from "./json.ts";
import { createSpanReader, type Span, type TextRange } from "./text-spans.ts";

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

interface Wanted {
  readonly children: Map<string | number, Wanted>;
  key?: TextRange;
  value?: TextRange;
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
  const toSpan = createSpanReader(text);
  const partOf = createPartReader(text);
  return places.map((place) => toSpan(findToken(root, place, partOf)));
}

type PartReader = (token: TextRange, part: { readonly offset: number; readonly length: number }) => TextRange;

function findToken(root: Wanted, place: Place, partOf: PartReader): TextRange {
  let node = root;
  let best: TextRange = root.value ?? { offset: 0, length: 1 };
  for (const step of place.path) {
    const child = node.children.get(step);
    if (child?.value === undefined) return best;
    node = child;
    best = child.value;
  }
  if (place.key) return node.key ?? best;
  if (place.within === undefined) return best;
  return partOf(best, place.within);
}

/**
 * Maps ranges of decoded strings to their source, where an escape takes two or six units. A string with many places is
 * read on from the last one: places come in the order of the text, and a string may have thousands.
 */
function createPartReader(text: string): PartReader {
  /** Where the last place of each string began, by the string's offset. */
  const reached = new Map<number, { readonly units: number; readonly at: number }>();
  return (token, part) => {
    const end = token.offset + token.length - 1;
    const skip = (from: number, units: number): number => {
      let at = from;
      for (let left = units; left > 0 && at < end; left -= 1) {
        at += text[at] !== "\\" ? 1 : text[at + 1] === "u" ? 6 : 2;
      }
      return at;
    };
    const last = reached.get(token.offset);
    const known = last !== undefined && last.units <= part.offset ? last : { units: 0, at: token.offset + 1 };
    const offset = skip(known.at, part.offset - known.units);
    reached.set(token.offset, { units: part.offset, at: offset });
    return { offset, length: skip(offset, part.length) - offset };
  };
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
  const findTarget = (): Wanted | undefined => {
    const top = stack.at(-1);
    return top === undefined ? root : top.wanted?.children.get(top.step);
  };
  for (let token = scanner.scan(); token !== TOKEN.end; token = scanner.scan()) {
    const top = stack.at(-1);
    const at: TextRange = { offset: scanner.getTokenOffset(), length: scanner.getTokenLength() };
    if (token === TOKEN.closeBrace || token === TOKEN.closeBracket) {
      stack.pop();
    } else if (token === TOKEN.comma) {
      if (top?.kind === "array") top.step = Number(top.step) + 1;
      else if (top !== undefined) top.expectsKey = true;
    } else if (token === TOKEN.colon) {
      if (top !== undefined) top.expectsKey = false;
    } else if (token === TOKEN.string && top?.kind === "object" && top.expectsKey) {
      top.step = scanner.getTokenValue();
      const wanted = findTarget();
      if (wanted !== undefined) {
        wanted.key = at;
        forget(wanted.children);
      }
    } else {
      const wanted = findTarget();
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

/** A repeated key replaces what stood below the first. */
function forget(children: Map<string | number, Wanted>): void {
  for (const child of children.values()) {
    delete child.key;
    delete child.value;
    forget(child.children);
  }
}
