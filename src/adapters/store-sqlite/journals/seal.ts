/**
 * What a journal holds is kept encrypted, under a key that goes with the journal: SQLite overwrites what is deleted, but
 * when it moves rows between pages it leaves copies in the pages' free space, which no setting clears (measured on 3.54).
 * The key guards nothing else: it stands in the same file.
 */
import { createCipheriv, createHash, randomBytes } from "node:crypto";

export const KEY_BYTES = 32;

export function createKey(): Uint8Array {
  return randomBytes(KEY_BYTES);
}

/** Encrypts a part of a journal, or decrypts it; each part of a journal has a name of its own. */
export function applyKey(key: Uint8Array, part: string, bytes: Uint8Array): Uint8Array {
  const start = createHash("sha256").update(part).digest().subarray(0, 16);
  return createCipheriv("aes-256-ctr", key, start).update(bytes);
}
