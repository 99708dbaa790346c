/** What a script may read of its mounts: files, directories and facts of them, by names that stay inside. */
import { execFileSync } from "node:child_process";
import { renameSync, symlinkSync } from "node:fs";
import { mkdir, rename, symlink, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { listMountDirectory, readMountFile, statMountPath } from "../../../src/adapters/script-io/mount-files.ts";
import { createTestMount } from "./test-mount.ts";

const LIMITS = { fileBytes: 1024, directoryEntries: 10 };

const at = createTestMount();

const read = (path: string) => readMountFile(at.mounts, path, LIMITS);

async function textOf(path: string): Promise<string> {
  const answer = await read(path);
  if ("error" in answer) throw new Error(answer.error.message);
  return Buffer.from(answer.ok).toString();
}

describe("a file of a mount is read", () => {
  test("by the path of this machine and by the host's", async () => {
    expect(await textOf(join(at.local, "config/a.txt"))).toBe("inside");
    expect(await textOf("/mnt/tank/app/config/a.txt")).toBe("inside");
  });

  test("through symlinks that stay inside", async () => {
    await symlink("config/a.txt", join(at.local, "relative"));
    await symlink(join(at.local, "config"), join(at.local, "absolute"));
    expect(await textOf(join(at.local, "relative"))).toBe("inside");
    expect(await textOf(join(at.local, "absolute/a.txt"))).toBe("inside");
  });

  test("through absolute symlinks that name the mount as the host does", async () => {
    await symlink("/mnt/tank/app/config/a.txt", join(at.local, "hosts"));
    expect(await textOf(join(at.local, "hosts"))).toBe("inside");
  });

  test("below a location that is a symlink, and where the mount is the location itself or a file", async () => {
    await symlink(at.folder, join(at.folder, "location"));
    const location = join(at.folder, "location");
    at.mounts = [{ hostPath: "/x", containerPath: null, localPath: join(location, "mount"), location }];
    expect(await textOf(join(location, "mount/config/a.txt"))).toBe("inside");
    at.mounts = [{ hostPath: "/x", containerPath: null, localPath: at.local, location: at.local }];
    expect(await textOf(join(at.local, "config/a.txt"))).toBe("inside");
    at.mounts = [
      { hostPath: "/x", containerPath: null, localPath: join(at.local, "config/a.txt"), location: at.folder },
    ];
    expect(await textOf("/x")).toBe("inside");
  });
});

describe("a path is refused", () => {
  test.each([
    ["outside of the mounts", () => join(at.folder, "secret")],
    ["beside the mount with its name as a prefix", () => `${at.local}-beside/secret`],
    ["with dots that lead out", () => `${at.local}/../secret`],
    ["with dots that lead back in", () => `${at.local}/config/../config/a.txt`],
    ["with a NUL", () => `${at.local}/config/a.txt\0`],
    ["that is relative", () => "config/a.txt"],
    ["that is empty", () => ""],
  ])("%s", async (_, path) => {
    const answer = await read(path());
    expect(answer).toMatchObject({ error: { code: "EACCES", refused: true, path: path() } });
    expect(answer).toHaveProperty(
      "error.message",
      expect.stringContaining(`outside of the app's mounts (${at.local})`),
    );
  });

  test.each([
    ["a symlink to a file outside", "link", () => "../secret"],
    ["a symlink to the root", "link/etc/hostname", () => "/"],
    ["a magic link", "link/environ", () => "/proc/self"],
    ["a magic link to a descriptor", "link/0", () => "/dev/fd"],
  ])("%s", async (_, path, to) => {
    await symlink(to(), join(at.local, "link"));
    expect(await read(join(at.local, path))).toMatchObject({ error: { code: "EACCES", refused: true } });
  });

  test("of a FIFO, without waiting for a writer", async () => {
    execFileSync("mkfifo", [join(at.local, "fifo")]);
    expect(await read(join(at.local, "fifo"))).toMatchObject({ error: { code: "EACCES", refused: true } });
  });

  test("that is not there, is a directory or lies below a file, with Node's codes and the path as given", async () => {
    const gone = "/mnt/tank/app/gone";
    expect(await read(gone)).toEqual({
      error: {
        name: "Error",
        code: "ENOENT",
        syscall: "open",
        path: gone,
        message: `ENOENT: no such file or directory, open '${gone}'`,
      },
    });
    expect(await read(at.local)).toMatchObject({ error: { code: "EISDIR" } });
    expect(await read(join(at.local, "config/a.txt/b"))).toMatchObject({ error: { code: "ENOTDIR" } });
  });

  test("of a file past the limit, also where it does not say its size", async () => {
    await writeFile(join(at.local, "big"), Buffer.alloc(1025));
    await writeFile(join(at.local, "full"), Buffer.alloc(1024));
    expect(await read(join(at.local, "big"))).toMatchObject({ error: { code: "quota_files" } });
    expect(await read(join(at.local, "full"))).toHaveProperty("ok");
  });

  test("while it is swapped for a symlink outside, at whatever moment", async () => {
    const path = join(at.local, "config/swapped");
    const inside = join(at.local, "config/inside");
    const link = join(at.local, "config/outside");
    let swapping = true;
    const swap = (async () => {
      while (swapping) {
        await writeFile(inside, "inside");
        await rename(inside, path);
        await symlink("../../secret", link);
        await rename(link, path);
      }
    })();
    const seen = new Map<string, number>();
    for (let i = 0; i < 3_000; i++) {
      const answer = await read(path);
      const what = "ok" in answer ? Buffer.from(answer.ok).toString() : (answer.error.code ?? "");
      seen.set(what, (seen.get(what) ?? 0) + 1);
    }
    swapping = false;
    await swap;
    expect([...seen.keys()].filter((what) => !["inside", "", "EACCES", "ENOENT"].includes(what))).toEqual([]);
    // the race was run: both were met
    expect(seen.get("inside")).toBeGreaterThan(0);
    expect(seen.get("EACCES")).toBeGreaterThan(0);
  });

  test("while a folder above it is swapped for a link outside", async () => {
    await mkdir(join(at.folder, "trap"));
    await writeFile(join(at.folder, "trap/a.txt"), "outside");
    const seen = new Set<string>();
    for (let i = 0; i < 200; i++) {
      const reading = read(join(at.local, "config/a.txt"));
      renameSync(join(at.local, "config"), join(at.local, "away"));
      symlinkSync(join(at.folder, "trap"), join(at.local, "config"));
      const answer = await reading;
      seen.add("ok" in answer ? Buffer.from(answer.ok).toString() : (answer.error.code ?? ""));
      await unlink(join(at.local, "config"));
      renameSync(join(at.local, "away"), join(at.local, "config"));
    }
    expect(seen.has("outside")).toBe(false);
  });
});

describe("a directory of a mount", () => {
  test("is listed with kinds, links not followed", async () => {
    await symlink("/etc", join(at.local, "link"));
    const answer = await listMountDirectory(at.mounts, at.local, LIMITS);
    if ("error" in answer) throw new Error(answer.error.message);
    expect([...answer.ok].sort((a, b) => a.name.localeCompare(b.name))).toEqual([
      { name: "config", kind: "directory" },
      { name: "link", kind: "symlink" },
    ]);
    expect(await listMountDirectory(at.mounts, join(at.local, "link"), LIMITS)).toMatchObject({
      error: { refused: true },
    });
  });

  test("with more entries than allowed is refused", async () => {
    for (let i = 0; i < 11; i++) await writeFile(join(at.local, String(i)), "");
    expect(await listMountDirectory(at.mounts, at.local, LIMITS)).toMatchObject({ error: { code: "quota_directory" } });
  });

  test("and its files have facts", async () => {
    const answer = await statMountPath(at.mounts, join(at.local, "config/a.txt"));
    expect(answer).toMatchObject({ ok: { kind: "file", size: 6 } });
    expect(await statMountPath(at.mounts, join(at.folder, "secret"))).toMatchObject({ error: { refused: true } });
  });
});
