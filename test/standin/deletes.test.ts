import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { openLoggedIn, startStandin } from "../support/engine/standin-client.ts";

const TOP = "tank/Media/gone";

describe("pool.dataset.delete", () => {
  test("takes a dataset with its files, snapshots and shares, and what lies below only when told so", async () => {
    const host = await startStandin();
    const client = await openLoggedIn(host);
    for (const name of [TOP, `${TOP}/below`]) await client.call("pool.dataset.create", { name });
    await client.call("pool.snapshot.create", { dataset: TOP, name: "one" });
    await client.call("sharing.smb.create", { name: "gone", path: `/mnt/${TOP}` });
    expect(await client.failure("pool.dataset.delete", TOP)).toMatchObject({
      data: { errname: "EFAULT", reason: expect.stringContaining("has children") },
    });
    expect(await client.call("pool.dataset.delete", TOP, { recursive: true })).toBe(true);
    expect(await client.call("pool.dataset.query", [["id", "^", TOP]])).toEqual([]);
    expect(await client.call("pool.snapshot.query", [["dataset", "=", TOP]], { select: ["name"] })).toEqual([]);
    expect(await client.call("sharing.smb.query")).toEqual([]);
    expect(existsSync(host.localPath(`/mnt/${TOP}`))).toBe(false);
    expect(await client.failure("pool.dataset.delete", TOP)).toMatchObject({
      data: { extra: [["id", `${TOP} does not exist`, 2]] },
    });
  });

  test("refuses one whose snapshot has a clone elsewhere", async () => {
    const client = await openLoggedIn(await startStandin());
    await client.call("pool.dataset.create", { name: TOP });
    await client.call("pool.snapshot.create", { dataset: TOP, name: "one" });
    await client.call("pool.snapshot.clone", { snapshot: `${TOP}@one`, dataset_dst: "tank/Media/clone" });
    expect(await client.failure("pool.dataset.delete", TOP, { recursive: true })).toMatchObject({
      data: { reason: expect.stringContaining("dependent clones") },
    });
  });
});

test("sharing.smb.delete takes a share and leaves its folder", async () => {
  const host = await startStandin();
  const client = await openLoggedIn(host);
  await client.call("sharing.smb.create", { name: "media", path: "/mnt/tank/Media" });
  expect(await client.call("sharing.smb.delete", 1)).toBe(true);
  expect(await client.failure("sharing.smb.delete", 1)).toMatchObject({
    data: { extra: [["id", "1 does not exist", 2]] },
  });
  expect(existsSync(host.localPath("/mnt/tank/Media"))).toBe(true);
});
