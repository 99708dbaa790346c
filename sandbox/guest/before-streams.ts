/** The streams standard as `web-streams-polyfill` implements it, which finds DOMException and AbortController here. */
import { AbortController, AbortSignal } from "./abort.ts";
import { DOMException } from "./dom-exception.ts";
import { queueMicrotask } from "./timers.ts";

Object.assign(globalThis, { DOMException, AbortController, AbortSignal, queueMicrotask });
