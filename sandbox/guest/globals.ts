/** The global object: what is taken away, what is offered (docs/hooks.md; ECMA-429 section 4). */

import { defineProperty } from "./bridge/primordials.ts";
import { globalTarget, reportError } from "./bridge/report-error.ts";
import { Buffer } from "./modules/buffer.ts";
import { Blob, File } from "./web/blob.ts";
import { structuredClone } from "./web/clone/structured-clone.ts";
import { console } from "./web/console.ts";
import { Crypto, crypto, SubtleCrypto } from "./web/crypto.ts";
import { createDate, Performance, patchDateFormats, performance } from "./web/date.ts";
import { atob, btoa } from "./web/encoding/base64.ts";
import { TextDecoder, TextEncoder } from "./web/encoding/encoding.ts";
import { TextDecoderStream, TextEncoderStream } from "./web/encoding/encoding-streams.ts";
import { AbortController, AbortSignal } from "./web/events/abort.ts";
import { DOMException } from "./web/events/dom-exception.ts";
import { CustomEvent, ErrorEvent, PromiseRejectionEvent } from "./web/events/event-kinds.ts";
import { EventTarget } from "./web/events/event-target.ts";
import { Event } from "./web/events/events.ts";
import { fetch } from "./web/fetch.ts";
import { FormData } from "./web/form-data.ts";
import { Headers } from "./web/headers.ts";
import { drawRandom } from "./web/random.ts";
import { Request } from "./web/request.ts";
import { Response } from "./web/response.ts";
import { STREAM_INTERFACES } from "./web/streams.ts";
import { clearTimeout, queueMicrotask, setInterval, setTimeout } from "./web/timers.ts";
import { URL, URLPattern } from "./web/url.ts";
import { URLSearchParams } from "./web/url-search-params.ts";

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
  defineProperty(Math, "random", { value: drawRandom, configurable: true, writable: true });
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
