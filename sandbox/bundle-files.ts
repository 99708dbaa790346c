/** Which files an import may name: relative ones below the catalog's root, after symlinks are resolved. */
import { realpath, stat } from "node:fs/promises";
import { dirname, extname, join, normalize, relative, sep } from "node:path";
import type { Code } from "../src/core/codes.ts";

/** Most bytes of one file of a script. */
export const FILE_BYTES = 512 * 1024;
/** Most files of one script. */
export const FILES = 64;
/** Most bytes of a bundle. */
export const BUNDLE_BYTES = 2 * 1024 * 1024;

const EXTENSIONS = new Set([".ts", ".js", ".json", ".jsonc"]);

/** A file found, or why it may not be used. */
export type FoundFile =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly code: Code; readonly message: string };

/** Finds the file a script's entry or import names; `path` is relative to the root, with `/`. */
export async function findFile(root: string, from: string, specifier: string): Promise<FoundFile> {
  const wanted = normalize(join(dirname(from), specifier));
  for (const candidate of candidates(wanted)) {
    const found = await resolveFile(root, candidate);
    if (found !== null) return found;
  }
  return { ok: false, code: "SANDBOX_FILE_MISSING", message: `"${specifier}" names no file of the catalog` };
}

/** Where the file may lie: as written, by TypeScript's habits of leaving the extension out or writing `.js`. */
function candidates(wanted: string): string[] {
  const written = EXTENSIONS.has(extname(wanted)) ? [wanted] : [];
  const source = wanted.endsWith(".js") ? [`${wanted.slice(0, -".js".length)}.ts`] : [];
  return [...written, ...source, `${wanted}.ts`, `${wanted}.js`, join(wanted, "index.ts")];
}

async function resolveFile(root: string, candidate: string): Promise<FoundFile | null> {
  if (escapes(candidate)) return outside(candidate);
  let path: string;
  let size: number;
  try {
    path = relative(root, await realpath(join(root, candidate)));
    const facts = await stat(join(root, path));
    if (!facts.isFile()) return null;
    size = facts.size;
  } catch {
    return null;
  }
  if (escapes(path)) return outside(candidate);
  if (!EXTENSIONS.has(extname(path))) {
    const allowed = [...EXTENSIONS].join(", ");
    return {
      ok: false,
      code: "SANDBOX_IMPORT_FORBIDDEN",
      message: `"${path}" is no script file, allowed are ${allowed}`,
    };
  }
  if (size > FILE_BYTES) {
    const message = `"${path}" has ${size} bytes, allowed are ${FILE_BYTES}`;
    return { ok: false, code: "SANDBOX_SCRIPT_TOO_LARGE", message };
  }
  return { ok: true, path: path.split(sep).join("/") };
}

function escapes(path: string): boolean {
  return path === ".." || path.startsWith(`..${sep}`) || path.startsWith(sep) || path.includes("\0");
}

function outside(path: string): FoundFile {
  return { ok: false, code: "SANDBOX_FILE_OUTSIDE", message: `"${path}" lies outside of the catalog` };
}
