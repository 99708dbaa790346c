/**
 * Types for authors of hooks and widgets: both contexts and everything a script may use, without the DOM library.
 *
 * In a catalog's tsconfig.json: `{"compilerOptions": {"lib": ["esnext"], "types": ["slipway/hook-api"], "module":
 * "preserve", "strict": true, "noEmit": true}}`, and in a script
 * `import type { HookContext, WidgetContext } from "slipway/hook-api"`. What scripts may not do, and the limits of a run,
 * are in docs/hooks.md.
 */

declare module "slipway/hook-api" {
  /** The context a hook's entrypoint gets. A plain, writable object. */
  export interface HookContext {
    /** Always `app`. */
    resourceType: "app";
    /** The app's id. */
    resourceId: string;
    /** The event that started the hook; `userAction` for pressed and link-fired runs. */
    event: "onBeforeInstall" | "onAfterInstall" | "onBeforeUpgrade" | "onAfterUpgrade" | "userAction";
    /** Previous version of the app; upgrades only. */
    fromVersion?: string;
    /** Target version of the app; upgrades only. */
    toVersion?: string;
    /** The host's LAN address. */
    host?: string;
    /** The app's first port. */
    port?: number;
    /** `http://{host}:{port}`; empty when the app has no port. */
    baseUrl: string;
    /** Collected input values by input id; prefer `getInput`. */
    inputs: Record<string, unknown>;
    /** The app's own directories, readable with `node:fs` at their `localPath`. */
    mounts: Mount[];
    /** Where the app keeps its configuration, when known. */
    configPath?: string;
    /** The files a file action was started on. */
    target?: FilesTarget;

    /**
     * Announces all checkpoints at once, in the order they will be reached; at most 200 in a run. An id has 1 to 64
     * characters, anything else throws a TypeError; a text is shown up to 500 characters.
     */
    registerCheckpoints(checkpoints: readonly Checkpoint[]): Promise<void>;
    /**
     * Marks a checkpoint completed, registering it when it is new; an ended one stays as it is.
     * @param message replaces the checkpoint's text
     * @param progress percent of the whole hook, 0 to 99; default: completed checkpoints of all
     */
    emitCheckpoint(id: string, message?: string, progress?: number): Promise<void>;
    /** Changes a checkpoint's text without ending it. */
    updateCheckpointMessage(id: string, message: string): Promise<void>;
    /** Marks a checkpoint skipped. */
    skipCheckpoint(id: string, message?: string): Promise<void>;
    /** Sets the progress shown, in percent, 0 to 99; 100 is reached by ending. */
    setProgress(percent: number): Promise<void>;
    /** Writes one line to the log for developers, never shown to the user. Objects are printed; 4 KB a line. */
    log(...values: unknown[]): void;
    /** Resolves after `ms` milliseconds. */
    sleep(ms: number): Promise<void>;
    /**
     * Asks the app until it answers, and resolves to its response. Rejects with an Error naming URL, attempts and the last
     * answer when all attempts are used up, and at once in an `onBeforeInstall` hook.
     * @param path below `baseUrl`, or a whole URL
     */
    waitForApp(path?: string, options?: WaitForAppOptions): Promise<Response>;
    /**
     * Ends the hook with a message for the user and details for diagnosis. Throws, so nothing after it runs; caught and
     * thrown again, it keeps its details.
     */
    fail(message: string, context?: readonly FailureDetail[]): never;
    /**
     * Stops at a failed checkpoint until the user presses Retry or Skip; the hook's timeout stands still meanwhile.
     * @returns what the user pressed
     */
    awaitCheckpointRetry(
      checkpointId: string,
      error: unknown,
      context?: readonly FailureDetail[],
    ): Promise<"retry" | "skip">;
    /** The base URL of another installed app, null when it is not installed. */
    getInstalledAppUrl(appId: string): Promise<string | null>;
    /**
     * One collected input. Throws an Error naming the input when it is missing or the schema refuses it.
     * @param schema an object with a `parse` function (zod and its like), or a synchronous Standard Schema
     */
    getInput<T = unknown>(inputId: string, schema?: InputSchema<T>): T;
  }

