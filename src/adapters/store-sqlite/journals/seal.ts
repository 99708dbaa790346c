/**
 * The content of a journal is kept encrypted, under a key that goes with the journal: SQLite overwrites what is
 * deleted, but when it moves rows between pages it leaves copies in the pages' free space, which no setting clears
 * (measured on 3.54). The key guards nothing else: it stands in the same file.
 */
import { createCipheriv, hash, type KeyObject, randomBytes } from "node:crypto";

export const KEY_BYTES = 32;

export function createKey(): Uint8Array {
  return randomBytes(KEY_BYTES);
}

/**
 * Encrypts a part of a journal, or decrypts it; each part of a journal has a name of its own. A `KeyObject`, since bytes
 * would be prepared anew for each part.
 */
export function applyKey(key: KeyObject, part: string, bytes: Uint8Array): Buffer {
  const start = hash("sha256", part, "buffer").subarray(0, 16);
  return createCipheriv("aes-256-ctr", key, start).update(bytes);
}
