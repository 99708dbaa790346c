import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/core/json/json.ts";
import { joinLocalPath } from "../../src/standin/files/paths.ts";
import { STANDIN_LOCATIONS } from "../../src/standin/locations.ts";
import { at, install, openLoggedIn, type RawClient, startStandin } from "../support/engine/standin-client.ts";

const OWNER: JsonObject = {
  tag: "owner@",
  id: null,
  type: "ALLOW",
  perms: { BASIC: "FULL_CONTROL" },
  flags: { BASIC: "INHERIT" },
};

function nfs4User(id: number): JsonObject {
  return { ...OWNER, tag: "USER", id };
}

function posix(tag: string): JsonObject {
  return { tag, id: -1, perms: { READ: true, WRITE: true, EXECUTE: true }, default: false };
}

test("a host path lies below the state directory, whatever it holds", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom("..", ".", "mnt", "tank", "a b", "")), (parts) => {
      const local = joinLocalPath("/state", `/${parts.join("/")}`);
      expect(resolve(local) === "/state" || resolve(local).startsWith("/state/")).toBe(true);
    }),
  );
});

describe("accounts", () => {
  test.each([
    ["apps", 568, 568],
    ["www-data", 33, 33],
    ["netdata", 999, 997],
    ["root", 0, 0],
  ])("user %s exists with its default group", async (username, uid, gid) => {
    const client = await openLoggedIn(await startStandin());
    const wanted = { pw_name: username, pw_uid: uid, pw_gid: gid, source: "LOCAL" };
    expect(await client.call("user.get_user_obj", { username })).toMatchObject(wanted);
    expect(await client.call("user.get_user_obj", { uid })).toMatchObject(wanted);
  });

  test("group docker exists", async () => {
    const client = await openLoggedIn(await startStandin());
    expect(await client.call("group.get_group_obj", { groupname: "docker" })).toMatchObject({ gr_name: "docker" });
  });

  test.each([
    ["user.get_user_obj", { username: "bob" }, "'bob: user with this name does not exist'"],
    ["group.get_group_obj", { groupname: "bob" }, "'bob: group with this name does not exist'"],
  ])("%s answers an unknown name with the quoted text of a KeyError", async (method, params, reason) => {
    const client = await openLoggedIn(await startStandin());
    expect(await client.failure(method, params)).toMatchObject({
      code: -32001,
      data: { error: 22, errname: "EINVAL", reason, trace: { class: "KeyError" } },
    });
  });
});

describe("filesystem", () => {
  test.each<[string, string, readonly Json[], number, string]>([
    ["an existing path", "filesystem.mkdir", [{ path: "/mnt/tank/Media" }], 17, "EEXIST"],
    ["a path outside /mnt", "filesystem.mkdir", [{ path: "/etc/x" }], 1, "EPERM"],
    ["a missing parent", "filesystem.mkdir", [{ path: "/mnt/tank/no/x" }], 22, "[Errno 2] No such file"],
    ["a missing path", "filesystem.stat", ["/mnt/tank/no"], 2, "ENOENT"],
    ["a relative path", "filesystem.stat", ["mnt"], 22, "EINVAL"],
    ["a listing of a file", "filesystem.listdir", ["/mnt/tank/Media/f"], 20, "ENOTDIR"],
  ])("%s fails with its errno", async (_title, method, params, errno, text) => {
    const host = await startStandin();
    writeFileSync(host.localPath("/mnt/tank/Media/f"), "");
    const error = await (await openLoggedIn(host)).failure(method, ...params);
    expect(at(error, "data", "error")).toBe(errno);
    expect(at(error, "data", "reason")).toContain(text);
  });

  test("mkdir makes one real directory of root's", async () => {
    const host = await startStandin();
    const client = await openLoggedIn(host);
    expect(await client.call("filesystem.mkdir", { path: "/mnt/tank/Media/x" })).toMatchObject({ type: "DIRECTORY" });
    expect(existsSync(join(host.dir, "mnt/tank/Media/x"))).toBe(true);
    expect(await client.call("filesystem.stat", "/mnt/tank/Media/x")).toMatchObject({ uid: 0, gid: 0, user: "root" });
  });

  test("statfs names the dataset that holds a path, and stat resolves a symlink at its end alone", async () => {
    const host = await startStandin();
    const client = await openLoggedIn(host);
    mkdirSync(host.localPath("/mnt/tank/Media/a/b"), { recursive: true });
    symlinkSync("a", host.localPath("/mnt/tank/Media/link"));
    expect(await client.call("filesystem.statfs", "/mnt/tank/Media/a/b")).toMatchObject({
      source: "tank/Media",
      dest: "/mnt/tank/Media",
      fstype: "zfs",
    });
    expect(await client.call("filesystem.stat", "/mnt/tank/Media/link")).toMatchObject({
      realpath: "/mnt/tank/Media/a",
      type: "SYMLINK",
    });
    // behind a link the path stays as it was asked for
    expect(await client.call("filesystem.stat", "/mnt/tank/Media/link/b")).toMatchObject({
      realpath: "/mnt/tank/Media/link/b",
      type: "DIRECTORY",
    });
    expect(await client.call("filesystem.listdir", "/mnt/tank/Media", [], { select: ["name"] })).toEqual([
      { name: "a" },
      { name: "link" },
    ]);
  });

  test("every location of the specification is a dataset", async () => {
    const client = await openLoggedIn(await startStandin());
    for (const path of Object.values(STANDIN_LOCATIONS)) {
      expect(await client.call("filesystem.stat", path)).toMatchObject({ is_mountpoint: true });
    }
  });
});