  /** The context a widget's entrypoint gets. Its fetches are GET and HEAD only. */
  export interface WidgetContext {
    appId: string;
    host: string;
    port?: number;
    mounts: Mount[];
    /** Writes one line to the log for developers; 200 lines, 64 KB in all. */
    log(...values: unknown[]): void;
  }

  /** A directory of the app. */
  export interface Mount {
    /** On the host. */
    hostPath: string;
    /** Inside the app's container; null when it is not mounted there. */
    containerPath: string | null;
    /** Where a script reads it. */
    localPath: string;
  }

  export interface FilesTarget {
    type: "files";
    files: { path: string; containerPath: string | null; name: string; extension: string; size?: number }[];
  }

  export interface Checkpoint {
    id: string;
    message: string;
  }

  /** One line of diagnosis beside a failure. */
  export interface FailureDetail {
    label: string;
    value: unknown;
  }

  /** Both spellings mean the same. */
  export interface WaitForAppOptions {
    /** Attempts; default 40. */
    retries?: number;
    maxAttempts?: number;
    /** Of one attempt, ms; default 5000. */
    timeout?: number;
    timeoutMs?: number;
    /** Default: any 2xx; a 401 or 503 is not ready. */
    expectedStatus?: number | readonly number[];
    /** Default GET. */
    method?: string;
    /** Wait after the first attempt, ms, growing 1.5 times each; default 5000. */
    initialDelayMs?: number;
    /** Longest wait, ms; default 15000. */
    maxDelayMs?: number;
    headers?: HeadersInit;
  }

  export type InputSchema<T> =
    | { parse(value: unknown): T }
    | {
        readonly "~standard": {
          readonly validate: (
            value: unknown,
          ) =>
            | { readonly value: T; readonly issues?: undefined }
            | { readonly issues: readonly { readonly message: string }[] };
        };
      };

  /** The value a widget's entrypoint returns: at most 16 fields; members that are `undefined` are dropped. */
  export type WidgetResult = { fields: Record<string, WidgetField | undefined> } | { needsSetup: true; reason: string };

  export type WidgetField =
    | { type: "text" /** At most 500 characters. */; text: string }
    | { type: "stat"; label: string; value: string | number }
    | { type: "list" /** At most 20. */; entries: WidgetEntry[] }
    | { type: "image" /** A `data:` URI of at most 60,000 characters. */; image: string; alt?: string };

  export interface WidgetEntry {
    title: string;
    subtitle?: string | undefined;
    meta?: string | undefined;
    /** A `data:` URI of at most 60,000 characters. */
    image?: string | undefined;
    elapsed?: { ms: number; ofMs?: number; state?: "running" | "paused" } | undefined;
  }
}

/** Reading below the app's mounts; everything is read-only and errors carry Node's codes. 4 MB a file. */
declare module "node:fs" {
  export function readFileSync(path: string | URL, encoding: TextEncoding | { encoding: TextEncoding }): string;
  export function readFileSync(path: string | URL, options?: { encoding?: null } | null): Buffer;
  export function readdirSync(path: string | URL, options: { withFileTypes: true; recursive?: boolean }): Dirent[];
  export function readdirSync(path: string | URL, options?: { recursive?: boolean } | "utf8" | null): string[];
  export function statSync(path: string | URL): Stats;
  export function lstatSync(path: string | URL): Stats;
  export function existsSync(path: string | URL): boolean;
  /** Throws when the file is not there. */
  export function accessSync(path: string | URL, mode?: number): void;
  export const constants: { readonly F_OK: 0; readonly X_OK: 1; readonly W_OK: 2; readonly R_OK: 4 };
  export const promises: typeof import("node:fs/promises");
  export interface Stats {
    readonly size: number;
    readonly mode: number;
    readonly mtimeMs: number;
    readonly mtime: Date;
    isFile(): boolean;
    isDirectory(): boolean;
    isSymbolicLink(): boolean;
  }
  export interface Dirent {
    readonly name: string;
    readonly parentPath: string;
    isFile(): boolean;
    isDirectory(): boolean;
    isSymbolicLink(): boolean;
  }
  type TextEncoding = "utf8" | "utf-8" | "latin1" | "ascii" | "hex" | "base64" | "base64url" | "utf16le";
  const fs: {
    readFileSync: typeof readFileSync;
    readdirSync: typeof readdirSync;
    statSync: typeof statSync;
    lstatSync: typeof lstatSync;
    existsSync: typeof existsSync;
    accessSync: typeof accessSync;
    constants: typeof constants;
    promises: typeof promises;
  };
  export default fs;
}

