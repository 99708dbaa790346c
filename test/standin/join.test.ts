import { expect, onTestFinished, test } from "vitest";
import { askClaim } from "../../src/standin/claim.ts";
import { joinStandin } from "../../src/standin/join.ts";
import type { StandinAddress } from "../../src/standin/ready.ts";
import { createStandinHost } from "../../src/standin/standin.ts";
import {
  install,
  login,
  openRaw,
  startStandin,
  temporaryDirectory,
  untilState,
} from "../support/engine/standin-client.ts";

async function joined(dir: string): Promise<StandinAddress> {
  const address = await joinStandin({ dir, catalog: "scripts/demo/catalog", speed: 50, idleExitS: 5 });
  onTestFinished(() => {
    if (isAlive(address.pid)) process.kill(address.pid, "SIGKILL");
  });
  return address;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test("the first joiner starts a process of its own, those at the same time and later join it", async () => {
  const dir = temporaryDirectory();
  const [one, two] = await Promise.all([joined(dir), joined(dir)]);
  expect(one).toEqual(two);
  expect(one.pid).not.toBe(process.pid);
  expect(await joined(dir)).toEqual(one);
});

test("after a kill the next joiner starts another on the same state", async () => {
  const dir = temporaryDirectory();
  const first = await joined(dir);
  const client = await openRaw(first.url);
  await client.call("auth.login_ex", login(first));
  await install(client, { app_name: "jellyfin", catalog_app: "jellyfin", train: "community" });
  process.kill(first.pid, "SIGKILL");
  const second = await joined(dir);
  expect(second.pid).not.toBe(first.pid);
  expect(second.apiKey).toBe(first.apiKey);
  const later = await openRaw(second.url);
  await later.call("auth.login_ex", login(second));
  await untilState(later, "jellyfin", "RUNNING");
});

test("a stand-in that is just ending is waited for, not joined", async () => {
  const dir = temporaryDirectory();
  const ending = await createStandinHost({ dir });
  const [address] = await Promise.all([joined(dir), ending.close()]);
  expect(address.pid).not.toBe(process.pid);
  expect(await (await openRaw(address.url)).call("core.ping")).toBe("pong");
});

test("asking how to join counts as being needed", async () => {
  const host = await startStandin();
  expect(host.busy()).toBe(false);
  expect(await askClaim(host.dir)).toBe("running");
  expect(host.busy()).toBe(true);
  expect(host.busy()).toBe(false);
});

test("one that can't start is given up, with the place of its log", async () => {
  const dir = temporaryDirectory();
  await expect(joinStandin({ dir, catalog: "no/such/catalog", readyWithinMs: 300 })).rejects.toMatchObject({
    code: "HOST_STANDIN_FAILED",
    message: expect.stringContaining("standin.log"),
  });
});
