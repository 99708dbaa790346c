/** Trees as no app's author would make them, rearranged between the steps of a read: nothing from outside is told. */
import { execFileSync } from "node:child_process";
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { ScriptIoSession } from "../../../sandbox/contract.ts";
import { createScriptIo } from "../../../src/adapters/script-io/script-io.ts";
import { fuzz } from "../../support/fuzz.ts";

const MARKER = "marker-outside";
/** Size of the file outside, in bytes: that of no other file. */
const MARKED = 7_777;

let folder: string;
let location: string;
let mount: string;
let session: ScriptIoSession;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "slipway-trees-")));
  mkdirSync(join(folder, "outside/sub"), { recursive: true });
  for (const name of ["outside/a", "outside/b", "outside/sub/a", "outside/marked-name"]) {
    writeFileSync(join(folder, name), MARKER.padEnd(MARKED, "."));
  }
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Opens a session on a fresh mount, two directories below its location. */
function openMount(): ScriptIoSession {
  location = mkdtempSync(join(folder, "location-"));
  mount = join(location, "app/config");
  mkdirSync(mount, { recursive: true });
  return createScriptIo().open({
    network: { lanIp: "127.0.0.1", lanPorts: async () => [], internet: false, readOnly: false },
    mounts: [{ hostPath: "/mnt/tank/app/config", containerPath: "/config", localPath: mount, location }],
    audit: () => {},
    limits: { responseBytes: 1024, fileBytes: 64 * 1024, databaseBytes: 1024 * 1024, directoryEntries: 50 },
  });
}

const NAMES = ["a", "b", "sub", "sub/a", "sub/b", "sub/sub"] as const;
const name = fc.constantFrom(...NAMES);
const target = fc.oneof(
  name,
  fc.constantFrom(
    "..",
    ".",
    "../..",
    "../../..",
    "/",
    "/proc/self/root",
    "/proc/self/cwd",
    "/dev",
    "/dev/zero",
    "sub/../..",
  ),
  name.map((each) => `../${each}`),
  name.map((each) => `../../../outside/${each}`),
  name.map((each) => `../../../../outside/${each}`),
  fc.constantFrom("OUTSIDE", "OUTSIDE/sub", "OUTSIDE/a", "MOUNT/sub", "MOUNT/a"),
);
const turn = fc.oneof(
  fc.record({ kind: fc.constantFrom("file", "directory", "pipe", "device", "giant", "many", "gone"), at: name }),
  fc.record({ kind: fc.constant("link"), at: name, to: target }),
  fc.record({ kind: fc.constantFrom("rename", "hard"), at: name, to: name }),
  fc.record({ kind: fc.constant("swap-mount"), at: name }),
);
type Turn = { readonly kind: string; readonly at: string; readonly to?: string };

/** Whether a directory, its links resolved, lies in the mount. */
function isInside(directory: string): boolean {
  return `${realpathSync(directory)}/`.startsWith(`${mount}/`);
}

/** Does one thing an app's container could do; what is not possible there is left out. */
function rearrange({ kind, at, to = "" }: Turn): void {
  const path = join(mount, at);
  try {
    // The container of an app reaches nothing beyond its mount, whatever its links say; this process would.
    if (kind !== "swap-mount" && !isInside(dirname(path))) return;
    if ((kind === "rename" || kind === "hard") && !isInside(dirname(join(mount, to)))) return;
    if (kind === "swap-mount") {
      renameSync(mount, `${mount}-away-${process.hrtime.bigint()}`);
      symlinkSync(join(folder, "outside"), mount);
      return;
    }
    if (kind === "rename") renameSync(path, join(mount, to));
    else if (kind === "hard") linkSync(join(mount, to), path);
    else rmSync(path, { recursive: true, force: true });
    if (kind === "file") writeFileSync(path, "inside");
    if (kind === "directory") mkdirSync(path);
    if (kind === "pipe") execFileSync("mkfifo", [path], { stdio: "ignore" });
    if (kind === "device") execFileSync("mknod", [path, "c", "1", "5"], { stdio: "ignore" });
    if (kind === "giant") {
      writeFileSync(path, "");
      truncateSync(path, 2 ** 40);
    }
    if (kind === "many") {
      mkdirSync(path);
      for (let i = 0; i < 60; i++) writeFileSync(join(path, String(i)), "");
    }
    if (kind === "link") symlinkSync(to.replace("OUTSIDE", join(folder, "outside")).replace("MOUNT", mount), path);
  } catch {
    // not possible as the tree is now
  }
}

const look = fc.record({
  how: fc.constantFrom("readFile", "list", "stat", "openDatabase"),
  at: fc.oneof(name, fc.constant("")),
});

let seen = 0;

fuzz("any tree, any order of changes between and during looks", 120, () =>
  fc.asyncProperty(
    fc.array(turn, { maxLength: 10 }),
    fc.array(fc.tuple(look, fc.array(turn, { maxLength: 3 })), { minLength: 1, maxLength: 8 }),
    async (before, steps) => {
      session = openMount();
      before.filter(({ kind }) => kind !== "swap-mount").forEach(rearrange);
      try {
        for (const [{ how, at }, during] of steps) {
          const path = at === "" ? mount : join(mount, at);
          const looking =
            how === "readFile"
              ? session.readFile(path).then((answer) => ("ok" in answer ? Buffer.from(answer.ok).toString() : ""))
              : how === "list"
                ? session
                    .list(path)
                    .then((answer) => ("ok" in answer ? answer.ok.map((entry) => entry.name).join() : ""))
                : how === "stat"
                  ? session.stat(path).then((answer) => ("ok" in answer ? `size ${answer.ok.size}` : ""))
                  : session.openDatabase(path).then(() => "");
          for (const each of during) {
            rearrange(each);
            // lets some of the look's steps happen in between
            await new Promise(setImmediate);
          }
          const told = await looking;
          if (told !== "") seen++;
          expect(told).not.toContain(MARKER);
          expect(told).not.toContain("marked-name");
          expect(told).not.toBe(`size ${MARKED}`);
        }
      } finally {
        await session.close();
        rmSync(location, { recursive: true, force: true });
      }
    },
  ),
);

test("the looks were not all in vain", () => {
  expect(seen).toBeGreaterThan(10);
});
