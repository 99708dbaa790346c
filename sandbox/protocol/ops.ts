/**
 * Every operation that crosses the isolate's boundary, as one typed list. Only strings and bytes cross it.
 *
 * Out: `callOut(header, body?)`, one synchronous isolated-vm `Callback`. `header` is the JSON text of a `ChildOp`
 * (answered at once with an `Answer`) or of an `OutOp` (answers `undefined`; one with an `id` is settled later).
 * Out to the parent, waiting: `askParent(header)`, another such `Callback`; `header` is the JSON text of a `ParentOp`.
 * In: `deliver(id, header, body?)`, called as `Reference.applySync(undefined, [id, header, body], {arguments: {copy: true},
 * timeout})`; `header` is the JSON text of a `Delivery`.
 *
 * Invariants:
 * 1. Exactly one settled outcome is delivered at a time; microtasks drain before `applySync` returns. The calls a delivery
 *    causes arrive through `callOut` in the order the script made them.
 * 2. Every `OutOp` with an `id` is delivered at most once; ids are positive, ascending, chosen by the guest. After
 *    `fetch.abort` or `timer.clear` a delivery of that id is ignored by the guest and need not be made.
 * 3. `callOut` and `askParent` never throw or reject: a failure is an `Answer` with `error`.
 * 4. The guest's clock stands still within a delivery: `Date` and `performance.now` read the delivery's `now`.
 * 5. The first delivery is `id` 0 with a `StartDelivery`; after `done` nothing more is delivered.
 */

import type { FailureDetail } from "../../src/core/codes/problems.ts";
import type { Json, JsonObject } from "../../src/core/json/json.ts";
import type { ContextCall } from "./context-call.ts";

/**
 * How the guest is bundled (esbuild, `target: "esnext"`, `platform: "neutral"`, entry `sandbox/guest/prelude.ts`): the
 * value of the resulting script is the `Install` function, and no global is left behind, e.g.
 * `install = isolate.compileScriptSync(code, {filename: GUEST_URL}).runSync(context, {reference: true})`, then
 * `deliver = install.applySync(undefined, [callOut, askParent], {result: {reference: true}})`.
 */
export const GUEST_BUNDLE = {
  format: "iife",
  globalName: "__guest",
  // Strict throughout: a sloppy function shows itself to scripts in stack frames and as `caller`.
  banner: { js: '(() => { "use strict";' },
  footer: { js: "return __guest.install; })()" },
} as const;

/** File name of the guest's own frames in stack traces; they are left out of what authors see. */
export const GUEST_URL = "slipway:guest";

/** The guest's entry: called once per isolate, before any script is known (the warm child). */
export type Install = (callOut: CallOut, askParent: AskParent) => Deliver;

/** The one call out. */
export type CallOut = (header: string, body?: ArrayBuffer) => string | undefined;

/** The call out that waits: the parent's answer. */
export type AskParent = (header: string) => Answer;

/** The one way in. */
export type Deliver = (id: number, header: string, body?: ArrayBuffer) => void;

/**
 * How scripts are bundled: esbuild's `iife` with `globalName: SCRIPT_BUNDLE.exports`, so that the text declares
 * `var __exports = ...`. The guest evaluates it as the body of a strict function with the parameter `__modules`, its
 * first line kept as line 1, under the file name `SCRIPT_BUNDLE.url` (what stack traces name; the parent maps them).
 */
export const SCRIPT_BUNDLE = { exports: "__exports", modules: "__modules", url: "slipway:script" } as const;

/** Modules scripts may import beside their own files; each loads as `module.exports = __modules("<name>");`. */
export const VIRTUAL_MODULES = [
  "node:buffer",
  "node:fs",
  "node:fs/promises",
  "node:path",
  "node:crypto",
  "bun:sqlite",
] as const;
export type VirtualModule = (typeof VIRTUAL_MODULES)[number];

/**
 * Text of an answer: one line of JSON, `{"ok": ...}` or `{"error": WireError}`; where the operation answers bytes, a line
 * feed and then one latin1 character per byte.
 */
export type Answer = string;

/** An error as data; the guest throws an Error of that name. */
export interface WireError {
  /** `Error`, `TypeError`, `RangeError`, `SyntaxError`, `SQLiteError` or a DOMException name. */
  readonly name: string;
  readonly message: string;
  /** Node's or our own code, e.g. `ENOENT`, `ECONNREFUSED`, `policy_denied`. */
  readonly code?: string;
  readonly syscall?: string;
  /** The virtual path. */
  readonly path?: string;
  /** A policy refused it though `code` is Node's: the error's cause has the code `policy_denied`. */
  readonly refused?: true;
  /** The policy may decide otherwise a moment later: the script's app does not run yet, and may publish its port then. */
  readonly mayChange?: true;
}

