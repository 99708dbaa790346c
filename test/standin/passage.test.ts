/** What the stand-in makes of ACLs besides storing them: who may pass, what is inherited, where a link is refused. */
import { mkdirSync, symlinkSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/core/json/json.ts";
import { GENERATIONS, type HostGeneration, isSince } from "../../src/standin/settings.ts";
import { at, openLoggedIn, type RawClient, startStandin } from "../support/engine/standin-client.ts";

const TOP = "/mnt/tank/Media/top";
const BELOW = `${TOP}/x`;
const NETDATA = 999;
const APPS = 568;

function nfs4(tag: string, more: JsonObject = {}): JsonObject {
  return { tag, id: -1, type: "ALLOW", perms: { BASIC: "MODIFY" }, flags: { BASIC: "INHERIT" }, ...more };
}

const posix = (tag: string, isDefault: boolean, id = -1): JsonObject => ({
  tag,
  id,
  perms: { READ: true, WRITE: true, EXECUTE: true },
  default: isDefault,
});

/** A directory in a dataset made with the preset for apps: of other accounts its ACL names none. */
async function openBelowApps(generation: HostGeneration = "25.10") {
  const host = await startStandin({ generation });
  const client = await openLoggedIn(host);
  await client.call("pool.dataset.create", { name: "tank/Media/top", share_type: "APPS" });
  await client.call("filesystem.mkdir", { path: BELOW });
  return { host, client };
}

const entriesOf = async (client: RawClient, path: string) => at(await client.call("filesystem.getacl", path), "acl");

describe("an ACL is checked for execute on every parent", () => {
  test.each<[string, JsonObject, string]>([
    ["owner@ stands for the new uid", { uid: NETDATA, gid: 0, dacl: [nfs4("owner@")] }, "user netdata"],
    ["group@ stands for the new gid", { uid: APPS, gid: APPS, dacl: [nfs4("owner@"), nfs4("group@")] }, "group apps"],
    ["a named user", { uid: 0, gid: 0, dacl: [nfs4("USER", { id: NETDATA })] }, "user netdata"],
  ])("%s", async (_title, args, account) => {
    const { client } = await openBelowApps();
    const refused = await client.job("filesystem.setacl", { path: BELOW, ...args });
    expect(refused).toMatchObject({ state: "FAILED", exc_info: { type: "CallError", errno: 1 } });
    expect(refused["error"]).toContain(`Filesystem permissions on path ${TOP} prevent access for ${account}`);
    const options = { validate_effective_acl: false };
    const done = await client.job("filesystem.setacl", { path: BELOW, ...args, options });
    expect(done).toMatchObject({ state: "SUCCESS", result: { uid: args["uid"] } });
  });

  test.each<[string, JsonObject]>([
    ["an account the parents name", { uid: APPS, gid: 0, dacl: [nfs4("owner@")] }],
    ["root", { uid: 0, gid: 0, dacl: [nfs4("owner@"), nfs4("group@")] }],
    ["an entry that denies", { uid: 0, gid: 0, dacl: [nfs4("USER", { id: NETDATA, type: "DENY" })] }],
  ])("%s passes", async (_title, args) => {
    const { client } = await openBelowApps();
    expect(await client.job("filesystem.setacl", { path: BELOW, ...args })).toMatchObject({ state: "SUCCESS" });
  });

  test("everyone@ lets everybody pass, at the last of the parents too", async () => {
    const { client } = await openBelowApps();
    const open = { path: TOP, dacl: [nfs4("owner@"), nfs4("everyone@")] };
    await client.job("filesystem.setacl", open);
    const args = { path: BELOW, uid: NETDATA, gid: 998, dacl: [nfs4("owner@"), nfs4("group@")] };
    expect(await client.job("filesystem.setacl", args)).toMatchObject({ state: "SUCCESS" });
    await client.job("filesystem.setperm", { path: "/mnt/tank/Media", mode: "700" });
    expect((await client.job("filesystem.setacl", args))["error"]).toContain("on path /mnt/tank/Media prevent");
  });

  test("and so is that of the preset for apps, before its dataset is made", async () => {
    const host = await startStandin();
    const client = await openLoggedIn(host);
    await client.call("pool.dataset.create", { name: "tank/smb", share_type: "SMB" });
    const args = { name: "tank/smb/app", share_type: "APPS" };
    expect(await client.failure("pool.dataset.create", args)).toMatchObject({
      code: -32602,
      data: {
        extra: [["pool_dataset_create.share_type", expect.stringContaining("prevent access for user apps"), 22]],
      },
    });
    expect(await client.rows("pool.dataset.query", [["id", "=", "tank/smb/app"]])).toEqual([]);
    expect(await client.call("pool.dataset.create", { ...args, share_type: "GENERIC" })).toMatchObject({
      id: "tank/smb/app",
    });
  });
});

describe("mkdir", () => {
  test("inherits what the parent's entries hand down, and nothing of those that do not", async () => {
    const { client } = await openBelowApps();
    const inherited = await entriesOf(client, BELOW);
    expect(inherited).toMatchObject([
      { tag: "owner@" },
      { tag: "group@" },
      { tag: "GROUP", id: 545 },
      { tag: "GROUP", id: 544 },
      { tag: "USER", id: APPS },
    ]);
    expect(inherited).toHaveLength(5);
    for (const flags of [{ BASIC: "NOINHERIT" }, { FILE_INHERIT: false, DIRECTORY_INHERIT: false }]) {
      await client.job("filesystem.setacl", { path: BELOW, dacl: [nfs4("owner@", { flags })] });
      await client.call("filesystem.mkdir", { path: `${BELOW}/${Object.keys(flags).length}` });
      const acl = await client.call("filesystem.getacl", `${BELOW}/${Object.keys(flags).length}`);
      expect(acl).toMatchObject({ trivial: true });
    }
  });

  test("hands an entry down once if it is not to go further, and one for files as inherit-only", async () => {
    const { client } = await openBelowApps();
    const dacl = [
      nfs4("owner@", { flags: { DIRECTORY_INHERIT: true, NO_PROPAGATE_INHERIT: true } }),
      nfs4("group@", { flags: { FILE_INHERIT: true } }),
    ];
    await client.job("filesystem.setacl", { path: BELOW, uid: APPS, gid: 0, dacl });
    await client.call("filesystem.mkdir", { path: `${BELOW}/y` });
    await client.call("filesystem.mkdir", { path: `${BELOW}/y/z` });
    expect(await entriesOf(client, `${BELOW}/y`)).toMatchObject([
      { tag: "owner@", flags: { DIRECTORY_INHERIT: false, INHERIT_ONLY: false, INHERITED: true } },
      { tag: "group@", flags: { FILE_INHERIT: true, INHERIT_ONLY: true, INHERITED: true } },
    ]);
    expect(await entriesOf(client, `${BELOW}/y/z`)).toMatchObject([{ tag: "group@" }]);
  });

  test("inherits the default entries of a POSIX parent, which stay default ones besides", async () => {
    const client = await openLoggedIn(await startStandin());
    const own = ["USER_OBJ", "GROUP_OBJ", "OTHER"].map((tag) => posix(tag, false));
    const handed = [
      ...["USER_OBJ", "GROUP_OBJ", "OTHER", "MASK"].map((tag) => posix(tag, true)),
      posix("USER", true, 33),
    ];
    await client.call("filesystem.mkdir", { path: "/mnt/tank/posix/a" });
    await client.job("filesystem.setacl", { path: "/mnt/tank/posix/a", dacl: [...own, ...handed] });
    await client.call("filesystem.mkdir", { path: "/mnt/tank/posix/a/b" });
    const acl = await entriesOf(client, "/mnt/tank/posix/a/b");
    expect(acl).toHaveLength(2 * handed.length);
    expect(acl).toContainEqual(expect.objectContaining({ tag: "USER", id: 33, default: false }));
    expect(acl).toContainEqual(expect.objectContaining({ tag: "USER", id: 33, default: true }));
  });

  test("leaves the mode it was asked for where nothing is inherited, and 770 where something is", async () => {
    const { client } = await openBelowApps();
    await client.call("filesystem.mkdir", { path: "/mnt/tank/Media/plain", options: { mode: "700" } });
    const modeOf = async (path: string) => Number(at(await client.call("filesystem.stat", path), "mode")) & 0o777;
    expect(await modeOf("/mnt/tank/Media/plain")).toBe(0o700);
    expect(await modeOf(BELOW)).toBe(0o770);
  });
});

describe("a link on the way to what setacl changes", () => {
  const WAYS = [
    ["at its end", "/mnt/tank/Media/link"],
    ["in its middle", "/mnt/tank/Media/link/inner"],
  ] as const;
  const cases = GENERATIONS.flatMap((generation) => WAYS.map(([where, path]) => [generation, where, path] as const));
  test.each(cases)(
    "on %s, %s: from 26.0 on it is refused and nothing changes, before it is followed",
    async (generation, _, path) => {
      const host = await startStandin({ generation });
      const client = await openLoggedIn(host);
      mkdirSync(host.localPath("/mnt/tank/Media/real/inner"), { recursive: true });
      symlinkSync("real", host.localPath("/mnt/tank/Media/link"));
      const options = { validate_effective_acl: false };
      const job = await client.job("filesystem.setacl", { path, uid: APPS, dacl: [nfs4("owner@")], options });
      const isRefused = isSince(generation, "26.0");
      expect(job).toMatchObject({ state: isRefused ? "FAILED" : "SUCCESS" });
      const real = path.replace("link", "real");
      expect(await client.call("filesystem.stat", real)).toMatchObject({ uid: isRefused ? 0 : APPS });
    },
  );
});
