/** The streams standard as `web-streams-polyfill` implements it, which finds DOMException and AbortController here. */
import { AbortController, AbortSignal } from "./web/events/abort.ts";
import { DOMException } from "./web/events/dom-exception.ts";
import { queueMicrotask } from "./web/timers.ts";

Object.assign(globalThis, { DOMException, AbortController, AbortSignal, queueMicrotask });
