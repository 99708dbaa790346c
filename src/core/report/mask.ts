/**
 * Secrets masked by value wherever they appear; one shorter than 6 characters by its place only.
 *
 * Invariants:
 * 1. A secret is found as it is, escaped (JSON, addresses, HTML, also one in the other), in base64 at any alignment and
 *    in hexadecimal; each long line of a secret of several lines also alone.
 * 2. A text is masked before it is cut, or by `maskCut`: nobody finds half a secret.
 */
import { isJsonObject, type Json, type JsonPath } from "../json/json.ts";
import { FORM_REACH, indexWays, mayBeEscaped, type Ways } from "./mask-escapes.ts";
import { listLiteralForms } from "./mask-literals.ts";
import { indexTexts, Search } from "./mask-search.ts";
import type { Span } from "./span.ts";

/** Stands for a secret, whatever its length. */
export const MASKED = "********";

/** Shortest secret masked by value: a shorter one would tear up unrelated text. */
export const MIN_MASKED_LENGTH = 6;

/** Longest piece of a secret that is looked for at once, in characters. */
const PIECE = 32;

/** Characters of a text looked at in one step. */
const STEP = 4_096;

/** Masks every secret in a text. */
export interface Mask {
  (text: string): string;
  /** The same for a long text, in steps between which other work may be done. */
  readonly inSteps: (text: string) => Generator<void, string>;
  /** Masks a text whose end was cut off; what may be the beginning of a secret there is left out. */
  readonly ofCut: (text: string) => string;
}

/** Makes the mask of some secrets. */
export function createMask(secrets: Iterable<string>): Mask {
  const pieces = [...new Set([...secrets].flatMap(splitSecret))];
  if (pieces.length === 0) {
    const keepText = (text: string) => text;
    return Object.assign(keepText, { ofCut: keepText, inSteps: returnSame });
  }
  const index = indexTexts(pieces.flatMap(listLiteralForms));
  let ways: Ways | null = null;
  const reach = Math.max(...pieces.map(({ length }) => length)) * FORM_REACH;
  const open = (text: string): Search => {
    if (!mayBeEscaped(text)) return new Search(text, index, null);
    ways ??= indexWays(pieces);
    return new Search(text, index, ways);
  };
  const find = (text: string): readonly Span[] => {
    const search = open(text);
    search.run(text.length);
    return sortSpans(search.spans);
  };
  return Object.assign((text: string) => cover(text, find(text), text.length), {
    ofCut: (text: string) => {
      const spans = find(text);
      let end = Math.max(0, text.length - reach);
      for (const span of spans) if (span[0] < end && span[1] > end) end = span[1];
      return cover(text, spans, end);
    },
    *inSteps(text: string) {
      const search = open(text);
      for (let start = 0; start < text.length; start += STEP) {
        search.run(Math.min(text.length, start + STEP));
        yield;
      }
      return cover(text, sortSpans(search.spans), text.length);
    },
  });
}

function sortSpans(spans: readonly Span[]): readonly Span[] {
  return spans.toSorted(([a], [b]) => a - b);
}

function* returnSame(text: string): Generator<void, string> {
  yield;
  return text;
}

/** How much of a text its sender lets through, and how much of it is kept; in UTF-16 units. */
export interface TextLimit {
  readonly sent: number;
  readonly kept: number;
}

/** Masks a text that its sender cuts at `sent`, then cuts it to `kept` with an ellipsis. */
export function maskCut(text: string, mask: Mask, { sent, kept }: TextLimit): string {
  const wasCut = text.length >= sent;
  const masked = wasCut ? mask.ofCut(text.slice(0, sent)) : mask(text);
  if (!wasCut && masked.length <= kept) return masked;
  return `${masked.slice(0, kept - 1).toWellFormed()}…`;
}

/** The text up to a place with its spans covered; those that touch become one. */
function cover(text: string, spans: readonly Span[], end: number): string {
  let covered = "";
  let at = 0;
  let last = -1;
  for (const [from, to] of spans) {
    if (from >= end || to <= at) continue;
    if (from > at || last < 0) covered += text.slice(at, Math.max(at, from)) + MASKED;
    at = to;
    last = to;
  }
  return covered + text.slice(at, Math.max(at, end));
}

/** Pieces of about one length, since a cut or a line's end may leave only some of a secret. */
function splitSecret(secret: string): readonly string[] {
  const lines = /[\r\n]/.test(secret) ? secret.split(/\r\n|\r|\n/) : [];
  return [secret, ...lines].flatMap((text) => (text.length < MIN_MASKED_LENGTH ? [] : splitEvenly(text)));
}

/** By characters: half of one outside the basic plane is written in no encoding. */
function splitEvenly(text: string): readonly string[] {
  const characters = [...text];
  const count = Math.ceil(characters.length / PIECE);
  const at = (index: number) => Math.floor((index * characters.length) / count);
  return Array.from({ length: count }, (_, index) => characters.slice(at(index), at(index + 1)).join(""));
}

/** A copy with its strings and keys masked; the values at the given places are masked whole, whatever their length. */
export function maskJson(value: Json, mask: (text: string) => string, places: readonly JsonPath[] = []): Json {
  return maskBelow(value, mask, places.length === 0 ? undefined : indexPlaces(places));
}

/** `maskJson` in steps, without places; null where a value is nested deeper than so many levels. */
export function* maskJsonInSteps(
  value: Json,
  mask: Mask,
  levels: number,
): Generator<void, { readonly json: Json } | null> {
  if (typeof value === "string") return { json: yield* mask.inSteps(value) };
  if (typeof value !== "object" || value === null) return { json: value };
  if (levels === 0) return null;
  const keys: string[] = [];
  const items: Json[] = [];
  for (const [key, item] of isJsonObject(value) ? Object.entries(value) : iterateUnnamed(value)) {
    const masked = typeof item === "number" ? { json: item } : yield* maskJsonInSteps(item, mask, levels - 1);
    if (masked === null) return null;
    items.push(masked.json);
    if (key !== null) keys.push(yield* mask.inSteps(key));
    if (items.length % ITEMS === 0) yield;
  }
  if (!isJsonObject(value)) return { json: items };
  return { json: Object.fromEntries(keys.map((key, index) => [key, items[index] ?? null])) };
}

function* iterateUnnamed(items: readonly Json[]): Generator<readonly [null, Json]> {
  for (const item of items) yield [null, item];
}

/** Items of a list looked at in one step. */
const ITEMS = 256;

/** Places by their steps. */
interface PlaceTree {
  readonly next: Map<string | number, PlaceTree>;
  isPlace: boolean;
}

function indexPlaces(places: readonly JsonPath[]): PlaceTree {
  const root: PlaceTree = { next: new Map(), isPlace: false };
  for (const place of places) {
    let tree = root;
    for (const step of place) {
      const next = tree.next.get(step) ?? { next: new Map(), isPlace: false };
      tree.next.set(step, next);
      tree = next;
    }
    tree.isPlace = true;
  }
  return root;
}

function maskBelow(value: Json, mask: (text: string) => string, places: PlaceTree | undefined): Json {
  if (places?.isPlace === true) return value === "" || value === null ? value : MASKED;
  if (typeof value === "string") return mask(value);
  if (Array.isArray(value)) return value.map((item: Json, index) => maskBelow(item, mask, places?.next.get(index)));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([key, item]) => [mask(key), maskBelow(item, mask, places?.next.get(key))]));
}
