/** `crypto` (Web Cryptography API): random values, and of SubtleCrypto `digest` only. */

import type { DigestAlgorithm } from "../../protocol/ops.ts";
import { askParentForBytes, digest as digestInChild } from "../bridge/bridge.ts";
import { DOMException } from "./events/dom-exception.ts";
import { CONSTRUCT, exposeMembers, requireGuest, toDomString, toView } from "./webidl.ts";

/** Most bytes of one `getRandomValues` (the standard's quota). */
const MAX_RANDOM_BYTES = 65_536;

/** Cryptographic random bytes, asked of the parent, which may record them. */
export function randomBytes(count: number): Uint8Array<ArrayBuffer> {
  if (count === 0) return new Uint8Array();
  return askParentForBytes({ op: "random", bytes: count });
}

/** A version 4 UUID (RFC 9562). */
export function randomUuid(): string {
  const bytes = randomBytes(16);
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

const INTEGER_ARRAYS = new Set([
  "Int8Array",
  "Uint8Array",
  "Uint8ClampedArray",
  "Int16Array",
  "Uint16Array",
  "Int32Array",
  "Uint32Array",
  "BigInt64Array",
  "BigUint64Array",
]);
const { get: typedArrayName } = Object.getOwnPropertyDescriptor(
  Object.getPrototypeOf(Uint8Array.prototype),
  Symbol.toStringTag,
) as { get: () => string | undefined };

const DIGESTS: { readonly [name: string]: DigestAlgorithm } = {
  "SHA-1": "sha1",
  "SHA-256": "sha256",
  "SHA-384": "sha384",
  "SHA-512": "sha512",
};

export class SubtleCrypto {
  readonly #brand = true;

  constructor(key?: unknown) {
    requireGuest(key);
  }

  async digest(algorithm: unknown, data: unknown): Promise<ArrayBuffer> {
    void this.#brand;
    const name = typeof algorithm === "object" && algorithm !== null ? Reflect.get(algorithm, "name") : algorithm;
    const bytes = toView(data);
    if (bytes === undefined) throw new TypeError("SubtleCrypto.digest: the data is not an ArrayBuffer or view");
    const known = DIGESTS[toDomString(name).toUpperCase()];
    if (known === undefined) {
      const allowed = Object.keys(DIGESTS).join(", ");
      throw new DOMException(`"${toDomString(name)}" is not supported; allowed are ${allowed}`, "NotSupportedError");
    }
    return digestInChild({ op: "digest", algorithm: known }, bytes.slice().buffer).buffer;
  }
}
exposeMembers(SubtleCrypto, "SubtleCrypto", { digest: 2 });

export class Crypto {
  readonly #subtle: SubtleCrypto = new SubtleCrypto(CONSTRUCT);

  constructor(key?: unknown) {
    requireGuest(key);
  }

  get subtle(): SubtleCrypto {
    return this.#subtle;
  }
  getRandomValues<T>(array: T): T {
    void this.#subtle;
    const name = ArrayBuffer.isView(array) ? typedArrayName.call(array) : undefined;
    if (!ArrayBuffer.isView(array) || name === undefined || !INTEGER_ARRAYS.has(name)) {
      throw new DOMException("The argument is not an integer typed array", "TypeMismatchError");
    }
    if (array.byteLength > MAX_RANDOM_BYTES) {
      const message = `${array.byteLength} bytes are more than the ${MAX_RANDOM_BYTES} one call may ask for`;
      throw new DOMException(message, "QuotaExceededError");
    }
    const view = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    view.set(randomBytes(array.byteLength));
    return array;
  }
  randomUUID(): string {
    void this.#subtle;
    return randomUuid();
  }
}
exposeMembers(Crypto, "Crypto", { getRandomValues: 1 });

/** The one instance scripts see. */
export const crypto = new Crypto(CONSTRUCT);