/** Answered by the child itself: pure functions of Node that a bare isolate lacks. */
export type ChildOp =
  /** `new URL(href, base)`; answers its `href`, or null where it does not parse. */
  | { readonly op: "url.parse"; readonly href: string; readonly base?: string }
  /** The parts of `new URL(href)`; answers `UrlParts`. */
  | { readonly op: "url.parts"; readonly href: string }
  /** Sets one property of `new URL(href)` (`href` itself excepted); answers the new `href`. */
  | {
      readonly op: "url.set";
      readonly href: string;
      readonly property:
        | "protocol"
        | "username"
        | "password"
        | "host"
        | "hostname"
        | "port"
        | "pathname"
        | "search"
        | "hash";
      readonly value: string;
    }
  /**
   * `new URLPattern(init, base, {ignoreCase})`, a TypeError where it is none; answers `UrlPatternAnswer`. Stateless: with
   * `input` it also matches.
   */
  | {
      readonly op: "url.pattern";
      readonly init: string | { readonly [component: string]: string };
      readonly base?: string;
      readonly ignoreCase: boolean;
      readonly input?: { readonly url: string | { readonly [component: string]: string }; readonly base?: string };
    }
  /** `new TextDecoder(label).encoding`; answers the name, or null for a label that is unknown. */
  | { readonly op: "text.label"; readonly label: string }
  /**
   * Decodes the body in a legacy encoding; answers `{text}`. `stream: true` keeps the decoder's state under `decoder`
   * (at most 100 of them, else a RangeError) until a call without it.
   */
  | {
      readonly op: "text.decode";
      readonly decoder: number;
      readonly label: string;
      readonly fatal: boolean;
      readonly ignoreBOM: boolean;
      readonly stream: boolean;
    }
  /** Hashes the body; answers `{}` and bytes. */
  | { readonly op: "digest"; readonly algorithm: DigestAlgorithm };

export type DigestAlgorithm = "md5" | "sha1" | "sha256" | "sha384" | "sha512";

/** The answer of `url.pattern`; `match` is `URLPattern.exec`'s result, null where the input does not match. */
export interface UrlPatternAnswer {
  readonly components: { readonly [component: string]: string };
  readonly hasRegExpGroups: boolean;
  readonly match: Json;
}

/** The components of a URL as the WHATWG API names them. */
export interface UrlParts {
  readonly origin: string;
  readonly protocol: string;
  readonly username: string;
  readonly password: string;
  readonly host: string;
  readonly hostname: string;
  readonly port: string;
  readonly pathname: string;
  readonly search: string;
  readonly hash: string;
}

/** Answered by the parent while the isolate waits: files of the app's mounts, SQLite below them, random bytes. */
export type ParentOp =
  /** Cryptographic random bytes, 1 to 65,536; answers `{}` and bytes. */
  | { readonly op: "random"; readonly bytes: number }
  /** A whole file; answers `{}` and bytes, or with an encoding the decoded text in place of the bytes. */
  | { readonly op: "fs.read"; readonly path: string; readonly encoding?: "utf8" }
  /** Answers `FileEntry[]` in no particular order. */
  | { readonly op: "fs.list"; readonly path: string }
  /** Follows symlinks that stay inside the mount; answers `FileStat`. */
  | { readonly op: "fs.stat"; readonly path: string }
  /** Opens a database read-only; answers `{db}`, a handle of this run. */
  | { readonly op: "sqlite.open"; readonly path: string }
  /** Runs one read-only statement; answers `SqliteRows`. Parameters by position or by name (with their prefix). */
  | {
      readonly op: "sqlite.query";
      readonly db: number;
      readonly sql: string;
      readonly params: readonly SqliteValue[] | { readonly [name: string]: SqliteValue };
      /** Rows wanted at most; `get` asks for 1. */
      readonly limit?: number;
    }
  | { readonly op: "sqlite.close"; readonly db: number };

export interface FileEntry {
  readonly name: string;
  readonly kind: FileKind;
}

export type FileKind = "file" | "directory" | "symlink" | "other";

export interface FileStat {
  readonly kind: FileKind;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since 1970, with fraction. */
  readonly mtimeMs: number;
  /** Permission and type bits as of stat(2). */
  readonly mode: number;
}

/** An SQLite value as JSON; a blob is `{bytes: base64}`. */
export type SqliteValue = string | number | null | { readonly bytes: string };

export interface SqliteRows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly SqliteValue[])[];
}

