/** What a hook may reach, by answers of the host that are remembered for a second. */
import { expect, it } from "vitest";
import type { HostApp } from "../../../src/engine/ports/host-records.ts";
import { createReach } from "../../../src/engine/reachable-ports.ts";
import { createTestClock } from "../../support/test-clock.ts";

const DEMO: Omit<HostApp, "state"> = {
  name: "demo",
  appId: "demo",
  custom: false,
  version: "1.0.0",
  upgradeAvailable: false,
  scheme: "http",
  publishedPorts: [],
  mounts: [],
};

it("an app that comes up between a request and its refusal still counts as starting, and has its ports next", async () => {
  const clock = createTestClock();
  let isUp = false;
  let asked = 0;
  const host = {
    apps: async () => {
      asked += 1;
      return [{ ...DEMO, state: isUp ? "RUNNING" : "DEPLOYING" }];
    },
    appPorts: async () => (isUp ? [8080] : []),
  };
  const { lanPorts, isStarting } = createReach(clock, host, "demo");
  expect(await lanPorts()).toEqual([]);
  isUp = true;
  clock.advance(1_000);
  expect(await isStarting()).toBe(true);
  expect(await lanPorts()).toEqual([8080]);
  expect(await isStarting()).toBe(false);
  expect(asked).toBe(2);
});

it("an app that comes up while the host answers has its ports where it is seen to run", async () => {
  const clock = createTestClock();
  let isUp = false;
  const host = {
    apps: async () => {
      const apps = [{ ...DEMO, state: isUp ? "RUNNING" : "DEPLOYING" }];
      isUp = true;
      return apps;
    },
    appPorts: async () => (isUp ? [8080] : []),
  };
  const { lanPorts, isStarting } = createReach(clock, host, "demo");
  expect([await lanPorts(), await isStarting()]).toEqual([[8080], true]);
});
