/** `structuredClone` (HTML standard, section 2.7) for what exists here; transfers ArrayBuffers only. */

import { apply } from "../bridge/primordials.ts";
import { type Blob, createBlob, File, isBlob, readBlobBytes } from "./blob.ts";
import { DOMException } from "./events/dom-exception.ts";
import { inspect } from "./inspect.ts";
import { toDictionary } from "./webidl.ts";

type Probe = (this: unknown) => unknown;

/** A method or getter that throws unless its receiver has the internal slot. */
function hasSlot(probe: Probe): (value: object) => boolean {
  return (value) => {
    try {
      apply(probe, value, []);
      return true;
    } catch {
      return false;
    }
  };
}

function captureGetter(prototype: object, key: PropertyKey): Probe {
  const get = Object.getOwnPropertyDescriptor(prototype, key)?.get;
  if (get === undefined) throw new Error(`no getter ${String(key)}`);
  return get;
}

const isBoolean = hasSlot(Boolean.prototype.valueOf);
const isNumber = hasSlot(Number.prototype.valueOf);
const isString = hasSlot(String.prototype.valueOf);
const isBigInt = hasSlot(BigInt.prototype.valueOf);
const isSymbol = hasSlot(Symbol.prototype.valueOf);
const isDate = hasSlot(Date.prototype.getTime);
const isRegExp = hasSlot(captureGetter(RegExp.prototype, "source"));
const isMap = hasSlot(captureGetter(Map.prototype, "size"));
const isSet = hasSlot(captureGetter(Set.prototype, "size"));
const isArrayBuffer = hasSlot(captureGetter(ArrayBuffer.prototype, "byteLength"));
const weakMapHas = WeakMap.prototype.has;
const weakSetHas = WeakSet.prototype.has;
const isWeakMap = hasSlot(function probe(this: unknown) {
  return apply(weakMapHas, this as WeakMap<object, unknown>, [{}]);
});
const isWeakSet = hasSlot(function probe(this: unknown) {
  return apply(weakSetHas, this as WeakSet<object>, [{}]);
});
const isDetached = captureGetter(ArrayBuffer.prototype, "detached");
const isError: (value: unknown) => boolean =
  (Error as unknown as { isError?: (value: unknown) => boolean }).isError ?? ((value) => value instanceof Error);

const ERRORS: { readonly [name: string]: ErrorConstructor } = {
  Error,
  EvalError,
  RangeError,
  ReferenceError,
  SyntaxError,
  TypeError,
  URIError,
};

function createCloneError(what: string): DOMException {
  return new DOMException(`${what} could not be cloned`, "DataCloneError");
}

/**
 * A value read once ("StructuredSerialize") and made anew later ("StructuredDeserialize"): reading may run the script's
 * getters and throw, so buffers are moved only between the two.
 */
interface Reading {
  readonly create: () => unknown;
  readonly fill?: (made: never) => void;
  made?: { readonly value: unknown };
}

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

function make(reading: Reading): unknown {
  if (reading.made === undefined) {
    const value = reading.create();
    reading.made = { value };
    reading.fill?.(value as never);
  }
  return reading.made.value;
}

type Moved = ReadonlyMap<ArrayBuffer, ArrayBuffer | undefined>;

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

type ReadInner = (value: unknown) => Reading;

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

/** Values that hold no others. */
function readLeaf(value: object, moved: Moved): Reading | undefined {
  if (isBoolean(value)) return unboxValue(Boolean.prototype.valueOf.call(value));
  if (isNumber(value)) return unboxValue(Number.prototype.valueOf.call(value));
  if (isString(value)) return unboxValue(String.prototype.valueOf.call(value));
  if (isBigInt(value)) return unboxValue(BigInt.prototype.valueOf.call(value));
  if (isSymbol(value)) throw createCloneError("A Symbol object");
  if (isDate(value)) {
    const time = Date.prototype.getTime.call(value);
    return { create: () => new Date(time) };
  }
  if (isRegExp(value)) {
    const { source, flags } = value as RegExp;
    return { create: () => new RegExp(source, flags) };
  }
  if (isArrayBuffer(value)) return readBuffer(value as ArrayBuffer, moved);
  if (isBlob(value)) return readBlob(value);
  if (value instanceof DOMException) {
    const { message, name, stack } = value;
    return { create: () => Object.defineProperty(new DOMException(message, name), "stack", { value: stack }) };
  }
  return undefined;
}

function unboxValue(value: unknown): Reading {
  return { create: () => Object(value) };
}

function readBuffer(buffer: ArrayBuffer, moved: Moved): Reading {
  if (moved.has(buffer)) return { create: () => moved.get(buffer) };
  if (apply(isDetached, buffer, [])) throw createCloneError("A detached ArrayBuffer");
  const copy = new Uint8Array(buffer).slice();
  if (!buffer.resizable) return { create: () => copy.buffer };
  const resizable = new ArrayBuffer(copy.length, { maxByteLength: buffer.maxByteLength });
  new Uint8Array(resizable).set(copy);
  return { create: () => resizable };
}

function readBlob(blob: Blob): Reading {
  if (!(blob instanceof File)) return { create: () => createBlob(readBlobBytes(blob), blob.type) };
  const { name, type, lastModified } = blob;
  return { create: () => new File([blob], name, { type, lastModified }) };
}

type ViewConstructor = new (buffer: ArrayBuffer, offset: number, length?: number) => ArrayBufferView;

const VIEWS: { readonly [name: string]: ViewConstructor } = {
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
};

function readView(view: ArrayBufferView, inner: ReadInner): Reading {
  const name = apply(typedArrayName, view, []) as string | undefined;
  const { byteOffset, byteLength } = view;
  const Constructor = name === undefined ? DataView : (VIEWS[name] ?? Reflect.get(globalThis, name));
  const length = name === undefined ? byteLength : (view as Uint8Array).length;
  const buffer = inner(view.buffer);
  return { create: () => new Constructor(make(buffer) as ArrayBuffer, byteOffset, length) };
}
const typedArrayName = captureGetter(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag);

function readError(error: Error, inner: ReadInner): Reading {
  const name = String(error.name);
  const message = Object.getOwnPropertyDescriptor(error, "message");
  const text = message !== undefined && "value" in message ? String(message.value) : undefined;
  const { stack } = error;
  const cause = Object.hasOwn(error, "cause") ? inner(error.cause) : undefined;
  const Constructor = ERRORS[name] ?? Error;
  return {
    create: () => {
      const made = text === undefined ? new Constructor() : new Constructor(text);
      Object.defineProperty(made, "stack", { value: stack, configurable: true, writable: true });
      return made;
    },
    fill: (made: Error) => {
      if (cause !== undefined) {
        Object.defineProperty(made, "cause", { value: make(cause), configurable: true, writable: true });
      }
    },
  };
}
Object.defineProperty(structuredClone, "length", { value: 1, configurable: true });