declare module "node:fs/promises" {
  import type { Dirent, Stats } from "node:fs";

  type TextEncoding = "utf8" | "utf-8" | "latin1" | "ascii" | "hex" | "base64" | "base64url" | "utf16le";
  export function readFile(path: string | URL, encoding: TextEncoding | { encoding: TextEncoding }): Promise<string>;
  export function readFile(path: string | URL, options?: { encoding?: null } | null): Promise<Buffer>;
  export function readdir(path: string | URL, options: { withFileTypes: true; recursive?: boolean }): Promise<Dirent[]>;
  export function readdir(path: string | URL, options?: { recursive?: boolean } | null): Promise<string[]>;
  export function stat(path: string | URL): Promise<Stats>;
  export function lstat(path: string | URL): Promise<Stats>;
  export function access(path: string | URL, mode?: number): Promise<void>;
}

/** The POSIX half; there is no working directory, relative paths count from `/`. */
declare module "node:path" {
  interface ParsedPath {
    root: string;
    dir: string;
    base: string;
    ext: string;
    name: string;
  }
  interface Path {
    readonly sep: "/";
    readonly delimiter: ":";
    isAbsolute(path: string): boolean;
    normalize(path: string): string;
    join(...parts: string[]): string;
    resolve(...parts: string[]): string;
    dirname(path: string): string;
    basename(path: string, suffix?: string): string;
    extname(path: string): string;
    relative(from: string, to: string): string;
    parse(path: string): ParsedPath;
    format(path: Partial<ParsedPath>): string;
    toNamespacedPath(path: string): string;
  }
  export const { sep, delimiter, isAbsolute, normalize, join, resolve, dirname, basename }: Path;
  export const { extname, relative, parse, format, toNamespacedPath }: Path;
  export const posix: Path;
  const path: Path & { posix: Path };
  export default path;
}

declare module "node:crypto" {
  export function randomUUID(): string;
  /** 0 to 65,536 bytes. */
  export function randomBytes(size: number): Buffer;
  export function createHash(algorithm: "md5" | "sha1" | "sha256" | "sha384" | "sha512"): Hash;
  export interface Hash {
    update(data: string | BufferSource, encoding?: "utf8" | "hex" | "base64" | "latin1"): this;
    digest(): Buffer;
    digest(encoding: "hex" | "base64" | "base64url" | "latin1"): string;
  }
}

declare module "node:buffer" {
  export const Buffer: typeof globalThis.Buffer;
  export type Buffer = globalThis.Buffer;
}

/** SQLite files below the app's mounts, read-only. */
declare module "bun:sqlite" {
  type Value = string | number | bigint | boolean | null | Uint8Array;
  type Params = Value[] | [Record<string, Value>] | [Value[]];
  export class Database implements Disposable {
    /** Throws an SQLiteError or a Node error when the file cannot be opened. */
    constructor(path: string, options?: { readonly?: boolean; strict?: boolean; create?: boolean });
    readonly filename: string;
    query<Row = Record<string, unknown>>(sql: string): Statement<Row>;
    prepare<Row = Record<string, unknown>>(sql: string): Statement<Row>;
    close(): void;
    [Symbol.dispose](): void;
  }
  export interface Statement<Row> extends Iterable<Row> {
    all(...params: Params): Row[];
    get(...params: Params): Row | null;
    values(...params: Params): unknown[][];
    iterate(...params: Params): IterableIterator<Row>;
    finalize(): void;
  }
  export class SQLiteError extends Error {}
  export default Database;
}

