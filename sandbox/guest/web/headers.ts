/** Headers (Fetch standard, section 5.1), Node-style: no forbidden names, `set-cookie` readable. */
import { exposePairs } from "./pair-iterable.ts";
import { exposeMembers, isObject, toByteString, toSequence } from "./webidl.ts";

type Header = readonly [name: string, value: string];

let listOf: (headers: Headers) => readonly Header[];
let sortedOf: (headers: Headers) => readonly Header[];
let makeImmutable: (headers: Headers) => void;
let makeOfList: (list: readonly Header[]) => Headers;

const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

export class Headers {
  static {
    listOf = (headers) => headers.#list;
    sortedOf = (headers) => headers.#sorted();
    makeImmutable = (headers) => {
      headers.#immutable = true;
    };
    makeOfList = (list) => {
      const headers = new Headers();
      headers.#list = [...list];
      return headers;
    };
  }

  /** Names as first given; compared in lower case. */
  #list: Header[] = [];
  #immutable = false;

  constructor(init: unknown = undefined) {
    if (init === undefined) return;
    if (!isObject(init)) {
      throw new TypeError("Headers: the argument is neither a record nor a sequence of pairs");
    }
    for (const [name, value] of readInitPairs(init)) this.#append(name, value);
  }

  #append(name: unknown, value: unknown): void {
    const [key, text] = toHeader(name, value);
    this.#requireMutable();
    const known = this.#list.find(([n]) => n.toLowerCase() === key.toLowerCase());
    this.#list.push([known === undefined ? key : known[0], text]);
  }
  #requireMutable(): void {
    if (this.#immutable) throw new TypeError("These headers are immutable");
  }
  #get(key: string): string | null {
    const values = this.#list.filter(([n]) => n.toLowerCase() === key).map(([, value]) => value);
    return values.length === 0 ? null : values.join(", ");
  }
  /** "Sort and combine". */
  #sorted(): readonly Header[] {
    const names = [...new Set(this.#list.map(([name]) => name.toLowerCase()))].sort();
    return names.flatMap((name): Header[] =>
      name === "set-cookie" ? this.getSetCookie().map((value) => [name, value]) : [[name, this.#get(name) ?? ""]],
    );
  }

  append(name: unknown, value: unknown): void {
    this.#append(name, value);
  }
  delete(name: unknown): void {
    const key = toName(name).toLowerCase();
    this.#requireMutable();
    this.#list = this.#list.filter(([n]) => n.toLowerCase() !== key);
  }
  get(name: unknown): string | null {
    return this.#get(toName(name).toLowerCase());
  }
  getSetCookie(): string[] {
    return this.#list.filter(([name]) => name.toLowerCase() === "set-cookie").map(([, value]) => value);
  }
  has(name: unknown): boolean {
    const key = toName(name).toLowerCase();
    return this.#list.some(([n]) => n.toLowerCase() === key);
  }
  set(name: unknown, value: unknown): void {
    const [key, text] = toHeader(name, value);
    this.#requireMutable();
    const first = this.#list.findIndex(([n]) => n.toLowerCase() === key.toLowerCase());
    if (first < 0) {
      this.#list.push([key, text]);
      return;
    }
    this.#list[first] = [this.#list[first]?.[0] ?? key, text];
    this.#list = this.#list.filter(([n], index) => n.toLowerCase() !== key.toLowerCase() || index <= first);
  }
}
exposeMembers(Headers, "Headers", { append: 2, delete: 1, get: 1, has: 1, set: 2 });
exposePairs(Headers, "Headers", (headers) => sortedOf(headers));

function toName(name: unknown): string {
  const text = toByteString(name);
  if (!NAME.test(text)) throw new TypeError(`"${text}" is not a valid header name`);
  return text;
}

function toHeader(name: unknown, value: unknown): Header {
  const key = toByteString(name);
  const text = toByteString(value).replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, "");
  if (!NAME.test(key)) throw new TypeError(`"${key}" is not a valid header name`);
  if (/[\0\r\n]/.test(text)) throw new TypeError(`the value of header "${key}" holds a line break or NUL`);
  return [key, text];
}

function readInitPairs(init: object): (readonly [unknown, unknown])[] {
  const sequence = toSequence(init, (item) => {
    const pair = isObject(item) ? toSequence(item, toByteString) : undefined;
    if (pair?.length !== 2) throw new TypeError("Headers: each pair must be a sequence of two elements");
    return [pair[0], pair[1]] as const;
  });
  if (sequence !== undefined) return sequence;
  const pairs: (readonly [unknown, unknown])[] = [];
  for (const key of Reflect.ownKeys(init)) {
    if (!Reflect.getOwnPropertyDescriptor(init, key)?.enumerable) continue;
    const name = toByteString(key);
    pairs.push([name, toByteString(Reflect.get(init, key))]);
  }
  return pairs;
}

/** The list as it is sent, in order. */
export function listHeaders(headers: Headers): readonly Header[] {
  return listOf(headers);
}

/** The headers of a message that came from the network, where their names and values were checked. */
export function createNetworkHeaders(list: readonly Header[]): Headers {
  const headers = makeOfList(list);
  makeImmutable(headers);
  return headers;
}

/** Refuses changes from now on. */
export function freezeHeaders(headers: Headers): void {
  makeImmutable(headers);
}
