/**
 * esbuild's service process (58 MB): kept while it is in use, stopped when it has been idle.
 *
 * Invariant: a script that kills the process (a stack overflow of its Go code) fails alone. Whatever was built at the
 * same moment is built again, each build by itself, and later ones find a new process.
 */
import { stop } from "esbuild";

const IDLE_MS = 10_000;

/** The process died while this build had it to itself. */
export class BundlerDied extends Error {
  override readonly name = "BundlerDied";
}

let building = 0;
let idle: NodeJS.Timeout | undefined;
/** Settles when those that build by themselves are done; never rejects. */
let alone: Promise<void> = Promise.resolve();
/** Called when nothing is being built any more. */
const quiet: (() => void)[] = [];

/** Runs a build; the service stops once nothing has been built for a while. Rejects as `build`, or `BundlerDied`. */
export async function withEsbuild<T>(build: () => Promise<T>): Promise<T> {
  let waited: Promise<void>;
  do {
    waited = alone;
    await waited;
  } while (waited !== alone);
  try {
    return await counted(build);
  } catch (error) {
    if (!isServiceGone(error)) throw error;
    const again = alone.then(() => buildAlone(build));
    alone = again.then(
      () => undefined,
      () => undefined,
    );
    return again;
  }
}

/** Stops the service now, unless somebody builds; the next build starts it again. */
export async function stopEsbuild(): Promise<void> {
  if (building > 0) return;
  clearTimeout(idle);
  await stop();
}

async function buildAlone<T>(build: () => Promise<T>): Promise<T> {
  if (building > 0) await new Promise<void>((resolve) => quiet.push(resolve));
  // esbuild holds on to a dead process until it is stopped
  await stop();
  try {
    return await counted(build);
  } catch (error) {
    if (!isServiceGone(error)) throw error;
    await stop();
    throw new BundlerDied("the bundler's process died", { cause: error });
  }
}

async function counted<T>(build: () => Promise<T>): Promise<T> {
  building++;
  clearTimeout(idle);
  try {
    return await build();
  } finally {
    building--;
    if (building === 0) {
      idle = setTimeout(() => void stop(), IDLE_MS).unref();
      for (const resolve of quiet.splice(0)) resolve();
    }
  }
}

/** How esbuild says so: to builds under way, and to those that come after. */
function isServiceGone(error: unknown): boolean {
  return error instanceof Error && /^The service (was stopped|is no longer running)/.test(error.message);
}