/** JSON with comments; the bundler takes it like JSON. */
declare module "*.jsonc" {
  // biome-ignore lint/suspicious/noExplicitAny: the file's content is not known to the compiler
  const value: any;
  export default value;
}

type BufferSource = ArrayBuffer | ArrayBufferView;
type HeadersInit = Headers | readonly (readonly [string, string])[] | Record<string, string>;
type BodyInit = string | Blob | BufferSource | FormData | URLSearchParams | ReadableStream<Uint8Array>;

declare class DOMException extends Error {
  constructor(message?: string, nameOrOptions?: string | { name?: string; cause?: unknown });
  readonly code: number;
}

interface EventInit {
  bubbles?: boolean;
  cancelable?: boolean;
  composed?: boolean;
}
declare class Event {
  constructor(type: string, init?: EventInit);
  readonly type: string;
  readonly target: EventTarget | null;
  readonly currentTarget: EventTarget | null;
  readonly cancelable: boolean;
  readonly defaultPrevented: boolean;
  readonly isTrusted: boolean;
  readonly timeStamp: number;
  preventDefault(): void;
  stopPropagation(): void;
  stopImmediatePropagation(): void;
}
declare class CustomEvent<T = unknown> extends Event {
  constructor(type: string, init?: EventInit & { detail?: T });
  readonly detail: T;
}
declare class ErrorEvent extends Event {
  constructor(type: string, init?: EventInit & { message?: string; error?: unknown });
  readonly message: string;
  readonly error: unknown;
}
type EventListenerOrObject = ((event: Event) => void) | { handleEvent(event: Event): void };
declare class EventTarget {
  addEventListener(
    type: string,
    listener: EventListenerOrObject | null,
    options?: boolean | { capture?: boolean; once?: boolean; passive?: boolean; signal?: AbortSignal },
  ): void;
  removeEventListener(
    type: string,
    listener: EventListenerOrObject | null,
    options?: boolean | { capture?: boolean },
  ): void;
  dispatchEvent(event: Event): boolean;
}
declare class AbortController {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
}
declare class AbortSignal extends EventTarget {
  private constructor();
  static abort(reason?: unknown): AbortSignal;
  /** Aborts with a TimeoutError after `ms` milliseconds. */
  static timeout(ms: number): AbortSignal;
  static any(signals: Iterable<AbortSignal>): AbortSignal;
  readonly aborted: boolean;
  readonly reason: unknown;
  onabort: ((event: Event) => void) | null;
  throwIfAborted(): void;
}

