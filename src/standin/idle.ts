import { setTimeout as sleep } from "node:timers/promises";

/** How often an idle stand-in looks whether somebody came, in ms. */
const LOOK_MS = 200;

/**
 * Resolves when the stand-in has had neither client nor running job for `seconds`, or when the signal aborts; without
 * `seconds` only then.
 */
export async function waitUntilIdle(
  host: { busy(): boolean },
  seconds: number | undefined,
  signal: AbortSignal,
): Promise<void> {
  let idleSince = performance.now();
  while (!signal.aborted) {
    if (seconds === undefined || host.busy()) idleSince = performance.now();
    else if (performance.now() - idleSince >= seconds * 1000) return;
    await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
}