describe("filesystem.setacl", () => {
  test("sets owner and entries, recursively when asked to, not into child datasets", async () => {
    const host = await startStandin();
    const client = await openLoggedIn(host);
    await client.call("pool.dataset.create", { name: "tank/Media/child" });
    mkdirSync(host.localPath("/mnt/tank/Media/dir/sub"), { recursive: true });
    const args = { path: "/mnt/tank/Media", uid: 568, gid: -1, acltype: "NFS4", dacl: [OWNER] };
    const job = await client.job("filesystem.setacl", { ...args, options: { recursive: true } });
    expect(job).toMatchObject({ state: "SUCCESS", result: { uid: 568, gid: 0, acltype: "NFS4", trivial: false } });
    const uidOf = async (path: string) => at(await client.call("filesystem.stat", path), "uid");
    expect(await uidOf("/mnt/tank/Media/dir/sub")).toBe(568);
    expect(await uidOf("/mnt/tank/Media/child")).toBe(0);
    expect(await client.call("filesystem.getacl", "/mnt/tank/Media")).toMatchObject({ acl: [OWNER] });
  });

  test.each<[string, JsonObject, JsonObject]>([
    ["a pool root", { path: "/mnt/tank", dacl: [] }, { type: "VALIDATION" }],
    ["a path outside /mnt", { path: "/mnt/tank/../..", dacl: [] }, { type: "CallError", errno: 1 }],
    ["the snapshot directory", { path: "/mnt/tank/Media/.zfs/x", dacl: [] }, { type: "CallError", errno: 1 }],
    ["a missing path", { path: "/mnt/tank/no", dacl: [] }, { type: "CallError", errno: 2 }],
    ["uid and user together", { path: "/mnt/tank/Media", uid: 1, user: "apps", dacl: [] }, { type: "VALIDATION" }],
    ["POSIX entries on NFSv4", { path: "/mnt/tank/Media", dacl: [posix("USER_OBJ")] }, { type: "VALIDATION" }],
    ["another acltype", { path: "/mnt/tank/Media", acltype: "POSIX1E", dacl: [] }, { type: "VALIDATION" }],
    ["disabled ACLs", { path: "/mnt/tank/off", dacl: [] }, { type: "CallError", errno: 95 }],
    ["a read-only dataset", { path: "/mnt/tank/ro", dacl: [] }, { type: "CallError", errno: 1 }],
  ])("%s is refused", async (_title, args, excInfo) => {
    const host = await startStandin();
    const client = await openLoggedIn(host);
    await client.call("pool.dataset.create", { name: "tank/off", acltype: "OFF" });
    await client.call("pool.dataset.create", { name: "tank/ro", readonly: "ON" });
    mkdirSync(host.localPath("/mnt/tank/Media/.zfs/x"), { recursive: true });
    expect(await client.job("filesystem.setacl", args)).toMatchObject({ state: "FAILED", exc_info: excInfo });
  });

  test.each([
    ["tank/Media", nfs4User(999), { type: "CallError", errno: 1 }],
    [
      "tank/posix",
      { ...posix("USER"), id: 999 },
      { type: "VALIDATION", extra: [["filesystem_acl.path", expect.any(String), 22]] },
    ],
  ])(
    "on %s an account that cannot pass a parent is refused, unless that is not checked",
    async (dataset, entry, excInfo) => {
      const host = await startStandin();
      const client = await openLoggedIn(host);
      const parent = `/mnt/${dataset}`;
      await client.call("filesystem.mkdir", { path: `${parent}/x` });
      await client.job("filesystem.setperm", { path: parent, mode: "700" });
      const args = { path: `${parent}/x`, dacl: [entry] };
      expect(await client.job("filesystem.setacl", args)).toMatchObject({ state: "FAILED", exc_info: excInfo });
      const unchecked = { ...args, options: { validate_effective_acl: false } };
      expect(await client.job("filesystem.setacl", unchecked)).toMatchObject({ state: "SUCCESS" });
    },
  );

  test("a locked dataset is refused with its own errno and shown as locked", async () => {
    const host = await startStandin();
    const client = await openLoggedIn(host);
    host.control.setLocked("tank/Media", true);
    expect(await client.job("filesystem.setacl", { path: "/mnt/tank/Media", dacl: [] })).toMatchObject({
      exc_info: { type: "CallError", errno: 205 },
    });
    expect(await client.rows("pool.dataset.query", [["id", "=", "tank/Media"]])).toMatchObject([{ locked: true }]);
    host.control.setLocked("tank/Media", false);
    expect(await client.job("filesystem.setacl", { path: "/mnt/tank/Media", dacl: [] })).toMatchObject({
      state: "SUCCESS",
    });
  });

  test("what a locked dataset holds is out of sight, below it too, and back once it is unlocked", async () => {
    const host = await startStandin();
    const client = await openLoggedIn(host);
    const top = "/mnt/tank/Media";
    await client.call("filesystem.mkdir", { path: `${top}/films` });
    await client.call("pool.dataset.create", { name: "tank/Media/inner", share_type: "APPS" });
    await client.job("filesystem.chown", { path: top, user: "apps" });
    const look = async (client: RawClient) => [
      await client.rows("filesystem.listdir", top).then((rows) => rows.map(({ name }) => name)),
      at(await client.call("filesystem.stat", top), "user"),
      at(await client.call("filesystem.statfs", top), "source"),
      (await client.rows("pool.dataset.query", [["locked", "=", true]])).map(({ id }) => id),
    ];
    host.control.setLocked("tank/Media/inner", true);
    host.control.setLocked("tank/Media", true);
    host.control.setLocked("tank/Media", true);
    expect(await look(client)).toEqual([[], "root", "tank", ["tank/Media", "tank/Media/inner"]]);
    host.control.setLocked("tank/Media", false);
    expect(await look(client)).toEqual([["films", "inner"], "apps", "tank/Media", ["tank/Media/inner"]]);
    host.control.setLocked("tank/Media", true);
    await host.control.reset();
    expect(await look(await openLoggedIn(host))).toEqual([[], "root", "tank/Media", []]);
  });

  test("chown needs an id and changes the owner alone", async () => {
    const client = await openLoggedIn(await startStandin());
    expect(await client.job("filesystem.chown", { path: "/mnt/tank/Media" })).toMatchObject({
      exc_info: { type: "VALIDATION" },
    });
    await client.job("filesystem.chown", { path: "/mnt/tank/Media", user: "apps", group: "docker" });
    expect(await client.call("filesystem.stat", "/mnt/tank/Media")).toMatchObject({
      user: "apps",
      group: "docker",
      acl: false,
    });
  });
});

