/** Work that yields where it may be interrupted, done a few ms at a stretch: the thread has other work in between. */
import { setImmediate as nextTick } from "node:timers/promises";

/** Most ms at a stretch. */
const SLICE_MS = 5;

/** Drives the steps to their end and resolves with what they return; a throw of theirs rejects. */
export async function runInSlices<T>(steps: Generator<void, T>): Promise<T> {
  let until = performance.now() + SLICE_MS;
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (performance.now() < until) continue;
    await nextTick();
    until = performance.now() + SLICE_MS;
  }
}

/** Drives the steps to their end at once. */
export function runAtOnce<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
