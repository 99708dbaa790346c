/** A child whose isolation can't be read from /proc: the report fails closed. */
import { expect, test } from "vitest";
import { readHealth } from "../../../sandbox/process/health.ts";
import type { Isolation } from "../../../sandbox/process/isolation.ts";

const WALLS: Isolation = {
  user: "own",
  network: "empty",
  privileges: "dropped",
  ipc: "own",
  processes: "own",
  root: "private",
};
const READY = { t: "ready", webAssembly: false, permission: true, isolatedVm: "7.0.1" } as const;
const NO_PROCESS = 2 ** 31 - 1;

test("a wall the kernel tells nothing of does not count as standing", () => {
  const { usable, layers } = readHealth(NO_PROCESS, READY, WALLS, false);
  expect(usable).toBe(false);
  const standing = layers.filter(({ active }) => active).map(({ name }) => name);
  expect(standing.sort()).toEqual(["ends with the engine", "isolated-vm", "jitless", "permission model"]);
});
