/** esbuild's service process for the engine's own programs (58 MB): never given what an author wrote, stopped when idle. */
import { stop } from "esbuild";

const IDLE_MS = 10_000;

let building = 0;
let idle: NodeJS.Timeout | undefined;

/** Runs a build of a program of the engine's own; rejects as `build`. */
export async function withEsbuild<T>(build: () => Promise<T>): Promise<T> {
  building++;
  clearTimeout(idle);
  try {
    return await build();
  } finally {
    building--;
    if (building === 0) idle = setTimeout(() => void stop(), IDLE_MS).unref();
  }
}

/** Stops the service now, unless somebody builds; the next build starts it again. */
export async function stopEsbuild(): Promise<void> {
  if (building > 0) return;
  clearTimeout(idle);
  await stop();
}
