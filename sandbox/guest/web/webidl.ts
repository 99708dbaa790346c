/** The parts of Web IDL every interface needs: argument conversions, member attributes, arity checks. */
import { apply, defineProperty } from "../bridge/primordials.ts";

/** Converts to a string without lone surrogates (USVString). */
export function toUsvString(value: unknown): string {
  return toDomString(value).toWellFormed();
}

/** Converts to a string; symbols throw a TypeError (DOMString). */
export function toDomString(value: unknown): string {
  if (typeof value === "symbol") throw new TypeError("Cannot convert a Symbol value to a string");
  return String(value);
}

/** Converts to a string of characters up to U+00FF (ByteString). */
export function toByteString(value: unknown): string {
  const text = toDomString(value);
  // the guest is interpreted: a loop over the characters takes several times as long
  const at = text.search(/[\u0100-\uffff]/);
  if (at === -1) return text;
  throw new TypeError(`Cannot convert "${text}" to a ByteString: the character at ${at} is above U+00FF`);
}

/** A dictionary argument: undefined and null are empty, primitives throw. */
export function toDictionary(value: unknown, what: string): { readonly [key: string]: unknown } {
  if (value === undefined || value === null) return {};
  if (!isObject(value)) throw new TypeError(`${what} is not an object`);
  return value as { readonly [key: string]: unknown };
}

/**
 * Converts an iterable to a sequence, each item at its turn; undefined where the value has no `Symbol.iterator`. Throws a
 * TypeError where it has one that is not callable.
 */
export function toSequence<T>(value: object, convert: (item: unknown) => T): T[] | undefined {
  const method: unknown = Reflect.get(value, Symbol.iterator);
  if (method === undefined || method === null) return undefined;
  if (typeof method !== "function") throw new TypeError("Symbol.iterator is not a function");
  const iterator: Iterator<unknown> = apply(method, value, []);
  const items: T[] = [];
  for (;;) {
    const { done, value: item } = iterator.next();
    if (done) return items;
    items.push(convert(item));
  }
}

/** Tells whether a value is what Web IDL calls an object: functions too. */
export function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

/** Converts to `[EnforceRange] unsigned long long`. */
export function toEnforcedUnsignedLongLong(value: unknown): number {
  const number = Math.trunc(Number(value));
  if (!(number >= 0 && number <= Number.MAX_SAFE_INTEGER)) {
    throw new TypeError(`${String(value)} is outside the range of an unsigned long long`);
  }
  return number;
}

/** The bytes of an ArrayBuffer or view, shared with it; undefined for anything else. */
export function toView(value: unknown): Uint8Array<ArrayBuffer> | undefined {
  if (value instanceof ArrayBuffer || Object.prototype.toString.call(value) === "[object ArrayBuffer]") {
    return new Uint8Array(value as ArrayBuffer);
  }
  if (ArrayBuffer.isView(value)) {
    return new Uint8Array(value.buffer as ArrayBuffer, value.byteOffset, value.byteLength);
  }
  return undefined;
}

/** A buffer that holds exactly these bytes. */
export function toExactBuffer(view: Uint8Array<ArrayBuffer>): ArrayBuffer {
  if (view.byteLength === view.buffer.byteLength) return view.buffer;
  return view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength);
}

/** How many arguments each member requires, by name (`static name` for static ones); one not named requires none. */
export type Arity = { readonly [member: string]: number };

// biome-ignore lint/suspicious/noExplicitAny: a constructor of whatever arguments, the only type all classes fit
type AnyClass = abstract new (...args: any[]) => object;

/**
 * Gives a class the looks of a Web IDL interface: enumerable members, `Symbol.toStringTag`, lengths, and a TypeError when
 * required arguments are missing. Private fields already check the receiver. The class's own `name` is set too, since
 * bundling may have renamed it.
 */
export function exposeMembers(target: AnyClass, name: string, arity: Arity = {}): void {
  for (const holder of [target.prototype as object, target]) {
    for (const key of Object.getOwnPropertyNames(holder)) {
      if (key === "constructor" || key === "prototype" || key === "name" || key === "length") continue;
      const descriptor = Object.getOwnPropertyDescriptor(holder, key);
      if (descriptor === undefined || !descriptor.configurable) continue;
      if (typeof descriptor.value === "function") {
        descriptor.value = requireArguments(
          descriptor.value,
          name,
          key,
          arity[holder === target ? `static ${key}` : key] ?? 0,
        );
      }
      defineProperty(holder, key, { ...descriptor, enumerable: true });
    }
  }
  defineProperty(target, "name", { value: name, configurable: true });
  defineProperty(target, "length", { value: arity["new"] ?? 0, configurable: true });
  defineProperty(target.prototype, Symbol.toStringTag, { value: name, configurable: true });
}

/** Throws a TypeError when a constructor got too few arguments. */
export function requireConstructorArguments(given: number, required: number, name: string): void {
  if (given < required) {
    throw new TypeError(
      `${name} constructor: ${required} argument${required === 1 ? "" : "s"} required, ${given} given`,
    );
  }
}

type Method = (this: unknown, ...args: unknown[]) => unknown;

function requireArguments(method: Method, owner: string, name: string, required: number): Method {
  // An object member, so that the wrapper is no constructor and has no prototype.
  const { wrapped } = {
    wrapped(this: unknown, ...args: unknown[]): unknown {
      if (args.length < required) {
        const message = `${owner}.${name}: ${required} argument${required === 1 ? "" : "s"} required, ${args.length} given`;
        // An async member answers with a rejected promise, never by throwing.
        if (method.constructor.name === "AsyncFunction") return Promise.reject(new TypeError(message));
        throw new TypeError(message);
      }
      return apply(method, this, args);
    },
  };
  defineProperty(wrapped, "name", { value: name, configurable: true });
  defineProperty(wrapped, "length", { value: required, configurable: true });
  return wrapped;
}

/** Makes `new` on a class impossible for scripts while the guest still can: pass this key as the first argument. */
export const CONSTRUCT = Symbol("construct");

/** Throws unless the guest itself constructs. */
export function requireGuest(key: unknown): void {
  if (key !== CONSTRUCT) throw new TypeError("Illegal constructor");
}
