/**
 * Finds many texts at once in time linear in what is searched (text-automaton.ts). A character may also be written as an
 * escape that stands for it: all readings of a place are followed, and those that come to the same node become one.
 */

import { advance, buildAutomaton, ROOT, type TextAutomaton } from "../text-automaton.ts";
import { listReadings, type Ways } from "./mask-escapes.ts";
import type { Span } from "./span.ts";

/** Texts to be found, at least two UTF-16 units each. */
export interface TextIndex extends TextAutomaton {
  /** Units of the longest text that ends at a node; 0: none does. */
  readonly found: Uint32Array;
  /** Whether a text begins with two units of this sum, so that most places are passed without a look-up. */
  readonly begins: Uint8Array;
}

const SUMS = 4096;

/** Prepares texts to be found. */
export function indexTexts(texts: readonly string[]): TextIndex {
  const automaton = buildAutomaton(texts);
  const { shorter, order, ends } = automaton;
  const found = new Uint32Array(order.length);
  const begins = new Uint8Array(SUMS);
  for (const [index, text] of texts.entries()) {
    begins[addUnits(text.charCodeAt(0), text.charCodeAt(1))] = 1;
    found[ends[index] ?? ROOT] = text.length;
  }
  for (const node of order) if (found[node] === 0) found[node] = found[shorter[node] ?? ROOT] ?? 0;
  return { ...automaton, found, begins };
}

function addUnits(first: number, second: number): number {
  return (first * 31 + second) & (SUMS - 1);
}

/** An escape that was read as the characters it stands for, and the one read before. */
interface Read {
  readonly start: number;
  readonly end: number;
  readonly units: number;
  readonly before: Read | null;
}

/** What was read up to one place in every way; of the ways that come to one node the first counts. */
type Open = Map<number, Read | null>;

/** The search of one text, which can be stopped and continued. */
export class Search {
  /** For each place where a text ends, the longest that does; a text that reads another way may end there too. */
  readonly spans: Span[] = [];
  readonly #text: string;
  readonly #index: TextIndex;
  readonly #ways: Ways | null;
  readonly #later = new Map<number, Open>();
  #open: Open;
  #at = 0;

  /** `ways`: null for a text without escapes. */
  constructor(text: string, index: TextIndex, ways: Ways | null) {
    this.#text = text;
    this.#index = index;
    this.#ways = ways;
    this.#open = new Map([[ROOT, null]]);
  }

  /** Searches up to a place. */
  run(end: number): void {
    while (this.#at < end) {
      const readings = this.#ways === null ? [] : listReadings(this.#text, this.#at, this.#ways);
      if (readings.length === 0 && this.#open.size === 1 && this.#later.size === 0) this.#runPlain(end);
      else this.#step(readings);
    }
  }

  /** Goes on in the one way there is, up to what may be an escape. */
  #runPlain(end: number): void {
    const text = this.#text;
    const { begins, found } = this.#index;
    let [[node, read] = [ROOT, null]] = this.#open;
    let at = this.#at;
    do {
      const unit = text.charCodeAt(at);
      at += 1;
      // A text that begins here goes on with the next unit, or with what may be an escape.
      const next = text.charCodeAt(at);
      if (node === ROOT && begins[addUnits(unit, next)] === 0 && !this.#mayBeRead(next)) continue;
      node = advance(this.#index, node, unit);
      if (node === ROOT) read = null;
      const units = found[node] ?? 0;
      if (units > 0) this.spans.push([findStart(at, units, read), at]);
    } while (at < end && !this.#mayBeRead(text.charCodeAt(at)));
    this.#at = at;
    this.#open = new Map([[node, read]]);
  }

  #mayBeRead(unit: number): boolean {
    return this.#ways?.next.has(unit) === true;
  }

  #step(readings: readonly (readonly [read: string, end: number])[]): void {
    const at = this.#at;
    const unit = this.#text.charCodeAt(at);
    for (const [node, read] of this.#open) {
      this.#add(at + 1, advance(this.#index, node, unit), read);
      for (const [characters, end] of readings) {
        let next = node;
        for (let index = 0; index < characters.length; index += 1)
          next = advance(this.#index, next, characters.charCodeAt(index));
        this.#add(end, next, { start: at, end, units: characters.length, before: read });
      }
    }
    this.#at = at + 1;
    this.#open = this.#later.get(this.#at) ?? new Map([[ROOT, null]]);
    this.#later.delete(this.#at);
  }

  #add(at: number, node: number, read: Read | null): void {
    const open: Open = this.#later.get(at) ?? new Map();
    this.#later.set(at, open);
    if (open.has(node)) return;
    open.set(node, node === ROOT ? null : read);
    const units = this.#index.found[node] ?? 0;
    if (units > 0) this.spans.push([findStart(at, units, read), at]);
  }
}

/** The place where the last units that were read began. */
function findStart(end: number, found: number, last: Read | null): number {
  let [at, left] = [end, found];
  for (let read = last; read !== null; read = read.before) {
    if (left <= at - read.end) break;
    left -= at - read.end + read.units;
    at = read.start;
    if (left <= 0) return at;
  }
  return at - left;
}
