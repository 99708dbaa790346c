/**
 * The language's own functions as they were before any script ran. Bridge, runner and log use these, so that a
 * script that replaces `JSON.stringify` or `Promise.prototype.then` changes its own calls and not the run's end. The web
 * APIs use the live ones where a script that breaks them only harms itself.
 */

export const parseJson = JSON.parse;
export const stringifyJson = JSON.stringify;
export const RealDate = Date;
export const RealPromise = Promise;
export const RealError = Error;
export const RealUint8Array = Uint8Array;
export const { apply, construct, defineProperty } = Reflect;
export const { isArray } = Array;
export const { isFinite: isFiniteNumber } = Number;
export const { hasOwn, keys: keysOf } = Object;
/** Evaluates a text in the global scope. */
// biome-ignore lint/security/noGlobalEval: running the script is what the guest is for; the isolate contains it
export const evaluate = globalThis.eval;

/** Turns a method into a function whose first argument is its receiver, safe from later changes of the prototype. */
function uncurry<This, Args extends readonly unknown[], Result>(method: (this: This, ...args: Args) => Result) {
  return (receiver: This, ...args: Args): Result => apply(method, receiver, args);
}

export const charCodeAt: (text: string, index: number) => number = uncurry(String.prototype.charCodeAt);
export const sliceText: (text: string, start: number, end?: number) => string = uncurry(String.prototype.slice);
export const wellFormed: (text: string) => string = uncurry(String.prototype.toWellFormed);
export const indexOfText: (text: string, part: string) => number = uncurry(String.prototype.indexOf);

/** A member of the object itself: one that is absent is undefined, whatever a script gave to the prototypes. */
export function getOwn<T extends object, Key extends keyof T>(object: T, key: Key): T[Key] | undefined {
  return hasOwn(object, key) ? object[key] : undefined;
}

const realThen = Promise.prototype.then;

/** `Promise.prototype.then` of a promise the guest itself made. */
export function attachThen<T>(
  promise: Promise<T>,
  fulfilled: (value: T) => unknown,
  rejected: (reason: unknown) => unknown,
): void {
  // else `then` would ask `Promise.prototype.constructor` for a species, which a script may have replaced
  defineProperty(promise, "constructor", { value: undefined });
  apply(realThen, promise, [fulfilled, rejected]);
}
