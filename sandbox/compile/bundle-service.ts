/**
 * The texts of the engine's own programs. The package carries them built; in a checkout they are bundled when first
 * needed, by esbuild's service process (58 MB), which is stopped when idle.
 *
 * Invariant: it is never given what an author wrote; that goes to the isolated process (bundler/).
 */
import { readFile } from "node:fs/promises";
import type { BuildOptions } from "esbuild";

/** How a program is bundled, beside what is the same for all. */
export type ProgramOptions = Omit<BuildOptions, "entryPoints">;

/**
 * The text of a program, given by the file of its source: as it lies built beside it in the package, else bundled;
 * rejects as esbuild's `build`. `options` is asked only where it is bundled.
 */
export async function loadOwnProgram(
  file: string,
  options: () => ProgramOptions | Promise<ProgramOptions>,
): Promise<string> {
  if (file.endsWith(".js")) return readFile(findBuiltProgram(file), "utf8");
  return bundleOwnProgram(file, await options());
}

/** Where the package carries a program built, given the file of its source. */
export function findBuiltProgram(file: string): string {
  return file.replace(/\.[jt]s$/, ".built.js");
}

const IDLE_MS = 10_000;

let building = 0;
let idle: NodeJS.Timeout | undefined;
/** Loaded by the first bundle. */
let esbuild: Promise<typeof import("esbuild")> | undefined;

/** Bundles a program of the engine's own, given by its file, into one text; rejects as esbuild's `build`. */
export async function bundleOwnProgram(file: string, options: ProgramOptions): Promise<string> {
  building++;
  clearTimeout(idle);
  try {
    esbuild ??= import("esbuild");
    const { build } = await esbuild;
    const { outputFiles = [] } = await build({ ...OPTIONS, ...options, entryPoints: [file] });
    const [made] = outputFiles;
    if (made === undefined) throw new Error("esbuild wrote no bundle");
    return made.text;
  } finally {
    building--;
    if (building === 0) idle = setTimeout(() => void stopEsbuild(), IDLE_MS).unref();
  }
}

const OPTIONS = {
  bundle: true,
  write: false,
  platform: "node",
  target: "node24",
  logLevel: "silent",
  tsconfigRaw: "{}",
} as const satisfies BuildOptions;

/** Stops the service now, unless somebody builds; the next build starts it again. */
export async function stopEsbuild(): Promise<void> {
  if (building > 0) return;
  clearTimeout(idle);
  await (await esbuild)?.stop();
}
