/** `node:crypto`: `randomUUID`, `randomBytes`, `createHash`. */

import type { DigestAlgorithm } from "../../protocol/ops.ts";
import { digest } from "../bridge/bridge.ts";
import { randomBytes as random, randomUuid, crypto as webcrypto } from "../web/crypto.ts";
import { encodeUtf8 } from "../web/encoding/encoding.ts";
import { concatenate } from "../web/streams.ts";
import { toView } from "../web/webidl.ts";
import { Buffer } from "./buffer.ts";

const ALGORITHMS: readonly DigestAlgorithm[] = ["md5", "sha1", "sha256", "sha384", "sha512"];

/** Most bytes of one call, as of the boundary's operation. */
const MAX_RANDOM_BYTES = 65_536;

export function randomUUID(): string {
  return randomUuid();
}

export function randomBytes(size: number): Buffer {
  if (!Number.isInteger(size) || size < 0 || size > MAX_RANDOM_BYTES) {
    throw new RangeError(`The value of "size" is out of range: it must be from 0 to ${MAX_RANDOM_BYTES}`);
  }
  return Buffer.from(random(size).buffer);
}

/** A hash fed in pieces; the digest is computed at once in the child. */
export class Hash {
  readonly #algorithm: DigestAlgorithm;
  #chunks: Uint8Array<ArrayBuffer>[] | undefined = [];

  constructor(algorithm: DigestAlgorithm) {
    this.#algorithm = algorithm;
  }

  #open(): Uint8Array<ArrayBuffer>[] {
    if (this.#chunks !== undefined) return this.#chunks;
    throw Object.assign(new Error("Digest already called"), { code: "ERR_CRYPTO_HASH_FINALIZED" });
  }

  update(data: unknown, encoding: unknown = "utf8"): this {
    const bytes = typeof data === "string" ? encodeText(data, encoding) : toView(data)?.slice();
    if (bytes === undefined) throw new TypeError('The "data" argument must be of type string or a Buffer or view');
    this.#open().push(bytes);
    return this;
  }

  digest(): Buffer;
  digest(encoding: "hex" | "base64" | "base64url" | "latin1"): string;
  digest(encoding?: "hex" | "base64" | "base64url" | "latin1"): Buffer | string {
    const chunks = this.#open();
    this.#chunks = undefined;
    const input = concatenate(chunks).slice().buffer;
    const bytes = Buffer.from(digest({ op: "digest", algorithm: this.#algorithm }, input).buffer);
    if (encoding !== "base64url") return encoding === undefined ? bytes : bytes.toString(encoding);
    return bytes.toString("base64").replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  }
}

function encodeText(text: string, encoding: unknown): Uint8Array<ArrayBuffer> {
  if (encoding === "utf8" || encoding === "utf-8") return encodeUtf8(text);
  return Buffer.from(text, String(encoding) as "hex").slice() as Uint8Array<ArrayBuffer>;
}

export function createHash(algorithm: string): Hash {
  const name = ALGORITHMS.find((known) => known === algorithm.toLowerCase().replace("-", ""));
  if (name !== undefined) return new Hash(name);
  throw Object.assign(
    new Error(`Digest method "${algorithm}" is not supported; allowed are ${ALGORITHMS.join(", ")}`),
    {
      code: "ERR_CRYPTO_INVALID_DIGEST",
    },
  );
}

/** The module `node:crypto` of a script. */
export const crypto = { randomUUID, randomBytes, createHash, Hash, webcrypto, subtle: webcrypto.subtle };