declare class Headers implements Iterable<[string, string]> {
  constructor(init?: HeadersInit);
  append(name: string, value: string): void;
  delete(name: string): void;
  get(name: string): string | null;
  getSetCookie(): string[];
  has(name: string): boolean;
  set(name: string, value: string): void;
  forEach(callback: (value: string, name: string, headers: Headers) => void): void;
  entries(): IterableIterator<[string, string]>;
  keys(): IterableIterator<string>;
  values(): IterableIterator<string>;
  [Symbol.iterator](): IterableIterator<[string, string]>;
}
interface Body {
  readonly body: ReadableStream<Uint8Array> | null;
  readonly bodyUsed: boolean;
  arrayBuffer(): Promise<ArrayBuffer>;
  blob(): Promise<Blob>;
  bytes(): Promise<Uint8Array<ArrayBuffer>>;
  formData(): Promise<FormData>;
  // biome-ignore lint/suspicious/noExplicitAny: what an app answers is for the script to know, as in the DOM library
  json<T = any>(): Promise<T>;
  text(): Promise<string>;
}
interface RequestInit {
  method?: string;
  headers?: HeadersInit;
  body?: BodyInit | null;
  redirect?: "follow" | "error" | "manual";
  signal?: AbortSignal | null;
  /** Needed with a stream as body. */
  duplex?: "half";
  /** Accepted, without effect: there are no cookies, caches or origins here. */
  mode?: "cors" | "no-cors" | "same-origin";
  credentials?: "omit" | "same-origin" | "include";
  cache?: "default" | "no-store" | "reload" | "no-cache" | "force-cache" | "only-if-cached";
  referrer?: string;
  referrerPolicy?: string;
  integrity?: string;
  keepalive?: boolean;
}
declare class Request implements Body {
  constructor(input: string | URL | Request, init?: RequestInit);
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly redirect: "follow" | "error" | "manual";
  readonly signal: AbortSignal;
  clone(): Request;
}
interface Request extends Body {}
interface ResponseInit {
  status?: number;
  statusText?: string;
  headers?: HeadersInit;
}
declare class Response implements Body {
  constructor(body?: BodyInit | null, init?: ResponseInit);
  static error(): Response;
  static json(data: unknown, init?: ResponseInit): Response;
  static redirect(url: string | URL, status?: number): Response;
  readonly ok: boolean;
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly url: string;
  readonly redirected: boolean;
  readonly type: "basic" | "default" | "error";
  clone(): Response;
}
interface Response extends Body {}
/**
 * Sends a request; `Cookie`, `Origin`, `Referer` and `Authorization` are sent as given. Resolves when the whole response is
 * there (16 MB at most). Rejects with a TypeError when there is no answer or the address is not allowed.
 */
declare function fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;

declare class Blob {
  constructor(
    parts?: Iterable<string | Blob | BufferSource>,
    options?: { type?: string; endings?: "transparent" | "native" },
  );
  readonly size: number;
  readonly type: string;
  slice(start?: number, end?: number, type?: string): Blob;
  text(): Promise<string>;
  arrayBuffer(): Promise<ArrayBuffer>;
  bytes(): Promise<Uint8Array<ArrayBuffer>>;
  stream(): ReadableStream<Uint8Array>;
}
declare class File extends Blob {
  constructor(
    parts: Iterable<string | Blob | BufferSource>,
    name: string,
    options?: { type?: string; lastModified?: number; endings?: "transparent" | "native" },
  );
  readonly name: string;
  readonly lastModified: number;
}
declare class FormData implements Iterable<[string, string | File]> {
  append(name: string, value: string | Blob, filename?: string): void;
  delete(name: string): void;
  get(name: string): string | File | null;
  getAll(name: string): (string | File)[];
  has(name: string): boolean;
  set(name: string, value: string | Blob, filename?: string): void;
  forEach(callback: (value: string | File, name: string, form: FormData) => void): void;
  entries(): IterableIterator<[string, string | File]>;
  keys(): IterableIterator<string>;
  values(): IterableIterator<string | File>;
  [Symbol.iterator](): IterableIterator<[string, string | File]>;
}

