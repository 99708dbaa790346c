/** Values read once, to be made anew: those that hold no others, buffers with their views, errors. */
import { apply } from "../../bridge/primordials.ts";
import { type Blob, createBlob, File, isBlob, readBlobBytes } from "../blob.ts";
import { DOMException } from "../events/dom-exception.ts";
import {
  isArrayBuffer,
  isBigInt,
  isBoolean,
  isDate,
  isDetached,
  isNumber,
  isRegExp,
  isString,
  isSymbol,
  typedArrayName,
} from "./internal-slots.ts";

const ERRORS: { readonly [name: string]: ErrorConstructor } = {
  Error,
  EvalError,
  RangeError,
  ReferenceError,
  SyntaxError,
  TypeError,
  URIError,
};

/** What `structuredClone` throws of a value that has no clone. */
export function createCloneError(what: string): DOMException {
  return new DOMException(`${what} could not be cloned`, "DataCloneError");
}

/**
 * A value read once ("StructuredSerialize") and made anew later ("StructuredDeserialize"): reading may run the script's
 * getters and throw, so buffers are moved only between the two.
 */
export interface Reading {
  readonly create: () => unknown;
  readonly fill?: (made: never) => void;
  made?: { readonly value: unknown };
}

/** Makes the value of a reading, once. */
export function make(reading: Reading): unknown {
  if (reading.made === undefined) {
    const value = reading.create();
    reading.made = { value };
    reading.fill?.(value as never);
  }
  return reading.made.value;
}

/** Buffers that move, with what they become. */
export type Moved = ReadonlyMap<ArrayBuffer, ArrayBuffer | undefined>;

/** Reads a value that another one holds. */
export type ReadInner = (value: unknown) => Reading;

/** Values that hold no others. */
export function readLeaf(value: object, moved: Moved): Reading | undefined {
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

/** Reads a typed array or DataView with its buffer. */
export function readView(view: ArrayBufferView, inner: ReadInner): Reading {
  const name = apply(typedArrayName, view, []) as string | undefined;
  const { byteOffset, byteLength } = view;
  const Constructor = name === undefined ? DataView : (VIEWS[name] ?? Reflect.get(globalThis, name));
  const length = name === undefined ? byteLength : (view as Uint8Array).length;
  const buffer = inner(view.buffer);
  return { create: () => new Constructor(make(buffer) as ArrayBuffer, byteOffset, length) };
}

/** Reads an error with its cause. */
export function readError(error: Error, inner: ReadInner): Reading {
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
