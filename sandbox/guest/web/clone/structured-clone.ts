/** `structuredClone` (HTML standard, section 2.7) for what exists here; transfers ArrayBuffers only. */

import { apply } from "../../bridge/primordials.ts";
import { inspect } from "../inspect.ts";
import { toDictionary } from "../webidl.ts";
import { isArrayBuffer, isDetached, isError, isMap, isSet, isWeakMap, isWeakSet } from "./internal-slots.ts";
import {
  createCloneError,
  type Moved,
  make,
  type ReadInner,
  type Reading,
  readError,
  readLeaf,
  readView,
} from "./readings.ts";

/** Clones a value; `options.transfer` lists ArrayBuffers that move instead. */
export function structuredClone(...args: readonly [value: unknown, options?: unknown]): unknown {
  if (args.length < 1) throw new TypeError("structuredClone: 1 argument required, 0 given");
  const { transfer } = toDictionary(args[1], "StructuredSerializeOptions");
  const moved = new Map<ArrayBuffer, ArrayBuffer | undefined>();
  for (const item of transfer === undefined ? [] : Array.from(transfer as Iterable<unknown>)) {
    if (typeof item !== "object" || item === null || !isArrayBuffer(item))
      throw createCloneError("The transferred value");
    if (moved.has(item as ArrayBuffer)) throw createCloneError("An ArrayBuffer transferred twice");
    moved.set(item as ArrayBuffer, undefined);
  }
  const reading = read(args[0], new Map(), moved);
  for (const buffer of moved.keys()) {
    if (apply(isDetached, buffer, [])) throw createCloneError("A detached ArrayBuffer");
    moved.set(buffer, buffer.transfer());
  }
  return make(reading);
}

function read(value: unknown, memory: Map<unknown, Reading>, moved: Moved): Reading {
  if (typeof value === "symbol") throw createCloneError(inspect(value));
  if (typeof value === "function") throw createCloneError(inspect(value));
  if (typeof value !== "object" || value === null) return { create: () => value };
  const known = memory.get(value);
  if (known !== undefined) return known;
  // The place is taken before the members are read: they may lead back here.
  const slot: { -readonly [Key in keyof Reading]: Reading[Key] } = { create: () => undefined };
  memory.set(value, slot);
  return Object.assign(
    slot,
    readObject(value, (inner) => read(inner, memory, moved), moved),
  );
}

function readObject(value: object, inner: ReadInner, moved: Moved): Reading {
  const leaf = readLeaf(value, moved);
  if (leaf !== undefined) return leaf;
  if (ArrayBuffer.isView(value)) return readView(value, inner);
  if (isMap(value)) {
    const entries = [...(value as Map<unknown, unknown>)].map(([key, item]) => [inner(key), inner(item)] as const);
    return {
      create: () => new Map(),
      fill: (map: Map<unknown, unknown>) => {
        for (const [key, item] of entries) map.set(make(key), make(item));
      },
    };
  }
  if (isSet(value)) {
    const items = [...(value as Set<unknown>)].map(inner);
    return {
      create: () => new Set(),
      fill: (set: Set<unknown>) => {
        for (const item of items) set.add(make(item));
      },
    };
  }
  if (isError(value)) return readError(value as Error, inner);
  const isPlatformObject = Object.prototype.toString.call(value) !== "[object Object]" && !Array.isArray(value);
  if (
    isWeakMap(value) ||
    isWeakSet(value) ||
    value instanceof Promise ||
    (isPlatformObject && hasGuestPrototype(value))
  ) {
    throw createCloneError(inspect(value));
  }
  const members = Object.keys(value).map((key) => [key, inner(Reflect.get(value, key))] as const);
  const length = Array.isArray(value) ? value.length : undefined;
  return {
    create: () => (length === undefined ? {} : new Array(length)),
    fill: (made: object) => {
      for (const [key, item] of members) {
        Object.defineProperty(made, key, { value: make(item), enumerable: true, configurable: true, writable: true });
      }
    },
  };
}

/** Objects of the guest's own classes carry a string tag on a prototype; they have no clone but those read before. */
function hasGuestPrototype(value: object): boolean {
  for (let holder = Object.getPrototypeOf(value); holder !== null; holder = Object.getPrototypeOf(holder)) {
    if (Object.hasOwn(holder, Symbol.toStringTag)) return true;
  }
  return false;
}

Object.defineProperty(structuredClone, "length", { value: 1, configurable: true });
