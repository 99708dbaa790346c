/** When the next child is made: not while the one that was taken is brought to its work. */
import { expect, test, vi } from "vitest";
import { WarmChild } from "../../../sandbox/child/warm-child.ts";
import { createChildFiles } from "../../../sandbox/compile/bundle-child.ts";
import { startAny } from "./start-any.ts";

const LONG_MS = 60_000;

test("the next child is made once the one that was taken is at work", async () => {
  const files = createChildFiles();
  const child = await startAny(await files.files());
  const make = vi.fn(() => Promise.reject(new Error("none is needed")));
  const warmChild = new WarmChild(make);
  await warmChild.put(child);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const atWork = Promise.withResolvers<void>();
    expect(await warmChild.take(atWork.promise)).toBe(child);
    await vi.advanceTimersByTimeAsync(LONG_MS);
    expect(make).not.toHaveBeenCalled();
    atWork.resolve();
    await vi.advanceTimersByTimeAsync(LONG_MS);
    expect(make).toHaveBeenCalledTimes(1);
  } finally {
    vi.useRealTimers();
    await warmChild.close();
    child.kill();
    await child.exited;
    await files.remove();
  }
});
