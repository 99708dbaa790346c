/** What a value really is, whatever its prototype says: told by its internal slots. */
import { apply } from "../../bridge/primordials.ts";

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

export const isBoolean = hasSlot(Boolean.prototype.valueOf);
export const isNumber = hasSlot(Number.prototype.valueOf);
export const isString = hasSlot(String.prototype.valueOf);
export const isBigInt = hasSlot(BigInt.prototype.valueOf);
export const isSymbol = hasSlot(Symbol.prototype.valueOf);
export const isDate = hasSlot(Date.prototype.getTime);
export const isRegExp = hasSlot(captureGetter(RegExp.prototype, "source"));
export const isMap = hasSlot(captureGetter(Map.prototype, "size"));
export const isSet = hasSlot(captureGetter(Set.prototype, "size"));
export const isArrayBuffer = hasSlot(captureGetter(ArrayBuffer.prototype, "byteLength"));
const weakMapHas = WeakMap.prototype.has;
const weakSetHas = WeakSet.prototype.has;
export const isWeakMap = hasSlot(function probe(this: unknown) {
  return apply(weakMapHas, this as WeakMap<object, unknown>, [{}]);
});
export const isWeakSet = hasSlot(function probe(this: unknown) {
  return apply(weakSetHas, this as WeakSet<object>, [{}]);
});
/** Getter of an ArrayBuffer that tells whether its bytes were moved away. */
export const isDetached = captureGetter(ArrayBuffer.prototype, "detached");
export const isError: (value: unknown) => boolean =
  (Error as unknown as { isError?: (value: unknown) => boolean }).isError ?? ((value) => value instanceof Error);

/** Getter of a typed array's class; undefined of a DataView. */
export const typedArrayName = captureGetter(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag);
