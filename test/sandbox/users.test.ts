import { expect, it } from "vitest";
import { liveUsers } from "../../sandbox/child-sweep.ts";

it("the users that have live processes are those of this machine, the test's own among them", () => {
  expect(liveUsers().has(process.getuid?.() ?? -1)).toBe(true);
  expect(liveUsers().has(4_294_967_294)).toBe(false);
});
