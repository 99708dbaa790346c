import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { makePrivateFolder, removeFolder } from "../../sandbox/process/private-folder.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "slipway-temporary-"));
  // the children's own users reach their files through it
  await chmod(folder, 0o755);
  vi.stubEnv("TMPDIR", folder);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

/** The name a folder of another process has: same namespace, its id and start. */
async function nameOf(pid: number, start: string): Promise<string> {
  const own = await makePrivateFolder("sandbox");
  await removeFolder(own);
  const namespace = basename(own).split("-")[2];
  return `slipway-sandbox-${namespace}-${pid}-${start}-abcdef`;
}

test("a folder of an engine that was killed is removed by the next one, one of a living engine is not", async () => {
  const engine = spawn(
    process.execPath,
    [fileURLToPath(new URL("containment/containment-parent.ts", import.meta.url))],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  await once(engine.stdout, "data");
  const left = await readdir(folder);
  expect(left.map((name) => name.split("-")[1]).sort()).toEqual(["bundler", "sandbox"]);
  const own = await makePrivateFolder("sqlite");
  expect((await readdir(folder)).sort()).toEqual([...left, basename(own)].sort());
  engine.kill("SIGKILL");
  await once(engine, "exit");
  const next = await makePrivateFolder("sandbox");
  expect((await readdir(folder)).sort()).toEqual([basename(own), basename(next)].sort());
});

test("a folder whose process id was given to another process since is removed", async () => {
  const name = await nameOf(process.pid, "1");
  await mkdir(join(folder, name), { mode: 0o700 });
  await makePrivateFolder("sandbox");
  expect(await readdir(folder)).not.toContain(name);
});

test("what is not surely a dead process's own is left alone", async () => {
  const dead = await nameOf(2 ** 31 - 1, "1");
  const kept = [
    "slipway-sandbox-abcdef",
    dead.replace(/sandbox-\d+/, "sandbox-1"),
    dead.replace("slipway", "other"),
    dead.replace("abcdef", "link"),
    dead.replace("abcdef", "shared"),
    dead.replace("abcdef", "file"),
  ];
  const [old = "", space = "", other = "", link = "", shared = "", file = ""] = kept;
  for (const name of [old, space, other, shared]) await mkdir(join(folder, name), { mode: 0o700 });
  await chmod(join(folder, shared), 0o777);
  await writeFile(join(folder, file), "");
  await mkdir(join(folder, "target"));
  await symlink(join(folder, "target"), join(folder, link));
  await makePrivateFolder("sandbox");
  expect(await readdir(folder)).toEqual(expect.arrayContaining([...kept, "target"]));
});

test("none is made where another user could put another folder in its place", async () => {
  await chmod(folder, 0o777);
  await expect(makePrivateFolder("sandbox")).rejects.toThrow("set TMPDIR");
  const below = join(folder, "below");
  await mkdir(below, { mode: 0o700 });
  vi.stubEnv("TMPDIR", below);
  await expect(makePrivateFolder("sandbox")).rejects.toThrow(`"${folder}"`);
  await chmod(folder, 0o1777);
  expect(await makePrivateFolder("sandbox")).toContain(below);
});

test.runIf(process.getuid?.() === 0)("none is made in a folder of another user", async () => {
  await chown(folder, 64_001, 64_001);
  await expect(makePrivateFolder("sandbox")).rejects.toThrow("set TMPDIR");
});
