/**
 * Forms of a secret whose characters may each be written in several ways: `\"`, `\u0022`, `%22`, `&quot;`, `&#34;`, and
 * those escaped once or twice more. A secret is followed character by character, in all ways at once.
 */
import type { Span } from "./span.ts";

/** Most UTF-16 units one unit of a secret takes where it is escaped: three bytes, each `%2525hh`. */
export const FORM_REACH = 21;

/** How often an escape is escaped: not at all, once, twice. */
const LEVELS = [0, 1, 2] as const;

/** One character: what it may read, longest first, as it is last. */
type Ways = readonly string[];

/** One secret at one level, character by character. */
type Form = readonly Ways[];

/** Where the forms of secrets may begin: the ways of first characters, unit by unit. */
export interface EscapeIndex {
  readonly next: Map<number, EscapeIndex>;
  /** Forms whose first character has been read whole here. */
  readonly forms: Form[];
}

/** Prepares secrets to be found. */
export function indexEscapes(secrets: readonly string[]): EscapeIndex {
  const index: EscapeIndex = { next: new Map(), forms: [] };
  const known = new Map<string, Ways>();
  for (const level of LEVELS) {
    for (const secret of secrets) {
      const form = [...secret].map((character) => {
        const key = `${level}${character}`;
        const ways = known.get(key) ?? listWays(character, level);
        known.set(key, ways);
        return ways;
      });
      for (const way of form[0] ?? []) addStart(index, way, form);
    }
  }
  return index;
}

function addStart(index: EscapeIndex, way: string, form: Form): void {
  let node = index;
  for (let at = 0; at < way.length; at += 1) {
    const unit = way.charCodeAt(at);
    const next = node.next.get(unit) ?? { next: new Map(), forms: [] };
    node.next.set(unit, next);
    node = next;
  }
  node.forms.push(form);
}

/** Units that begin an escape, or stand for another character. */
const INTRODUCERS: ReadonlySet<number> = new Set(Array.from("%\\&+\r", (unit) => unit.charCodeAt(0)));

/** Whether a text holds anything that begins an escape. */
export function mayBeEscaped(text: string): boolean {
  return /[%\\&+\r]/.test(text);
}

/** Every place from `start` and before `end` where one of the secrets begins, its characters written in any way. */
export function findEscaped(text: string, index: EscapeIndex, start: number, end: number): Span[] {
  const spans: Span[] = [];
  for (let from = start; from < end; from += 1) {
    let at = from;
    for (
      let node = index.next.get(text.charCodeAt(at));
      node !== undefined;
      node = node.next.get(text.charCodeAt(at))
    ) {
      at += 1;
      for (const form of node.forms) {
        const end = findEnd(text, at, form);
        if (end >= 0) spans.push([from, end]);
      }
    }
  }
  return spans;
}

/**
 * The place behind a secret whose first character has been read; -1 where it does not go on. What begins an escape may
 * also stand for itself, as a backslash does in HTML: every place where the next character may begin is followed.
 */
function findEnd(text: string, second: number, form: Form): number {
  let places = [second];
  for (let index = 1; index < form.length && places.length > 0; index += 1)
    places = advancePlaces(text, places, form[index] ?? []);
  return Math.max(-1, ...places);
}

/** The places behind one character that may begin at each of these. */
function advancePlaces(text: string, places: readonly number[], ways: Ways): number[] {
  const next: number[] = [];
  for (const at of places) {
    // most characters are written as they are: the last way
    const tried = INTRODUCERS.has(text.charCodeAt(at)) ? ways : ways.slice(-1);
    for (const way of tried) {
      if (text.startsWith(way, at) && !next.includes(at + way.length)) next.push(at + way.length);
    }
  }
  return next;
}

function listWays(character: string, level: number): Ways {
  const escapes = [
    ...escapeByBackslash(character, level),
    ...encodePercent(character, level),
    ...encodeEntities(character, level),
    ...(character === " " ? ["+"] : []),
    ...(character === "\n" ? ["\r\n"] : []),
  ];
  return [...new Set(escapes)].sort((a, b) => b.length - a.length).concat(character);
}

/** As `JSON.stringify` and its like write it, `level` times more. */
function escapeByBackslash(character: string, level: number): readonly string[] {
  const before = "\\".repeat(2 ** level);
  const units = character.split("").map((unit) => unit.charCodeAt(0).toString(16).padStart(4, "0"));
  const escapes = [units, units.map((hex) => hex.toUpperCase())].map((hexes) =>
    hexes.map((hex) => `${before}u${hex}`).join(""),
  );
  const letter = LETTERS.get(character);
  if (letter !== undefined) escapes.push(before + letter);
  if (character === "\\") escapes.push(before + before);
  if ("\"'/`".includes(character)) escapes.push(`${"\\".repeat(2 ** (level + 1) - 1)}${character}`, before + character);
  return escapes;
}

const LETTERS: ReadonlyMap<string, string> = new Map([
  ["\n", "n"],
  ["\r", "r"],
  ["\t", "t"],
  ["\b", "b"],
  ["\f", "f"],
  ["\v", "v"],
]);

/** As `encodeURIComponent` writes it, also where it would leave the character alone. */
function encodePercent(character: string, level: number): readonly string[] {
  const sign = `%${"25".repeat(level)}`;
  const bytes = [...Buffer.from(character.toWellFormed(), "utf8")].map((byte) => byte.toString(16).padStart(2, "0"));
  const lower = bytes.map((hex) => sign + hex).join("");
  return [lower, bytes.map((hex) => sign + hex.toUpperCase()).join("")];
}

/** As HTML and XML may write it. */
function encodeEntities(character: string, level: number): readonly string[] {
  const code = character.codePointAt(0) ?? 0;
  const [decimal, hex] = [String(code), code.toString(16)];
  const names = [
    ...[decimal, decimal.padStart(3, "0"), decimal.padStart(4, "0")].map((digits) => `#${digits}`),
    ...[hex, hex.padStart(2, "0"), hex.padStart(4, "0")].flatMap((digits) => [
      `#x${digits}`,
      `#x${digits.toUpperCase()}`,
      `#X${digits.toUpperCase()}`,
    ]),
  ];
  const name = NAMES.get(character);
  return [...names, ...(name === undefined ? [] : [name])].map((each) => `&${"amp;".repeat(level)}${each};`);
}

const NAMES: ReadonlyMap<string, string> = new Map([
  ['"', "quot"],
  ["&", "amp"],
  ["'", "apos"],
  ["<", "lt"],
  [">", "gt"],
  ["\u00a0", "nbsp"],
]);
