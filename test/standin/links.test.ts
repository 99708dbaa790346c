/** Links in the files of a stand-in: they lead where the host's would, whose root its directory is, and nowhere else. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Json } from "../../src/core/json/json.ts";
import { STANDIN_LOCATIONS } from "../../src/standin/locations.ts";
import { createStandinHost } from "../../src/standin/standin.ts";
import { at, openLoggedIn, startStandin } from "../support/engine/standin-client.ts";

const OUT = "/mnt/tank/Media/out";

/** A folder of this machine with a file in it. */
function makeOutside(): string {
  const outside = mkdtempSync(join(tmpdir(), "slipway-outside-"));
  onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
  mkdirSync(join(outside, "sub"));
  writeFileSync(join(outside, "file"), "of this machine");
  return outside;
}

/** How a link may lead out of the directory. */
const WAYS: readonly (readonly [string, (outside: string, dir: string) => string])[] = [
  ["an absolute link", (outside) => outside],
  ["a link that climbs", (outside) => `../../../../../../../../../../..${outside}`],
  ["a link to what the stand-in keeps", () => "/snapshots"],
];

const DACL: Json = [
  { tag: "owner@", id: null, type: "ALLOW", perms: { BASIC: "FULL_CONTROL" }, flags: { BASIC: "INHERIT" } },
];
/** Every method that touches a path it is given, with the path through the link. */
const CALLS: readonly (readonly [string, ...Json[]])[] = [
  ["filesystem.mkdir", { path: `${OUT}/made` }],
  ["filesystem.mkdir", { path: `${OUT}/sub/made` }],
  ["filesystem.stat", `${OUT}/sub`],
  ["filesystem.stat", `${OUT}/file`],
  ["filesystem.statfs", OUT],
  ["filesystem.statfs", `${OUT}/sub`],
  ["filesystem.listdir", OUT],
  ["filesystem.listdir", `${OUT}/sub`],
  ["filesystem.getacl", OUT],
  ["filesystem.getacl", `${OUT}/sub`],
  ["sharing.smb.create", { name: "out", path: OUT }],
  ["sharing.smb.create", { name: "sub", path: `${OUT}/sub` }],
];
const JOBS: readonly (readonly [string, Json])[] = [
  ["filesystem.setacl", { path: `${OUT}/sub`, uid: 568, dacl: DACL, options: { recursive: true } }],
  ["filesystem.chown", { path: `${OUT}/sub`, uid: 568, options: { recursive: true } }],
  ["filesystem.setperm", { path: OUT, mode: "777", options: { recursive: true } }],
];

describe.each(WAYS)("%s out of the stand-in's directory", (_way, toTarget) => {
  test("is refused by every call that would follow it, and nothing outside is touched", async () => {
    const outside = makeOutside();
    const host = await startStandin();
    symlinkSync(toTarget(outside, host.dir), host.localPath(OUT));
    const client = await openLoggedIn(host);
    for (const [method, ...params] of CALLS) {
      const error = await client.failure(method, ...params);
      expect([method, at(error, "data", "errname")]).toEqual([
        method,
        expect.stringMatching(/^E(PERM|NOENT|NOTDIR|INVAL)$/),
      ]);
    }
    for (const [method, params] of JOBS) expect(await client.job(method, params)).toMatchObject({ state: "FAILED" });
    expect(readdirSync(outside).sort()).toEqual(["file", "sub"]);
    expect(readdirSync(join(outside, "sub"))).toEqual([]);
    expect(Object.keys(host.control.state().ownership).filter((path) => !path.startsWith("/mnt/"))).toEqual([]);
  });

  test("is shown as a link, as on the host, with no fact of what it leads to", async () => {
    const outside = makeOutside();
    const host = await startStandin();
    symlinkSync(toTarget(outside, host.dir), host.localPath(OUT));
    const client = await openLoggedIn(host);
    const shown = await client.call("filesystem.stat", OUT);
    expect(shown).toMatchObject({ type: "SYMLINK" });
    expect(at(shown, "inode")).not.toBe(statSync(outside).ino);
    expect(await client.call("filesystem.listdir", "/mnt/tank/Media")).toMatchObject([
      { name: "out", type: "SYMLINK" },
    ]);
  });

  test("goes with its dataset, and what it leads to stays", async () => {
    const outside = makeOutside();
    const host = await startStandin();
    const client = await openLoggedIn(host);
    await client.call("pool.dataset.create", { name: "tank/Media/own" });
    symlinkSync(toTarget(outside, host.dir), host.localPath("/mnt/tank/Media/own/out"));
    await client.call("pool.snapshot.create", { dataset: "tank/Media/own", name: "first" });
    await client.call("pool.snapshot.clone", { snapshot: "tank/Media/own@first", dataset_dst: "tank/Media/copy" });
    for (const id of ["tank/Media/copy", "tank/Media/own"])
      await client.call("pool.dataset.delete", id, { recursive: true });
    expect(readFileSync(join(outside, "file"), "utf8")).toBe("of this machine");
    expect(existsSync(host.localPath("/mnt/tank/Media/own"))).toBe(false);
  });
});

