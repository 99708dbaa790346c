import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it, test } from "vitest";
import { listLiveUsers } from "../../sandbox/process/sweep.ts";
import { claimUser, isChildUser, releaseUser } from "../../sandbox/process/users.ts";

it("the users that have live processes are those of this machine, the test's own among them", () => {
  expect(listLiveUsers().has(process.getuid?.() ?? -1)).toBe(true);
  expect(listLiveUsers().has(4_294_967_294)).toBe(false);
});

it("a user is claimed once until it is given back, and no more than there are", async () => {
  const claimed = Array.from({ length: 60 }, claimUser);
  expect(new Set(claimed).size).toBe(60);
  expect(claimed.every(isChildUser)).toBe(true);
  expect(claimUser).toThrow("all 60 users");
  const back = claimed[30] ?? 0;
  await releaseUser(back);
  expect(claimUser()).toBe(back);
  await releaseUser(back);
});

test.runIf(process.getuid?.() === 0)("a user is given back when nothing runs under it any more", async () => {
  const uid = claimUser();
  const stray = spawn("sleep", ["60"], { uid, detached: true, stdio: "ignore" });
  await once(stray, "spawn");
  expect(listLiveUsers().has(uid)).toBe(true);
  await Promise.all([releaseUser(uid), once(stray, "exit")]);
  expect(listLiveUsers().has(uid)).toBe(false);
});
