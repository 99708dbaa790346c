/** esbuild's service process (58 MB): kept while it is in use, stopped when it has been idle. */
import { stop } from "esbuild";

const IDLE_MS = 10_000;

let users = 0;
let idle: NodeJS.Timeout | undefined;

/** Runs a build; the service stops once nothing has been built for a while. */
export async function withEsbuild<T>(build: () => Promise<T>): Promise<T> {
  users++;
  clearTimeout(idle);
  try {
    return await build();
  } finally {
    users--;
    if (users === 0) idle = setTimeout(() => void stop(), IDLE_MS).unref();
  }
}

/** Stops the service now, unless somebody builds; the next build starts it again. */
export async function stopEsbuild(): Promise<void> {
  if (users > 0) return;
  clearTimeout(idle);
  await stop();
}
