/**
 * Which files an import may name: relative ones below the catalog's root, also by links that stay below it. What is no
 * plain file there is a file that is missing: opening waits for nothing and no more than `FILE_BYTES` is kept.
 */
import { dirname, extname, join, normalize, sep } from "node:path";
import { readFileBelow } from "../files/read-below.ts";
import type { BundlerCode } from "./bundler/messages.ts";

/** Most bytes of one file of a script. */
export const FILE_BYTES = 512 * 1024;
/** Most files of one script. */
export const FILES = 64;
/** Most bytes of all files of one script. */
export const SCRIPT_BYTES = 4 * 1024 * 1024;
/** Most bytes of a bundle. */
export const BUNDLE_BYTES = 2 * 1024 * 1024;

const EXTENSIONS = new Set([".ts", ".js", ".json", ".jsonc"]);

/** A file found and read, or why it may not be used. */
export type FoundFile =
  | { readonly ok: true; readonly path: string; readonly text: string }
  | { readonly ok: false; readonly code: BundlerCode; readonly message: string };

/** Finds and reads the file a script's entry or import names; `from` is relative to the root. */
export async function findFile(root: string, from: string, specifier: string): Promise<FoundFile> {
  for (const candidate of listCandidates(from, specifier)) {
    const found = await readCandidate(root, candidate);
    if (found !== null) return found;
  }
  return { ok: false, code: "SANDBOX_FILE_MISSING", message: `"${specifier}" names no file of the catalog` };
}

/** The text of a file found before; null where it is no longer one that may be used. */
export async function rereadFile(root: string, path: string): Promise<string | null> {
  const found = await readCandidate(root, path);
  return found?.ok === true && found.path === path ? found.text : null;
}

/** Where the file may lie: as written, by TypeScript's habits of leaving the extension out or writing `.js`. */
export function listCandidates(from: string, specifier: string): string[] {
  const wanted = normalize(join(dirname(from), specifier));
  const written = EXTENSIONS.has(extname(wanted)) ? [wanted] : [];
  const source = wanted.endsWith(".js") ? [`${wanted.slice(0, -".js".length)}.ts`] : [];
  return [...written, ...source, `${wanted}.ts`, `${wanted}.js`, join(wanted, "index.ts")];
}

async function readCandidate(root: string, path: string): Promise<FoundFile | null> {
  if (isOutside(path)) return refuseOutside(path);
  const read = await readFileBelow({ root, path }, FILE_BYTES);
  if (read.ok) return { ok: true, path: path.split(sep).join("/"), text: read.bytes.toString("utf8") };
  if (read.code === "OUTSIDE") return refuseOutside(path);
  return read.code === "TOO_LARGE" ? refuseTooLarge(path) : null;
}

function isOutside(path: string): boolean {
  return path === ".." || path.startsWith(`..${sep}`) || path.startsWith(sep) || path.includes("\0");
}

function refuseOutside(path: string): FoundFile {
  return { ok: false, code: "SANDBOX_FILE_OUTSIDE", message: `"${path}" lies outside of the catalog` };
}

function refuseTooLarge(path: string): FoundFile {
  const message = `"${path}" is larger than the allowed ${FILE_BYTES} bytes`;
  return { ok: false, code: "SANDBOX_SCRIPT_TOO_LARGE", message };
}
