/**
 * Bundles the engine's own programs by esbuild's service process (58 MB), which is stopped when idle.
 *
 * Invariant: it is never given what an author wrote; that goes to the walled process (bundler/).
 */
import { type BuildOptions, build, stop } from "esbuild";

const IDLE_MS = 10_000;

let building = 0;
let idle: NodeJS.Timeout | undefined;

/** Bundles a program of the engine's own, given by its file, into one text; rejects as esbuild's `build`. */
export async function bundleOwnProgram(file: string, options: Omit<BuildOptions, "entryPoints">): Promise<string> {
  building++;
  clearTimeout(idle);
  try {
    const { outputFiles = [] } = await build({ ...OPTIONS, ...options, entryPoints: [file] });
    const [made] = outputFiles;
    if (made === undefined) throw new Error("esbuild wrote no bundle");
    return made.text;
  } finally {
    building--;
    if (building === 0) idle = setTimeout(() => void stop(), IDLE_MS).unref();
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
  await stop();
}