describe("pool.dataset", () => {
  test.each([
    ["GENERIC", "NFSV4", "PASSTHROUGH"],
    ["SMB", "NFSV4", "RESTRICTED"],
    ["APPS", "NFSV4", "PASSTHROUGH"],
    ["NFS", "NFSV4", "PASSTHROUGH"],
    ["MULTIPROTOCOL", "NFSV4", "PASSTHROUGH"],
  ])("share type %s presets %s and %s and makes a real directory", async (type, acltype, aclmode) => {
    const host = await startStandin();
    const client = await openLoggedIn(host);
    const created = await client.call("pool.dataset.create", { name: "tank/Media/new", share_type: type });
    expect(created).toMatchObject({
      acltype: { value: acltype },
      aclmode: { value: aclmode },
      mountpoint: "/mnt/tank/Media/new",
    });
    expect(existsSync(host.localPath("/mnt/tank/Media/new"))).toBe(true);
    const query = [[["id", "=", "tank/Media/new"]], { extra: { retrieve_children: false } }] as const;
    expect(await client.call("pool.dataset.query", ...query)).toEqual([created]);
  });

  test.each([
    ["an existing path", "tank/Media", "Path /mnt/tank/Media already exists", 22],
    ["a missing parent", "tank/no/x", "Parent dataset tank/no does not exist", 2],
  ])("%s is refused at its name", async (_title, name, message, errno) => {
    const client = await openLoggedIn(await startStandin());
    expect(await client.failure("pool.dataset.create", { name })).toMatchObject({
      code: -32602,
      data: { extra: [["pool_dataset_create.name", message, errno]] },
    });
  });

  test("create_ancestors makes the parents", async () => {
    const client = await openLoggedIn(await startStandin());
    await client.call("pool.dataset.create", { name: "tank/a/b/c", create_ancestors: true });
    expect(await client.call("pool.dataset.query", [["id", "^", "tank/a"]], { count: true })).toBe(3);
  });

  test.each(["tank/posix", "tank/off"])(
    "PASSTHROUGH on %s is refused, with NFSV4 in the same update it is not",
    async (id) => {
      const client = await openLoggedIn(await startStandin());
      await client.call("pool.dataset.create", { name: "tank/off", acltype: "OFF" });
      expect(await client.failure("pool.dataset.update", id, { aclmode: "PASSTHROUGH" })).toMatchObject({
        code: -32602,
        data: {
          extra: [["pool_dataset_update.aclmode", "Must be set to DISCARD when acltype is POSIX or OFF", 22]],
        },
      });
      const both = { aclmode: "PASSTHROUGH", acltype: "NFSV4" };
      expect(await client.call("pool.dataset.update", id, both)).toMatchObject({ aclmode: { value: "PASSTHROUGH" } });
    },
  );

  test("the acltype of a shared dataset stays, an unknown dataset is ENOENT inside extra", async () => {
    const client = await openLoggedIn(await startStandin());
    await client.call("sharing.smb.create", { name: "p", path: "/mnt/tank/posix" });
    expect(await client.failure("pool.dataset.update", "tank/posix", { acltype: "NFSV4" })).toMatchObject({
      code: -32602,
    });
    expect(await client.failure("pool.dataset.update", "tank/no", {})).toMatchObject({
      data: { error: 22, extra: [["id", "tank/no does not exist", 2]] },
    });
  });

  test("user properties are set, changed and removed", async () => {
    const client = await openLoggedIn(await startStandin());
    await client.call("pool.dataset.create", { name: "tank/u", user_properties: [{ key: "a:b", value: "1" }] });
    const update = [
      { key: "a:b", remove: true },
      { key: "c:d", value: "2" },
    ];
    const updated = await client.call("pool.dataset.update", "tank/u", { user_properties_update: update });
    expect(updated).toMatchObject({ user_properties: { "c:d": { value: "2" } } });
    expect(at(updated, "user_properties", "a:b")).toBeUndefined();
  });
});