declare class URL {
  constructor(url: string | URL, base?: string | URL);
  static canParse(url: string | URL, base?: string | URL): boolean;
  static parse(url: string | URL, base?: string | URL): URL | null;
  href: string;
  readonly origin: string;
  protocol: string;
  username: string;
  password: string;
  host: string;
  hostname: string;
  port: string;
  pathname: string;
  search: string;
  readonly searchParams: URLSearchParams;
  hash: string;
  toString(): string;
  toJSON(): string;
}
declare class URLSearchParams implements Iterable<[string, string]> {
  constructor(init?: string | Iterable<readonly [string, string]> | Record<string, string>);
  readonly size: number;
  append(name: string, value: string): void;
  delete(name: string, value?: string): void;
  get(name: string): string | null;
  getAll(name: string): string[];
  has(name: string, value?: string): boolean;
  set(name: string, value: string): void;
  sort(): void;
  toString(): string;
  forEach(callback: (value: string, name: string, params: URLSearchParams) => void): void;
  entries(): IterableIterator<[string, string]>;
  keys(): IterableIterator<string>;
  values(): IterableIterator<string>;
  [Symbol.iterator](): IterableIterator<[string, string]>;
}
type URLPatternInput = string | Record<string, string>;
interface URLPatternResult {
  inputs: URLPatternInput[];
  [component: string]: { input: string; groups: Record<string, string | undefined> } | URLPatternInput[];
}
declare class URLPattern {
  constructor(input?: URLPatternInput, base?: string, options?: { ignoreCase?: boolean });
  constructor(input?: URLPatternInput, options?: { ignoreCase?: boolean });
  exec(input?: URLPatternInput, base?: string): URLPatternResult | null;
  test(input?: URLPatternInput, base?: string): boolean;
  readonly hasRegExpGroups: boolean;
  readonly protocol: string;
  readonly hostname: string;
  readonly port: string;
  readonly pathname: string;
  readonly search: string;
  readonly hash: string;
}

declare class TextEncoder {
  readonly encoding: "utf-8";
  encode(text?: string): Uint8Array<ArrayBuffer>;
  encodeInto(text: string, destination: Uint8Array): { read: number; written: number };
}
declare class TextDecoder {
  /** Throws a RangeError for an unknown label. */
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  decode(input?: BufferSource, options?: { stream?: boolean }): string;
}

interface ReadableStreamReadResult<T> {
  done: boolean;
  value: T | undefined;
}
interface ReadableStreamDefaultReader<T> {
  readonly closed: Promise<void>;
  read(): Promise<ReadableStreamReadResult<T>>;
  cancel(reason?: unknown): Promise<void>;
  releaseLock(): void;
}
declare class ReadableStream<T = unknown> implements AsyncIterable<T> {
  constructor(source?: {
    type?: "bytes";
    start?(controller: ReadableStreamController<T>): unknown;
    pull?(controller: ReadableStreamController<T>): unknown;
    cancel?(reason?: unknown): unknown;
  });
  static from<T>(items: Iterable<T> | AsyncIterable<T>): ReadableStream<T>;
  readonly locked: boolean;
  getReader(): ReadableStreamDefaultReader<T>;
  cancel(reason?: unknown): Promise<void>;
  tee(): [ReadableStream<T>, ReadableStream<T>];
  pipeTo(destination: WritableStream<T>, options?: { signal?: AbortSignal }): Promise<void>;
  pipeThrough<Out>(transform: { readable: ReadableStream<Out>; writable: WritableStream<T> }): ReadableStream<Out>;
  [Symbol.asyncIterator](): AsyncIterableIterator<T>;
}
interface ReadableStreamController<T> {
  readonly desiredSize: number | null;
  enqueue(chunk: T): void;
  close(): void;
  error(reason?: unknown): void;
}
declare class WritableStream<T = unknown> {
  constructor(sink?: {
    write?(chunk: T): unknown;
    close?(): unknown;
    abort?(reason?: unknown): unknown;
  });
  readonly locked: boolean;
  getWriter(): {
    write(chunk: T): Promise<void>;
    close(): Promise<void>;
    abort(reason?: unknown): Promise<void>;
    releaseLock(): void;
  };
  close(): Promise<void>;
  abort(reason?: unknown): Promise<void>;
}
declare class TransformStream<In = unknown, Out = unknown> {
  constructor(transformer?: {
    transform?(
      chunk: In,
      controller: { enqueue(chunk: Out): void; error(reason?: unknown): void; terminate(): void },
    ): unknown;
    flush?(controller: { enqueue(chunk: Out): void }): unknown;
  });
  readonly readable: ReadableStream<Out>;
  readonly writable: WritableStream<In>;
}
declare class TextDecoderStream extends TransformStream<BufferSource, string> {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
}
declare class TextEncoderStream extends TransformStream<string, Uint8Array> {}