/** Sent out without waiting; those with an `id` are settled by a delivery of that id. */
export type OutOp =
  /** The message body is the request body. Settled with `FetchAnswer` and the whole response body. */
  | {
      readonly op: "fetch";
      readonly id: number;
      readonly method: string;
      readonly url: string;
      readonly headers: readonly (readonly [string, string])[];
      readonly redirect: "follow" | "manual" | "error";
      /** False for a null body; true with no bytes for an empty one. */
      readonly hasBody: boolean;
    }
  | { readonly op: "fetch.abort"; readonly id: number }
  /** Settled with null after `ms`. */
  | { readonly op: "timer"; readonly id: number; readonly ms: number }
  | { readonly op: "timer.clear"; readonly id: number }
  /** Polls the app's HTTP side (`WaitForApp`). Settled like `fetch`. */
  | ({ readonly op: "waitForApp"; readonly id: number } & WaitForApp)
  /** A context method whose effect the engine performs. Settled with its JSON answer. */
  | { readonly op: "context"; readonly id: number; readonly call: ContextCall }
  /** One line of `ctx.log` or console, cut to the limit. */
  | { readonly op: "log"; readonly line: string }
  /** The script's end; sent once, nothing follows it. */
  | { readonly op: "done"; readonly outcome: GuestOutcome };

/**
 * Attempt 1 at once, then waits of `initialDelayMs`, growing by `WAIT_GROWTH` up to `maxDelayMs`, until a response has an
 * expected status or `attempts` are used up; then an Error naming URL, attempts and the last answer or error.
 */
export interface WaitForApp {
  readonly url: string;
  readonly method: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly attempts: number;
  /** Of one attempt. */
  readonly timeoutMs: number;
  /** Absent: any 2xx. */
  readonly expectedStatus?: readonly number[];
  readonly initialDelayMs: number;
  readonly maxDelayMs: number;
}

/** Factor between two waits of `waitForApp`. */
export const WAIT_GROWTH = 1.5;

/** Bounds of a `waitForApp`, whatever its options say: attempts, and ms of one attempt and between two. */
export const WAIT_LIMITS = {
  attempts: { least: 1, most: 1_000 },
  timeoutMs: { least: 10, most: 60_000 },
  delayMs: { least: 50, most: 60_000 },
} as const;

/** The number nearest to a wish that the limits allow. */
export function clamp(wish: number, { least, most }: { readonly least: number; readonly most: number }): number {
  return wish >= most ? most : wish > least ? wish : least;
}

/** Most characters of a checkpoint's id; a longer or an empty one is the script's error. */
export const CHECKPOINT_ID = 64;

/** Most checkpoints one call announces; more than a run may have, so that it ends by that limit. */
export const CHECKPOINTS_AT_ONCE = 1_000;

/**
 * Texts of a script, in UTF-16 units: the guest lets `sent` of one through, and `kept` of it are left when its secrets
 * have been masked. What lies between is for secrets that stand across the place of the cut.
 */
export const TEXT_LIMITS = {
  checkpoint: { sent: 1_500, kept: 500 },
  message: { sent: 3_000, kept: 2_000 },
  label: { sent: 1_000, kept: 200 },
  value: { sent: 3_000, kept: 2_000 },
  stack: { sent: 6_000, kept: 4_000 },
  logLine: { sent: 8_192, kept: 4_096 },
} as const;

/** Most pairs of a failure's context. */
export const DETAILS = 20;

/** Of one request: most UTF-16 units of its URL, headers, and UTF-16 units of all headers. */
export const REQUEST_LIMITS = { url: 16_384, headers: 500, headerText: 65_536 } as const;

/** Most parameters of one SQL statement and UTF-16 units of its text. */
export const QUERY_LIMITS = { params: 1_000, sql: 65_536 } as const;

/** How a script ended, bounded inside the isolate. Stacks name `SCRIPT_BUNDLE.url` positions, not yet mapped. */
export type GuestOutcome =
  | { readonly status: "completed"; readonly result: Json }
  | {
      readonly status: "failed";
      /** `script_error`, `policy_denied` when a refused call was what ended it, `quota_result`. */
      readonly reason: "script_error" | "policy_denied" | "quota_result";
      readonly message: string;
      readonly context: readonly FailureDetail[];
      readonly stack?: string;
    };

/** The header of a delivery. */
export type Delivery = StartDelivery | SettledDelivery;

/** The run begins: evaluates the script and calls its entrypoint. */
export interface StartDelivery {
  readonly now: number;
  readonly start: {
    readonly kind: "hook" | "widget";
    /** `CompiledScript.code`. */
    readonly code: string;
    readonly entrypoint: string;
    readonly context: JsonObject;
    /** Seeds `Math.random`. */
    readonly seed: string;
    /** Most bytes of UTF-8 in the result's JSON text. */
    readonly limits: { readonly result: number };
  };
}

/** An `OutOp` is settled. */
export interface SettledDelivery {
  /** The parent's recorded time, ms since 1970. */
  readonly now: number;
  readonly ok?: Json;
  readonly error?: WireError;
}

/** The `ok` of a settled fetch; the delivery's body is the response's. */
export interface FetchAnswer {
  readonly status: number;
  readonly statusText: string;
  /** In order of arrival, `set-cookie` once per cookie. */
  readonly headers: readonly (readonly [string, string])[];
  /** After redirects. */
  readonly url: string;
  readonly redirected: boolean;
}
