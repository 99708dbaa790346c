/** The global object: what is taken away, what is offered (facts/script-surface.md; ECMA-429 section 4). */
import { AbortController, AbortSignal } from "./abort.ts";
import { atob, btoa } from "./base64.ts";
import { Blob, File } from "./blob.ts";
import { console } from "./console.ts";
import { Crypto, crypto, SubtleCrypto } from "./crypto.ts";
import { createDate, Performance, patchDateFormats, performance } from "./date.ts";
import { DOMException } from "./dom-exception.ts";
import { TextDecoder, TextEncoder } from "./encoding.ts";
import { TextDecoderStream, TextEncoderStream } from "./encoding-streams.ts";
import { EventTarget } from "./event-target.ts";
import { CustomEvent, ErrorEvent, Event, PromiseRejectionEvent } from "./events.ts";
import { fetch } from "./fetch.ts";
import { FormData } from "./form-data.ts";
import { Headers } from "./headers.ts";
import { Buffer } from "./modules/buffer.ts";
import { defineProperty } from "./primordials.ts";
import { random } from "./random.ts";
import { globalTarget, reportError } from "./report-error.ts";
import { Request } from "./request.ts";
import { Response } from "./response.ts";
import { STREAM_INTERFACES } from "./streams.ts";
import { structuredClone } from "./structured-clone.ts";
import { clearTimeout, queueMicrotask, setInterval, setTimeout } from "./timers.ts";
import { URL, URLPattern } from "./url.ts";
import { URLSearchParams } from "./url-search-params.ts";

/** Not repeatable in a replay (they show garbage collection and other threads), or memory outside the isolate's limit. */
const REMOVED = ["WeakRef", "FinalizationRegistry", "SharedArrayBuffer", "Atomics", "WebAssembly"];

/** Enough for the author's own frames beside the guest's, which are left out of what authors see. */
const STACK_FRAMES = 25;

const INTERFACES = {
  AbortController,
  AbortSignal,
  Blob,
  Buffer,
  Crypto,
  CustomEvent,
  DOMException,
  ErrorEvent,
  Event,
  EventTarget,
  File,
  FormData,
  Headers,
  Performance,
  PromiseRejectionEvent,
  Request,
  Response,
  SubtleCrypto,
  TextDecoder,
  TextDecoderStream,
  TextEncoder,
  TextEncoderStream,
  URL,
  URLPattern,
  URLSearchParams,
  ...STREAM_INTERFACES,
};

const FUNCTIONS = {
  atob,
  btoa,
  clearInterval: (handle?: unknown) => clearTimeout(handle),
  clearTimeout,
  fetch,
  queueMicrotask,
  reportError,
  setInterval,
  setTimeout,
  structuredClone,
};

const OBJECTS = {
  console,
  crypto,
  navigator: { userAgent: "Slipway" },
  performance,
  /** Scripts that look for settings find none. */
  process: { env: {} },
};

/** Changes the global object; called once per isolate. */
export function exposeGlobals(): void {
  Error.stackTraceLimit = STACK_FRAMES;
  for (const name of REMOVED) Reflect.deleteProperty(globalThis, name);
  define(INTERFACES, false);
  define(FUNCTIONS, true);
  define(OBJECTS, true);
  define({ self: globalThis }, true);
  define({ Date: createDate() }, false);
  patchDateFormats();
  defineProperty(Math, "random", { value: random, configurable: true, writable: true });
  for (const method of ["addEventListener", "removeEventListener", "dispatchEvent"] as const) {
    define({ [method]: (...args: [unknown, unknown]) => globalTarget[method](...args) }, true);
  }
  for (const name of ["onerror", "onunhandledrejection", "onrejectionhandled"]) {
    defineProperty(globalThis, name, {
      get: () => Reflect.get(globalTarget, name),
      set: (handler) => Reflect.set(globalTarget, name, handler),
      enumerable: true,
      configurable: true,
    });
  }
}

function define(members: object, enumerable: boolean): void {
  for (const [name, value] of Object.entries(members)) {
    defineProperty(globalThis, name, { value, enumerable, configurable: true, writable: true });
  }
}