describe("snapshots", () => {
  const SNAPSHOT = {
    dataset: "tank/Media",
    name: "platform-app-plex-data-20260101T000000Z",
    properties: { "platform:app": "plex" },
  };

  test("carry their metadata, are unique, and go", async () => {
    const client = await openLoggedIn(await startStandin());
    const id = `${SNAPSHOT.dataset}@${SNAPSHOT.name}`;
    expect(await client.call("pool.snapshot.create", SNAPSHOT)).toMatchObject({ id, type: "SNAPSHOT", pool: "tank" });
    expect(await client.call("pool.snapshot.query", [["id", "=", id]])).toMatchObject([
      { id, snapshot_name: SNAPSHOT.name, properties: { "platform:app": { value: "plex" } } },
    ]);
    expect(await client.failure("pool.snapshot.create", SNAPSHOT)).toMatchObject({
      code: -32001,
      data: { errname: "EEXIST" },
    });
    expect(await client.call("pool.snapshot.delete", id)).toBe(true);
    expect(await client.failure("pool.snapshot.delete", id)).toMatchObject({
      code: -32602,
      data: { extra: [["id", expect.any(String), 2]] },
    });
  });

  test.each(["25.04", "25.10"] as const)(
    "%s reads one by its id, or names alone; any other query reads all of them, which a test may refuse",
    async (generation) => {
      const host = await startStandin({ generation, scansSnapshots: true });
      const client = await openLoggedIn(host);
      const prefix = generation === "25.04" ? "zfs.snapshot" : "pool.snapshot";
      for (const name of ["c", "a", "b"]) {
        await client.call(`${prefix}.create`, { dataset: "tank/Media", name });
        await client.call(`${prefix}.create`, { dataset: "tank/Documents", name });
      }
      const read = async (...query: readonly Json[]) => {
        const before = { ...host.control.snapshotReads() };
        const found = await client.rows(`${prefix}.query`, ...query);
        const { rows, names } = host.control.snapshotReads();
        return { found: found.map(({ name }) => name), rows: rows - before.rows, names: names - before.names };
      };
      const ofMedia = [["dataset", "=", "tank/Media"]];
      const all = ["tank/Media@b", "tank/Media@a", "tank/Media@c"];
      expect(await read([["id", "=", "tank/Media@b"]])).toEqual({ found: ["tank/Media@b"], rows: 1, names: 0 });
      expect(await read([["id", "=", "tank/Media@no"]])).toEqual({ found: [], rows: 0, names: 0 });
      expect(await read(ofMedia, { select: ["name"] })).toEqual({ found: all, rows: 0, names: 6 });
      expect(await read(ofMedia)).toMatchObject({ rows: 6, names: 0 });
      expect(await read(ofMedia, { select: ["name", "properties"] })).toMatchObject({ rows: 6, names: 0 });
      expect(await read([["id", "in", all]])).toMatchObject({ rows: 6, names: 0 });
    },
  );

  test("a stand-in told so refuses to read all of them", async () => {
    const client = await openLoggedIn(await startStandin({ scansSnapshots: false }));
    for (const filters of [[], [["dataset", "=", "tank/Media"]]])
      expect(await client.failure("pool.snapshot.query", filters)).toMatchObject({ data: { errname: "EFAULT" } });
    expect(await client.rows("pool.snapshot.query", [["pool", "=", "tank"]], { select: ["name"] })).toEqual([]);
  });

  test.each([
    ["a plus sign", { name: "a+b" }],
    ["a long name", { name: "x".repeat(250) }],
    ["a metadata key without colon", { properties: { app: "x" } }],
    ["a metadata key in upper case", { properties: { "Platform:app": "x" } }],
    ["an unknown dataset", { dataset: "tank/no" }],
  ])("%s is refused", async (_title, wrong) => {
    const client = await openLoggedIn(await startStandin());
    expect(await client.failure("pool.snapshot.create", { ...SNAPSHOT, ...wrong })).toMatchObject({ code: -32602 });
  });

  test("26.0 shows metadata only at zfs.resource.snapshot.query, and a duplicate as an argument error", async () => {
    const client = await openLoggedIn(await startStandin({ generation: "26.0" }));
    await client.call("pool.snapshot.create", SNAPSHOT);
    expect(await client.rows("pool.snapshot.query", [["dataset", "=", "tank/Media"]])).toMatchObject([
      { properties: {} },
    ]);
    const query = { paths: ["tank/Media"], get_user_properties: true, max_txg: 1_000_000 };
    expect(await client.call("zfs.resource.snapshot.query", query)).toMatchObject([
      { user_properties: SNAPSHOT.properties },
    ]);
    expect(await client.failure("pool.snapshot.create", SNAPSHOT)).toMatchObject({
      code: -32602,
      data: { extra: [["snapshot_create.name", expect.any(String), 17]] },
    });
  });
});