/** Base64 of a text of characters up to U+00FF. */
declare function btoa(data: string): string;
declare function atob(data: string): string;
declare function structuredClone<T>(value: T, options?: { transfer?: readonly ArrayBuffer[] }): T;
// biome-ignore lint/suspicious/noExplicitAny: a promise's resolve, of whatever value, is the usual handler
type TimerHandler = (...args: any[]) => void;
declare function setTimeout(handler: TimerHandler, ms?: number, ...args: unknown[]): number;
declare function setInterval(handler: TimerHandler, ms?: number, ...args: unknown[]): number;
declare function clearTimeout(handle?: number): void;
declare function clearInterval(handle?: number): void;
declare function queueMicrotask(callback: () => void): void;
/** Logs an error nobody handles; it never ends the hook. */
declare function reportError(error: unknown): void;
declare function addEventListener(type: string, listener: EventListenerOrObject | null): void;
declare function removeEventListener(type: string, listener: EventListenerOrObject | null): void;
declare const self: typeof globalThis;

declare const crypto: {
  /** At most 65,536 bytes. */
  getRandomValues<T extends ArrayBufferView>(array: T): T;
  randomUUID(): string;
  readonly subtle: {
    digest(
      algorithm: "SHA-1" | "SHA-256" | "SHA-384" | "SHA-512" | { name: string },
      data: BufferSource,
    ): Promise<ArrayBuffer>;
  };
};
/** Time stands still while script code runs; it moves between awaited calls. */
declare const performance: { readonly timeOrigin: number; now(): number };
declare const navigator: { readonly userAgent: "Slipway" };
/** An empty environment: a script gets its settings as inputs. */
declare const process: { readonly env: { [name: string]: string | undefined } };

type LogMethod = (...values: unknown[]) => void;
/** Every method writes to the hook's log, like `ctx.log`. */
declare const console: {
  log: LogMethod;
  info: LogMethod;
  debug: LogMethod;
  warn: LogMethod;
  error: LogMethod;
  trace: LogMethod;
  dir(value: unknown): void;
  table(value: unknown): void;
  assert(condition?: unknown, ...values: unknown[]): void;
  group: LogMethod;
  groupEnd(): void;
  count(label?: string): void;
  time(label?: string): void;
  timeLog(label?: string, ...values: unknown[]): void;
  timeEnd(label?: string): void;
};

type BufferEncoding =
  | "utf8"
  | "utf-8"
  | "hex"
  | "base64"
  | "base64url"
  | "latin1"
  | "binary"
  | "ascii"
  | "utf16le"
  | "ucs2";
/** Node's Buffer, as the package `buffer` implements it. */
interface Buffer extends Uint8Array<ArrayBuffer> {
  toString(encoding?: BufferEncoding, start?: number, end?: number): string;
  equals(other: Uint8Array): boolean;
  compare(other: Uint8Array): -1 | 0 | 1;
  write(text: string, offset?: number, length?: number, encoding?: BufferEncoding): number;
  readUInt8(offset?: number): number;
  readUInt16BE(offset?: number): number;
  readUInt16LE(offset?: number): number;
  readUInt32BE(offset?: number): number;
  readUInt32LE(offset?: number): number;
  readInt32BE(offset?: number): number;
  readInt32LE(offset?: number): number;
  readBigUInt64BE(offset?: number): bigint;
  readBigUInt64LE(offset?: number): bigint;
}
declare var Buffer: {
  from(text: string, encoding?: BufferEncoding): Buffer;
  from(data: ArrayBuffer, byteOffset?: number, length?: number): Buffer;
  from(data: ArrayLike<number> | Iterable<number>): Buffer;
  alloc(size: number, fill?: string | number): Buffer;
  concat(list: readonly Uint8Array[], totalLength?: number): Buffer;
  byteLength(text: string, encoding?: BufferEncoding): number;
  isBuffer(value: unknown): value is Buffer;
  compare(a: Uint8Array, b: Uint8Array): -1 | 0 | 1;
};
