import { expect, test } from "vitest";
import { createHostJobs } from "../../src/index.ts";

test("the jobs of an own host are forgotten once 1,000 newer ones have ended, and no two have one number", async () => {
  const jobs = createHostJobs({ startApp: async () => {} });
  const call = { method: "startApp", name: "hello" } as const;
  const ref = (at: number) => ({ requestId: `r${at}`, method: call.method });
  const watch = { signal: AbortSignal.timeout(30_000), progress: () => {} };
  const ids = new Set<number>();
  for (let at = 0; at <= 1_000; at++) {
    ids.add((await jobs.startJob(call, `r${at}`)).id);
    await jobs.waitJob(ref(at), watch);
  }
  expect(ids.size).toBe(1_001);
  expect(await jobs.findJob(ref(0))).toBeNull();
  expect(await jobs.waitJob(ref(0), watch)).toBeNull();
  expect(await jobs.findJob(ref(1))).toMatchObject({ state: "SUCCESS" });
});