test("an absolute link leads to the host's own path", async () => {
  const host = await startStandin();
  mkdirSync(host.localPath("/mnt/tank/Documents/private"));
  symlinkSync("/mnt/tank/Documents/private", host.localPath("/mnt/tank/Media/link"));
  const client = await openLoggedIn(host);
  expect(await client.call("filesystem.stat", "/mnt/tank/Media/link")).toMatchObject({
    type: "SYMLINK",
    realpath: "/mnt/tank/Documents/private",
  });
  await client.call("filesystem.mkdir", { path: "/mnt/tank/Media/link/made" });
  expect(existsSync(host.localPath("/mnt/tank/Documents/private/made"))).toBe(true);
});

test("links in a circle lead nowhere", async () => {
  const host = await startStandin();
  symlinkSync("b", host.localPath("/mnt/tank/Media/a"));
  symlinkSync("a", host.localPath("/mnt/tank/Media/b"));
  const client = await openLoggedIn(host);
  const refused = await client.failure("filesystem.stat", "/mnt/tank/Media/a");
  expect(at(refused, "data", "reason")).toContain("[Errno 40]");
});

describe("a stand-in does not start on a directory in which a link is in the place of", () => {
  const replace = (path: string, to: string): void => {
    rmSync(path, { recursive: true, force: true });
    symlinkSync(to, path);
  };
  test.each([
    "mnt",
    "mnt/tank",
    "mnt/tank/posix",
    "snapshots",
    "locked",
    "state.json",
    "standin.log",
    ...Object.values(STANDIN_LOCATIONS).map((path) => path.slice(1)),
  ])("%s", async (name) => {
    const outside = makeOutside();
    const dir = mkdtempSync(join(tmpdir(), "slipway-links-"));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    await (await createStandinHost({ dir })).close();
    const state = join(outside, "state.json");
    writeFileSync(state, readFileSync(join(dir, "state.json")));
    replace(join(dir, name), name === "state.json" ? state : outside);
    await expect(createStandinHost({ dir })).rejects.toMatchObject({ code: "HOST_STANDIN_STATE" });
    expect(readdirSync(outside).sort()).toEqual(["file", "state.json", "sub"]);
  });

  test("a location the state has no dataset for", async () => {
    const outside = makeOutside();
    const dir = mkdtempSync(join(tmpdir(), "slipway-links-"));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    await (await createStandinHost({ dir })).close();
    const state = JSON.parse(readFileSync(join(dir, "state.json"), "utf8"));
    delete state.datasets["tank/Media"];
    writeFileSync(join(dir, "state.json"), JSON.stringify(state));
    replace(join(dir, "mnt/tank/Media"), outside);
    await expect(createStandinHost({ dir })).rejects.toMatchObject({ code: "HOST_STANDIN_STATE" });
  });
});
