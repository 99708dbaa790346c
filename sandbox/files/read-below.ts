/** Reads whole files below a root, up to a limit that is kept while reading. */
import type { FileHandle } from "node:fs/promises";
import { type Below, type OpenError, openFileBelow } from "./open-below.ts";
import { readCode } from "./read-code.ts";

/** Reads a regular file whole. Codes: those of `openFileBelow`, and `TOO_LARGE` past `most` bytes. Never throws. */
export async function readFileBelow(
  below: Below,
  most: number,
): Promise<{ readonly ok: true; readonly bytes: Buffer } | OpenError> {
  const opened = await openFileBelow(below);
  if (!opened.ok) return opened;
  const { handle, stats } = opened;
  try {
    const bytes = stats.size > most ? null : await readUpTo(handle, stats.size, most);
    return bytes === null ? { ok: false, code: "TOO_LARGE", at: below.path } : { ok: true, bytes };
  } catch (error) {
    return { ok: false, code: readCode(error), at: below.path };
  } finally {
    await handle.close();
  }
}

/**
 * The content of an open file, or null past `most` bytes. `size` is what its facts say, in bytes: it may grow or shrink
 * while it is read, so it is read until its end.
 */
export async function readUpTo(file: FileHandle, size: number, most: number): Promise<Buffer | null> {
  let buffer = Buffer.allocUnsafe(Math.min(size, most) + 1);
  let filled = 0;
  for (;;) {
    const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, filled);
    filled += bytesRead;
    if (filled > most) return null;
    if (bytesRead === 0) return buffer.subarray(0, filled);
    if (filled === buffer.length) buffer = Buffer.concat([buffer], Math.min(filled * 2, most + 1));
  }
}
