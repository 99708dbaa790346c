/** URLSearchParams (URL standard, sections 5 and 6.2). */
import { encodeLatin1 } from "../bridge/bridge.ts";
import { decodeUtf8KeepingBom, encodeUtf8 } from "./encoding/encoding.ts";
import { exposePairs } from "./pair-iterable.ts";
import { exposeMembers, isObject, toSequence, toUsvString } from "./webidl.ts";

type Pair = readonly [name: string, value: string];

/** "application/x-www-form-urlencoded parsing". */
export function parseFormUrlEncoded(text: string): Pair[] {
  const pairs: Pair[] = [];
  for (const part of text.split("&")) {
    if (part === "") continue;
    const equals = part.indexOf("=");
    const name = equals < 0 ? part : part.slice(0, equals);
    pairs.push([decodePercent(name), equals < 0 ? "" : decodePercent(part.slice(equals + 1))]);
  }
  return pairs;
}

function decodePercent(text: string): string {
  const spaced = text.replaceAll("+", " ");
  if (!spaced.includes("%")) return spaced;
  let binary = "";
  for (const byte of encodeUtf8(spaced)) binary += String.fromCharCode(byte);
  const decoded = binary.replace(/%([0-9A-Fa-f]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return decodeUtf8KeepingBom(encodeLatin1(decoded));
}

/** "application/x-www-form-urlencoded serializing". */
export function serializeFormUrlEncoded(pairs: readonly Pair[]): string {
  return pairs.map(([name, value]) => `${encodePercent(name)}=${encodePercent(value)}`).join("&");
}

function encodePercent(text: string): string {
  return encodeURIComponent(text)
    .replace(/[!'()~]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll("%20", "+");
}

/** Opens the list to the URL it belongs to. */
let pairsOf: (params: URLSearchParams) => Pair[];
let linkTo: (params: URLSearchParams, changed: (query: string) => void) => void;
let replacePairs: (params: URLSearchParams, query: string) => void;

export class URLSearchParams {
  static {
    pairsOf = (params) => params.#pairs;
    linkTo = (params, changed) => {
      params.#changed = changed;
    };
    replacePairs = (params, query) => {
      params.#pairs = parseFormUrlEncoded(query);
    };
  }

  #pairs: Pair[] = [];
  #changed: (query: string) => void = () => {};

  constructor(init: unknown = "") {
    if (isObject(init)) this.#pairs = readInitPairs(init);
    else this.#pairs = parseFormUrlEncoded(toUsvString(init).replace(/^\?/, ""));
  }

  #update(): void {
    this.#changed(serializeFormUrlEncoded(this.#pairs));
  }

  get size(): number {
    return this.#pairs.length;
  }
  append(name: unknown, value: unknown): void {
    void this.#pairs;
    this.#pairs.push([toUsvString(name), toUsvString(value)]);
    this.#update();
  }
  delete(name: unknown, value: unknown = undefined): void {
    const key = toUsvString(name);
    const wanted = value === undefined ? undefined : toUsvString(value);
    this.#pairs = this.#pairs.filter(([n, v]) => n !== key || (wanted !== undefined && v !== wanted));
    this.#update();
  }
  get(name: unknown): string | null {
    const key = toUsvString(name);
    return this.#pairs.find(([n]) => n === key)?.[1] ?? null;
  }
  getAll(name: unknown): string[] {
    const key = toUsvString(name);
    return this.#pairs.filter(([n]) => n === key).map(([, v]) => v);
  }
  has(name: unknown, value: unknown = undefined): boolean {
    const key = toUsvString(name);
    const wanted = value === undefined ? undefined : toUsvString(value);
    return this.#pairs.some(([n, v]) => n === key && (wanted === undefined || v === wanted));
  }
  set(name: unknown, value: unknown): void {
    const key = toUsvString(name);
    const text = toUsvString(value);
    const first = this.#pairs.findIndex(([n]) => n === key);
    if (first < 0) this.#pairs.push([key, text]);
    else {
      this.#pairs[first] = [key, text];
      this.#pairs = this.#pairs.filter(([n], index) => n !== key || index <= first);
    }
    this.#update();
  }
  sort(): void {
    this.#pairs.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    this.#update();
  }
  toString(): string {
    return serializeFormUrlEncoded(this.#pairs);
  }
}
exposeMembers(URLSearchParams, "URLSearchParams", { append: 2, delete: 1, get: 1, getAll: 1, has: 1, set: 2 });
exposePairs(URLSearchParams, "URLSearchParams", (params) => pairsOf(params));

function readInitPairs(init: object): Pair[] {
  const sequence = toSequence(init, (item): Pair => {
    const [name, value, ...rest] = (isObject(item) ? toSequence(item, toUsvString) : undefined) ?? [];
    if (name === undefined || value === undefined || rest.length > 0) {
      throw new TypeError("URLSearchParams: each pair must be an iterable of two elements");
    }
    return [name, value];
  });
  if (sequence !== undefined) return sequence;
  const pairs = new Map<string, string>();
  for (const key of Reflect.ownKeys(init)) {
    if (!Reflect.getOwnPropertyDescriptor(init, key)?.enumerable) continue;
    const name = toUsvString(key);
    pairs.set(name, toUsvString(Reflect.get(init, key)));
  }
  return [...pairs];
}

/** Makes a list report its changes to its URL. */
export function linkParams(params: URLSearchParams, changed: (query: string) => void): void {
  linkTo(params, changed);
}

/** The URL's query changed: the list follows, without reporting back. */
export function resetParams(params: URLSearchParams, query: string): void {
  replacePairs(params, query);
}
