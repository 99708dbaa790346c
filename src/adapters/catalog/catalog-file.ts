/**
 * Reads one file of a catalog directory whole.
 *
 * Invariants:
 * 1. What is returned was the file's complete content at one moment. A file that changes while it is read, or that was
 *    written a moment ago and is not complete yet, is read again.
 * 2. It was a regular file below the catalog's root: no link leads out of it.
 */
import { createHash } from "node:crypto";
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { openFileBelow } from "../../../sandbox/files/open-below.ts";
import { readUpTo } from "../../../sandbox/files/read-below.ts";
import { readCode } from "../../../sandbox/files/read-code.ts";
import { MAX_SCRIPT_BYTES } from "../../core/script/script-limits.ts";

/** A write may be under way in a file younger than this, in ms. */
const SETTLED_AFTER_MS = 1_000;
const PAUSE_MS = 50;
const ATTEMPTS = 60;

export type FileRead =
  | { readonly kind: "text"; readonly text: string; readonly sha256: string }
  | { readonly kind: "not-utf8" }
  | { readonly kind: "too-large" }
  | { readonly kind: "changing" }
  | { readonly kind: "gone" }
  | { readonly kind: "unreadable"; readonly reason: string };

/** Reads a file of the catalog at `root`; `isWhole` judges a text written only a moment ago. Rejects only as that does. */
export async function readWhole(
  root: string,
  path: string,
  isWhole: (text: string) => Promise<boolean>,
): Promise<FileRead> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (attempt > 0) await wait(PAUSE_MS);
    const read = await readStable(root, path);
    if (read === null) continue;
    if ("code" in read) {
      if (read.code === "ENOENT") return await checkGone(join(root, path));
      if (read.code === "TOO_LARGE") return { kind: "too-large" };
      return { kind: "unreadable", reason: REASONS[read.code] ?? read.code };
    }
    const text = decode(read.bytes);
    // A time in the future says nothing.
    const young = Math.abs(Date.now() - read.modified) < SETTLED_AFTER_MS;
    if (young && (text === null || !(await isWhole(text)))) continue;
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

/** Why a file is not read, by the codes of `openFileBelow` and of the system. */
const REASONS: Readonly<Record<string, string>> = {
  OUTSIDE: "it leads outside the catalog",
  NOT_FILE: "it is not a regular file",
  EISDIR: "it is a directory",
};

/** The content, null when the file changed under the read, or why it was not read. */
async function readStable(root: string, path: string): Promise<StableRead | { readonly code: string } | null> {
  const opened = await openFileBelow({ root, path });
  if (!opened.ok) return opened;
  const { handle } = opened;
  try {
    const before = await handle.stat({ bigint: true });
    const size = Number(before.size);
    const bytes = size > MAX_SCRIPT_BYTES ? null : await readUpTo(handle, size, MAX_SCRIPT_BYTES);
    if (bytes === null) return { code: "TOO_LARGE" };
    const after = await handle.stat({ bigint: true });
    const stable =
      before.mtimeNs === after.mtimeNs && before.size === after.size && BigInt(bytes.length) === after.size;
    return stable ? { bytes, modified: Number(after.mtimeMs) } : null;
  } catch (error) {
    return { code: readCode(error) };
  } finally {
    await handle.close();
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
async function checkGone(path: string): Promise<FileRead> {
  const found = await lstat(path).catch(() => null);
  return found === null ? { kind: "gone" } : { kind: "unreadable", reason: "it is a link to a file that is not there" };
}
