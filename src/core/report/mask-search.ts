/**
 * Finds many texts at once in time linear in what is searched (Aho and Corasick). A character may also be written as an
 * escape that stands for it: all readings of a place are followed, and those that come to the same become one.
 */
import { listReadings, type Ways } from "./mask-escapes.ts";
import type { Span } from "./span.ts";

/** The beginning of one of the texts. Most have one continuation: only others take a map. */
interface Node {
  unit: number;
  child: Node | null;
  more: Map<number, Node> | null;
  /** The longest other beginning that ends with this one; null for the root. */
  shorter: Node | null;
  /** Units of the longest text that ends here; 0: none does. */
  found: number;
}

/** Texts to be found, at least two UTF-16 units each. */
export interface TextIndex {
  readonly root: Node;
  /** Whether a text begins with two units of this sum, so that most places are passed without a look-up. */
  readonly begins: Uint8Array;
}

const SUMS = 4096;

/** Prepares texts to be found. */
export function indexTexts(texts: Iterable<string>): TextIndex {
  const root = createNode();
  const begins = new Uint8Array(SUMS);
  for (const text of texts) {
    begins[addUnits(text.charCodeAt(0), text.charCodeAt(1))] = 1;
    let node = root;
    for (let at = 0; at < text.length; at += 1) node = findOrAdd(node, text.charCodeAt(at));
    node.found = text.length;
  }
  const nodes = [root];
  for (const node of nodes) {
    for (const [unit, next] of listChildren(node)) {
      next.shorter = node.shorter === null ? root : advance(node.shorter, unit);
      next.found ||= next.shorter.found;
      nodes.push(next);
    }
  }
  return { root, begins };
}

function createNode(): Node {
  return { unit: -1, child: null, more: null, shorter: null, found: 0 };
}

function findOrAdd(node: Node, unit: number): Node {
  const known = findNext(node, unit);
  if (known !== undefined) return known;
  const next = createNode();
  if (node.child === null) {
    node.unit = unit;
    node.child = next;
  } else {
    node.more ??= new Map();
    node.more.set(unit, next);
  }
  return next;
}

function findNext(node: Node, unit: number): Node | undefined {
  return node.unit === unit ? (node.child ?? undefined) : node.more?.get(unit);
}

function* listChildren({ unit, child, more }: Node): Generator<readonly [number, Node]> {
  if (child !== null) yield [unit, child];
  if (more !== null) yield* more;
}

function advance(from: Node, unit: number): Node {
  let node = from;
  for (;;) {
    const next = findNext(node, unit);
    if (next !== undefined) return next;
    if (node.shorter === null) return node;
    node = node.shorter;
  }
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
type Open = Map<Node, Read | null>;

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
    this.#open = new Map([[index.root, null]]);
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
    const { root, begins } = this.#index;
    let [[node, read] = [root, null]] = this.#open;
    let at = this.#at;
    do {
      const unit = text.charCodeAt(at);
      at += 1;
      // A text that begins here goes on with the next unit, or with what may be an escape.
      const next = text.charCodeAt(at);
      if (node === root && begins[addUnits(unit, next)] === 0 && !this.#mayBeRead(next)) continue;
      node = advance(node, unit);
      if (node === root) read = null;
      if (node.found > 0) this.spans.push([findStart(at, node.found, read), at]);
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
      this.#add(at + 1, advance(node, unit), read);
      for (const [characters, end] of readings) {
        let next = node;
        for (let index = 0; index < characters.length; index += 1) next = advance(next, characters.charCodeAt(index));
        this.#add(end, next, { start: at, end, units: characters.length, before: read });
      }
    }
    this.#at = at + 1;
    this.#open = this.#later.get(this.#at) ?? new Map([[this.#index.root, null]]);
    this.#later.delete(this.#at);
  }

  #add(at: number, node: Node, read: Read | null): void {
    const open: Open = this.#later.get(at) ?? new Map();
    this.#later.set(at, open);
    if (open.has(node)) return;
    open.set(node, node === this.#index.root ? null : read);
    if (node.found > 0) this.spans.push([findStart(at, node.found, read), at]);
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
