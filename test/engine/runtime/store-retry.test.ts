import { expect, it, vi } from "vitest";
import { EngineError } from "../../../src/core/codes/problems.ts";
import { retryWhileStoreFails } from "../../../src/engine/effects/retry.ts";
import { SILENT_LOGGER } from "../../../src/engine/system/silent-logger.ts";
import { createTestClock } from "../../support/test-clock.ts";

const NEVER = new AbortController().signal;

it("tries what the store refuses until it does it, and says so once", async () => {
  const clock = createTestClock();
  const warn = vi.fn();
  const access = vi.fn().mockReturnValue("kept");
  for (const code of ["STORE_LOCKED", "STORE_IO"] as const) {
    access.mockImplementationOnce(() => {
      throw new EngineError(code, "not now");
    });
  }
  const kept = retryWhileStoreFails({ clock, logger: { ...SILENT_LOGGER, warn } }, NEVER, access);
  for (const tries of [1, 2]) {
    await vi.waitUntil(() => access.mock.calls.length === tries && clock.sleeping() === 1);
    clock.advance(1_000);
  }
  expect(await kept).toBe("kept");
  expect(warn).toHaveBeenCalledTimes(1);
});

it("does not wait for a damaged database, nor for anybody who wants it no more", async () => {
  const parts = { clock: createTestClock(), logger: SILENT_LOGGER };
  const damaged = () => {
    throw new EngineError("STORE_CORRUPT", "database is damaged");
  };
  await expect(retryWhileStoreFails(parts, NEVER, damaged)).rejects.toMatchObject({ code: "STORE_CORRUPT" });
  await expect(retryWhileStoreFails(parts, AbortSignal.abort(), () => "kept")).rejects.toThrow("aborted");
});
