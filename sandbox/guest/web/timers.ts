/** setTimeout and friends (HTML standard, section 8.6): each is one `timer` call of the boundary. */
import { forget, request, send } from "../bridge/bridge.ts";
import { apply } from "../bridge/primordials.ts";
import { reportError } from "../bridge/report-error.ts";

/** Longest delay of a timer in ms (2^31 - 1); the standard's `long`. */
const MAX_DELAY = 2_147_483_647;

interface Timer {
  callId: number;
}

const timers = new Map<number, Timer>();
let lastHandle = 0;

/** Calls back once after `ms`, as the guest's own timer; returns how to stop it. */
export function startTimer(ms: number, action: () => void): () => void {
  const id = request(
    { op: "timer", ms: Math.min(ms, MAX_DELAY) },
    { fulfil: action, reject: (error) => reportError(error) },
  );
  return () => {
    forget(id);
    send({ op: "timer.clear", id });
  };
}

function toHandler(handler: unknown): (args: readonly unknown[]) => void {
  if (typeof handler !== "function") throw new TypeError("the timer's handler is not a function");
  return (args) => {
    try {
      apply(handler, globalThis, args);
    } catch (error) {
      reportError(error);
    }
  };
}

function arm(handle: number, timer: Timer, ms: number, fire: () => void): void {
  timer.callId = request(
    { op: "timer", ms },
    {
      fulfil: fire,
      reject: (error) => {
        timers.delete(handle);
        reportError(error);
      },
    },
  );
}

/** The standard's conversion to a `long`, then at least 0. */
function toDelay(value: unknown): number {
  return Math.max(0, Number(value) | 0);
}

function schedule(handler: unknown, delay: unknown, args: readonly unknown[], repeat: boolean): number {
  const run = toHandler(handler);
  // Repeating faster than every millisecond would only burn the run's message quota.
  const ms = repeat ? Math.max(1, toDelay(delay)) : toDelay(delay);
  lastHandle += 1;
  const handle = lastHandle;
  const timer: Timer = { callId: 0 };
  timers.set(handle, timer);
  const fire = () => {
    if (!repeat) timers.delete(handle);
    run(args);
    if (repeat && timers.has(handle)) arm(handle, timer, ms, fire);
  };
  arm(handle, timer, ms, fire);
  return handle;
}

export function setTimeout(handler: unknown, delay: unknown = 0, ...args: unknown[]): number {
  return schedule(handler, delay, args, false);
}

export function setInterval(handler: unknown, delay: unknown = 0, ...args: unknown[]): number {
  return schedule(handler, delay, args, true);
}

export function clearTimeout(handle: unknown = undefined): void {
  const key = Number(handle);
  const timer = timers.get(key);
  if (timer === undefined) return;
  timers.delete(key);
  forget(timer.callId);
  send({ op: "timer.clear", id: timer.callId });
}

const microtask = Promise.resolve();
const then = Promise.prototype.then;

export function queueMicrotask(...args: readonly [callback: unknown]): void {
  const [callback] = args;
  if (typeof callback !== "function") throw new TypeError("queueMicrotask: the callback is not a function");
  apply(then, microtask, [
    () => {
      try {
        callback();
      } catch (error) {
        reportError(error);
      }
    },
  ]);
}
Object.defineProperty(queueMicrotask, "length", { value: 1, configurable: true });
Object.defineProperty(setTimeout, "length", { value: 1, configurable: true });
Object.defineProperty(setInterval, "length", { value: 1, configurable: true });
