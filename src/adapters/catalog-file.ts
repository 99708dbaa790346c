/**
 * Reads one file of a catalog directory whole.
 *
 * Invariant: what is returned was the file's complete content at one moment. A file that changes while it is read,
 * or that was written a moment ago and is not complete yet, is read again.
 */
import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { lstat, open } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";

/** Largest file read, in bytes. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;

/** A write may be under way in a file younger than this, in ms. */
const SETTLED_AFTER_MS = 1_000;
const PAUSE_MS = 50;
const ATTEMPTS = 60;

export type FileRead =
  | { readonly kind: "text"; readonly text: string; readonly sha256: string }
  | { readonly kind: "not-utf8" }
  | { readonly kind: "changing" }
  | { readonly kind: "gone" }
  | { readonly kind: "unreadable"; readonly reason: string };

/** Reads a file; `isComplete` judges a text that was written only a moment ago. Never throws. */
export async function readWhole(path: string, isComplete: (text: string) => boolean): Promise<FileRead> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (attempt > 0) await wait(PAUSE_MS);
    let read: StableRead | null;
    try {
      read = await readStable(path);
    } catch (error) {
      if (isGone(error)) return await goneOrDangling(path);
      return { kind: "unreadable", reason: error instanceof Error ? error.message : String(error) };
    }
    if (read === null) continue;
    const text = decode(read.bytes);
    const young = Date.now() - read.modified < SETTLED_AFTER_MS;
    if (young && (text === null || !isComplete(text))) continue;
    if (text === null) return { kind: "not-utf8" };
    return { kind: "text", text, sha256: createHash("sha256").update(read.bytes).digest("hex") };
  }
  return { kind: "changing" };
}

interface StableRead {
  readonly bytes: Buffer;
  /** UTC ms. */
  readonly modified: number;
}

/** The content, or null when the file changed under the read. */
async function readStable(path: string): Promise<StableRead | null> {
  // Non-blocking: to open a pipe would otherwise take until somebody writes to it.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const before = await file.stat({ bigint: true });
    if (!before.isFile()) throw new Error("it is no regular file");
    if (before.size > MAX_FILE_BYTES) throw new Error(`it has ${before.size} bytes, allowed are ${MAX_FILE_BYTES}`);
    const bytes = await file.readFile();
    const after = await file.stat({ bigint: true });
    const stable =
      before.mtimeNs === after.mtimeNs && before.size === after.size && BigInt(bytes.length) === after.size;
    return stable ? { bytes, modified: Number(after.mtimeMs) } : null;
  } finally {
    await file.close();
  }
}

function decode(bytes: Buffer): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** A symbolic link that leads nowhere stays, unlike a file that was removed. */
async function goneOrDangling(path: string): Promise<FileRead> {
  const found = await lstat(path).catch(() => null);
  return found === null ? { kind: "gone" } : { kind: "unreadable", reason: "it is a link to a file that is not there" };
}

function isGone(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
