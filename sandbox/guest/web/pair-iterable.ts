/** Pair iterables of Web IDL: what Headers, FormData and URLSearchParams are walked with. */
import { apply, defineProperty } from "../bridge/primordials.ts";

const ITERATOR_PROTOTYPE: object = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()));

/**
 * Gives a class the members of a pair iterable (`entries`, `keys`, `values`, `forEach`, `Symbol.iterator`); `pairsOf`
 * checks the receiver and reads the pairs as they are at that moment, so that changes while iterating are seen.
 */
export function exposePairs<T extends object, Value>(
  target: abstract new (...args: never[]) => T,
  name: string,
  pairsOf: (receiver: T) => readonly (readonly [string, Value])[],
): void {
  type Kind = "entries" | "keys" | "values";
  const states = new WeakMap<object, { readonly receiver: T; readonly kind: Kind; index: number }>();
  const prototype = Object.create(ITERATOR_PROTOTYPE, {
    next: {
      enumerable: true,
      configurable: true,
      writable: true,
      value: function next(this: object) {
        const state = states.get(this);
        if (state === undefined) throw new TypeError(`next called on an object that is no ${name} Iterator`);
        const pair = pairsOf(state.receiver)[state.index];
        if (pair === undefined) return { value: undefined, done: true };
        state.index += 1;
        const [key, value] = pair;
        return { value: state.kind === "keys" ? key : state.kind === "values" ? value : [key, value], done: false };
      },
    },
    [Symbol.toStringTag]: { value: `${name} Iterator`, configurable: true },
  });
  const iterate = (receiver: T, kind: Kind): unknown => {
    pairsOf(receiver);
    const iterator: object = Object.create(prototype);
    states.set(iterator, { receiver, kind, index: 0 });
    return iterator;
  };
  const members = {
    entries(this: T) {
      return iterate(this, "entries");
    },
    keys(this: T) {
      return iterate(this, "keys");
    },
    values(this: T) {
      return iterate(this, "values");
    },
    forEach(this: T, callback: unknown, thisArgument: unknown = undefined) {
      pairsOf(this);
      if (typeof callback !== "function") throw new TypeError(`${name}.forEach: the callback is not a function`);
      for (let index = 0; ; index += 1) {
        const pair = pairsOf(this)[index];
        if (pair === undefined) return;
        apply(callback, thisArgument, [pair[1], pair[0], this]);
      }
    },
  };
  for (const [key, value] of Object.entries(members)) {
    defineProperty(target.prototype, key, { value, enumerable: true, configurable: true, writable: true });
  }
  defineProperty(target.prototype, Symbol.iterator, { value: members.entries, configurable: true, writable: true });
}
