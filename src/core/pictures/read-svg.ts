/** SVG as its elements, read no more leniently than a browser reads XML: what is written in another way is refused. */

export interface SvgElement {
  /** Without a prefix. */
  readonly name: string;
  /** Those without a prefix, and `href` with any. */
  readonly attributes: readonly (readonly [name: string, value: string])[];
  readonly children: readonly SvgElement[];
  /** The text directly in it. */
  readonly text: string;
}

interface OpenElement extends SvgElement {
  readonly written: string;
  readonly children: SvgElement[];
  text: string;
}

/** Most elements within each other. */
const MOST_DEPTH = 200;

const OPEN = /<([a-z_][\w:.-]*)/iy;
const ATTRIBUTE = /\s+([a-z_][\w:.-]*)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/iy;
const OPEN_END = /\s*(\/?)>/y;
const CLOSE = /<\/([\w:.-]+)\s*>/y;
/** What stands beside elements, each with its end. */
const BESIDE = [
  ["<!--", "-->"],
  ["<?", "?>"],
  ["<!DOCTYPE", ">"],
] as const;
const CDATA = "<![CDATA[";

/** The root element; null for text that is no such XML. */
export function readSvg(text: string): SvgElement | null {
  return new Reader(text).read();
}

class Reader {
  readonly #text: string;
  readonly #open: OpenElement[] = [];
  #root: SvgElement | null = null;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): SvgElement | null {
    while (this.#at < this.#text.length) if (!this.#step()) return null;
    return this.#open.length === 0 ? this.#root : null;
  }

  /** Reads one part; false where it is none. */
  #step(): boolean {
    const text = this.#text;
    if (text[this.#at] !== "<") return this.#addText(this.#takeUntil("<", this.#at) ?? this.#takeRest());
    if (text.startsWith("</", this.#at)) return this.#close();
    if (text.startsWith(CDATA, this.#at)) {
      const found = this.#takePast("]]>", this.#at + CDATA.length);
      return found !== null && this.#addText(found, false);
    }
    const beside = BESIDE.find(([begin]) => text.startsWith(begin, this.#at));
    if (beside === undefined) return this.#openElement();
    const [begin, end] = beside;
    const found = this.#takePast(end, this.#at + begin.length);
    if (found === null) return false;
    // Entities hold others a thousandfold.
    if (begin === "<!DOCTYPE") return !found.includes("[") && this.#root === null;
    // A style sheet beside the root may hold anything, and in another encoding this is another text.
    return begin !== "<?" || !/^xml-stylesheet|encoding\s*=\s*["'](?!utf-8["'])/i.test(found);
  }

  #openElement(): boolean {
    const written = this.#take(OPEN)?.[1];
    if (written === undefined || this.#open.length >= MOST_DEPTH) return false;
    const attributes: [string, string][] = [];
    for (let found = this.#take(ATTRIBUTE); found !== null; found = this.#take(ATTRIBUTE)) {
      const [, name = "", quoted, other = ""] = found;
      const value = decode(quoted ?? other);
      if (value === null) return false;
      if (!name.includes(":")) attributes.push([name, value]);
      else if (toLocalName(name) === "href") attributes.push(["href", value]);
    }
    const end = this.#take(OPEN_END);
    const parent = this.#open.at(-1);
    if (end === null || (parent === undefined && this.#root !== null)) return false;
    const element = { written, name: toLocalName(written), attributes, children: [], text: "" };
    if (parent === undefined) this.#root = element;
    else parent.children.push(element);
    if (end[1] === "") this.#open.push(element);
    return true;
  }

  #close(): boolean {
    return this.#take(CLOSE)?.[1] === this.#open.pop()?.written;
  }

  #addText(written: string, isEscaped = true): boolean {
    const text = isEscaped ? decode(written) : written;
    const element = this.#open.at(-1);
    if (element === undefined) return text?.trim() === "";
    if (text === null) return false;
    element.text += text;
    return true;
  }

  #take(part: RegExp): RegExpExecArray | null {
    part.lastIndex = this.#at;
    const found = part.exec(this.#text);
    if (found !== null) this.#at = part.lastIndex;
    return found;
  }

  /** The text before an end, which is passed over; null where it does not come. */
  #takePast(end: string, from: number): string | null {
    const found = this.#takeUntil(end, from);
    if (found !== null) this.#at += end.length;
    return found;
  }

  #takeUntil(end: string, from: number): string | null {
    const at = this.#text.indexOf(end, from);
    if (at === -1) return null;
    this.#at = at;
    return this.#text.slice(from, at);
  }

  #takeRest(): string {
    const rest = this.#text.slice(this.#at);
    this.#at = this.#text.length;
    return rest;
  }
}

function toLocalName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
]);

/** Text with what its references stand for; null with one that nobody has declared. */
function decode(written: string): string | null {
  let isKnown = true;
  const text = written.replace(/&(?:([^;&\s]{1,8});)?/g, (_, name = "") => {
    const found = ENTITIES.get(name) ?? decodePoint(name);
    isKnown &&= found !== null;
    return found ?? "";
  });
  return isKnown ? text : null;
}

function decodePoint(name: string): string | null {
  const [, hex, decimal] = /^#(?:x([\da-f]{1,6})|(\d{1,7}))$/i.exec(name) ?? [];
  const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  return point <= 0x10_ff_ff ? String.fromCodePoint(point) : null;
}
