/** URL and URLPattern, parsed by Node's own parser in the child (URL standard, URL Pattern standard). */

import type { UrlParts, UrlPatternAnswer } from "../../protocol/ops.ts";
import { askUrlPattern, readUrlParts, setUrl } from "../bridge/bridge.ts";
import { parseUrl } from "../bridge/parse-url.ts";
import { linkParams, resetParams, URLSearchParams } from "./url-search-params.ts";
import { exposeMembers, requireConstructorArguments, toDictionary, toUsvString } from "./webidl.ts";

type Settable = "protocol" | "username" | "password" | "host" | "hostname" | "port" | "pathname" | "search" | "hash";

function createInvalidUrlError(href: string): TypeError {
  return Object.assign(new TypeError(`Invalid URL: ${JSON.stringify(href)}`), { code: "ERR_INVALID_URL", input: href });
}

export class URL {
  #href: string;
  /** Those of `#href`, asked for when one is read: a request needs none. */
  #known: UrlParts | undefined;
  #searchParams: URLSearchParams | undefined;

  constructor(...args: readonly [url: unknown, base?: unknown]) {
    requireConstructorArguments(args.length, 1, "URL");
    const href = toUsvString(args[0]);
    const parsed = parseUrl(href, args[1] === undefined ? undefined : toUsvString(args[1]));
    if (parsed === null) throw createInvalidUrlError(href);
    this.#href = parsed;
  }

  static parse(url: unknown, base: unknown = undefined): URL | null {
    try {
      return base === undefined ? new URL(url) : new URL(url, base);
    } catch (error) {
      if (error instanceof TypeError && "code" in error) return null;
      throw error;
    }
  }
  static canParse(url: unknown, base: unknown = undefined): boolean {
    return parseUrl(toUsvString(url), base === undefined ? undefined : toUsvString(base)) !== null;
  }

  get #parts(): UrlParts {
    this.#known ??= readUrlParts(this.#href);
    return this.#known;
  }
  #become(href: string): void {
    this.#href = href;
    this.#known = undefined;
  }
  #set(property: Settable, value: unknown): void {
    this.#become(setUrl({ op: "url.set", href: this.#href, property, value: toUsvString(value) }));
  }
  #syncParams(): void {
    if (this.#searchParams !== undefined) resetParams(this.#searchParams, this.#parts.search.slice(1));
  }

  get href(): string {
    return this.#href;
  }
  set href(value: unknown) {
    const href = toUsvString(value);
    const parsed = parseUrl(href);
    if (parsed === null) throw createInvalidUrlError(href);
    this.#become(parsed);
    this.#syncParams();
  }
  get origin(): string {
    return this.#parts.origin;
  }
  get protocol(): string {
    return this.#parts.protocol;
  }
  set protocol(value: unknown) {
    this.#set("protocol", value);
  }
  get username(): string {
    return this.#parts.username;
  }
  set username(value: unknown) {
    this.#set("username", value);
  }
  get password(): string {
    return this.#parts.password;
  }
  set password(value: unknown) {
    this.#set("password", value);
  }
  get host(): string {
    return this.#parts.host;
  }
  set host(value: unknown) {
    this.#set("host", value);
  }
  get hostname(): string {
    return this.#parts.hostname;
  }
  set hostname(value: unknown) {
    this.#set("hostname", value);
  }
  get port(): string {
    return this.#parts.port;
  }
  set port(value: unknown) {
    this.#set("port", value);
  }
  get pathname(): string {
    return this.#parts.pathname;
  }
  set pathname(value: unknown) {
    this.#set("pathname", value);
  }
  get search(): string {
    return this.#parts.search;
  }
  set search(value: unknown) {
    this.#set("search", value);
    this.#syncParams();
  }
  get searchParams(): URLSearchParams {
    if (this.#searchParams === undefined) {
      this.#searchParams = new URLSearchParams(this.#parts.search);
      linkParams(this.#searchParams, (query) => this.#set("search", query));
    }
    return this.#searchParams;
  }
  get hash(): string {
    return this.#parts.hash;
  }
  set hash(value: unknown) {
    this.#set("hash", value);
  }
  toString(): string {
    return this.#href;
  }
  toJSON(): string {
    return this.#href;
  }
}
exposeMembers(URL, "URL", { new: 1, "static canParse": 1, "static parse": 1 });

const COMPONENTS = ["protocol", "username", "password", "hostname", "port", "pathname", "search", "hash"] as const;
type PatternInit = string | { readonly [component: string]: string };

function toPatternInit(value: unknown): PatternInit {
  if (typeof value !== "object" || value === null) return toUsvString(value);
  const init: { [component: string]: string } = {};
  for (const key of [...COMPONENTS, "baseURL"]) {
    const component = toDictionary(value, "URLPatternInit")[key];
    if (component !== undefined) init[key] = toUsvString(component);
  }
  return init;
}

let componentOf: (pattern: URLPattern, name: string) => string;

export class URLPattern {
  static {
    componentOf = (pattern, name) => pattern.#answer.components[name] ?? "";
  }

  readonly #op: { readonly init: PatternInit; readonly base?: string; readonly ignoreCase: boolean };
  readonly #answer: UrlPatternAnswer;

  constructor(input: unknown = {}, base: unknown = undefined, options: unknown = undefined) {
    const hasBase = typeof base === "string";
    const { ignoreCase } = toDictionary(hasBase ? options : (base ?? options), "URLPatternOptions");
    this.#op = {
      init: toPatternInit(input),
      ignoreCase: Boolean(ignoreCase),
      ...(hasBase && { base: toUsvString(base) }),
    };
    this.#answer = askUrlPattern({ op: "url.pattern", ...this.#op });
  }

  exec(input: unknown = {}, base: unknown = undefined): unknown {
    const url = toPatternInit(input);
    const { match } = askUrlPattern<UrlPatternAnswer>({
      op: "url.pattern",
      ...this.#op,
      input: { url, ...(base !== undefined && { base: toUsvString(base) }) },
    });
    return match;
  }
  test(input: unknown = {}, base: unknown = undefined): boolean {
    return this.exec(input, base) !== null;
  }
  get hasRegExpGroups(): boolean {
    return this.#answer.hasRegExpGroups;
  }
}
for (const name of COMPONENTS) {
  Object.defineProperty(URLPattern.prototype, name, {
    get(this: URLPattern) {
      return componentOf(this, name);
    },
    configurable: true,
  });
}
exposeMembers(URLPattern, "URLPattern");