describe("shares", () => {
  test("are created once per name ignoring case, on an existing path of a pool", async () => {
    const client = await openLoggedIn(await startStandin());
    const share = { name: "Media", path: "/mnt/tank/Media", purpose: "MULTIPROTOCOL_SHARE" };
    const created = await client.call("sharing.smb.create", share);
    expect(created).toMatchObject({ id: 1, locked: false, ...share });
    expect(await client.call("sharing.smb.query", [["path", "=", "/mnt/tank/Media"]])).toEqual([created]);
    const attribute = (error: JsonObject) => at(error, "data", "extra", 0, 0);
    expect(await client.failure("sharing.smb.create", { ...share, name: "MEDIA" })).toMatchObject({
      code: -32602,
      data: { extra: [["sharingsmb_create.name", "Share names are case-insensitive and must be unique", 22]] },
    });
    expect(attribute(await client.failure("sharing.smb.create", { name: "x", path: "/srv" }))).toBe(
      "sharingsmb_create.path",
    );
    expect(await client.failure("sharing.smb.create", { name: "x", path: "/mnt/tank/no" })).toMatchObject({
      code: -32001,
      data: { errname: "ENOENT" },
    });
    for (const name of ["x".repeat(81), "a/b", "a*b", "Homes", "IPC$", "tab\t"])
      expect(await client.failure("sharing.smb.create", { ...share, name })).toMatchObject({
        code: -32602,
        data: { extra: [["data.name", expect.any(String), 22]] },
      });
  });

  test("25.04 has flat fields and other preset names", async () => {
    const client = await openLoggedIn(await startStandin({ generation: "25.04" }));
    const share = { name: "a", path: "/mnt/tank/Media" };
    expect(await client.call("sharing.smb.create", { ...share, purpose: "NO_PRESET", ro: true })).toMatchObject({
      ro: true,
    });
    expect(await client.failure("sharing.smb.create", { ...share, purpose: "MULTIPROTOCOL_SHARE" })).toMatchObject({
      code: -32602,
    });
  });

  const SERVICE = ["service.query", [["service", "=", "cifs"]]] as const;

  test("the SMB service is queried and controlled; what is not enabled is stopped by a reboot", async () => {
    const host = await startStandin();
    const client = await openLoggedIn(host);
    expect(await client.rows(...SERVICE)).toMatchObject([{ state: "RUNNING", enable: true }]);
    await client.job("service.control", "STOP", "cifs");
    await client.call("service.update", "cifs", { enable: false });
    expect(await client.rows(...SERVICE)).toMatchObject([{ state: "STOPPED", enable: false }]);
    expect(await client.job("service.control", "START", "cifs")).toMatchObject({ state: "SUCCESS", result: true });
    expect(await client.rows(...SERVICE)).toMatchObject([{ state: "RUNNING", enable: false }]);
    await host.control.reboot();
    expect(host.control.state().smbRunning).toBe(false);
  });

  test("an SMB service that does not come up is a job in SUCCESS with false, or an error unless silent", async () => {
    const host = await startStandin({ faults: ["smb-stays-down*2"] });
    const client = await openLoggedIn(host);
    expect(await client.job("service.control", "START", "cifs")).toMatchObject({ state: "SUCCESS", result: false });
    expect(await client.rows(...SERVICE)).toMatchObject([{ state: "STOPPED" }]);
    const loud = await client.job("service.control", "START", "cifs", { silent: false });
    expect(loud).toMatchObject({ state: "FAILED" });
  });

  test("25.04 starts it by service.start, and knows no service.control", async () => {
    const client = await openLoggedIn(await startStandin({ generation: "25.04", faults: ["smb-stays-down"] }));
    expect(await client.failure("service.control", "START", "cifs")).toMatchObject({ code: -32601 });
    expect(await client.call("service.start", "cifs")).toBe(false);
    expect(await client.call("service.start", "cifs")).toBe(true);
  });
});

test("fault update-changes-owner hands the app's host paths to root", async () => {
  const host = await startStandin();
  const client = await openLoggedIn(host);
  await client.job("filesystem.chown", { path: "/mnt/tank/Documents", uid: 568, gid: 568 });
  const storage = {
    config: { type: "host_path", host_path_config: { acl_enable: false, path: "/mnt/tank/Documents" } },
  };
  await install(client, { app_name: "jellyfin", catalog_app: "jellyfin", train: "community", values: { storage } });
  const uid = async () => at(await client.call("filesystem.stat", "/mnt/tank/Documents"), "uid");
  await client.job("app.update", "jellyfin", {});
  expect(await uid()).toBe(568);
  host.control.arm("update-changes-owner@app.update");
  await client.job("app.update", "jellyfin", {});
  expect(await uid()).toBe(0);
});
