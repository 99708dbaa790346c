/** A child whose isolation can't be read from /proc: the report fails closed. */
import { expect, test } from "vitest";
import { readHealth } from "../../../sandbox/process/health.ts";
import { listIsolationLevels, NO_ISOLATION } from "../../../sandbox/process/isolation.ts";

const READY = { t: "ready", webAssembly: false, permission: true, isolatedVm: "7.0.1" } as const;
const NO_PROCESS = 2 ** 31 - 1;

test("a layer the kernel tells nothing of does not count as active", () => {
  const [best = NO_ISOLATION] = listIsolationLevels(true);
  const { usable, layers } = readHealth(NO_PROCESS, READY, best, false);
  expect(usable).toBe(false);
  const active = layers.filter((layer) => layer.active).map(({ name }) => name);
  expect(active.sort()).toEqual(["ends with the engine", "isolated-vm", "jitless", "permission model"]);
});
