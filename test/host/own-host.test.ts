import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { findHolder } from "../../src/engine/effects/files/declared-path.ts";
import { completeHost } from "../../src/engine/ports/own-host.ts";
import { createHostFolders, type OwnHost } from "../../src/index.ts";
import { buildProgram } from "../support/built-program.ts";
import { createOwnFolder } from "../support/host/own-engine.ts";

async function openFolder(changes: Readonly<Record<string, unknown>> = {}) {
  const folder = await createOwnFolder(changes);
  onTestFinished(() => folder.remove());
  return folder;
}

test("a host of one's own installs an app, runs its hook and uninstalls it", async () => {
  const { host, apps, open } = await openFolder();
  const { engine, close } = await open();
  onTestFinished(close);
  const installed = await engine.settled((await engine.install("hello")).id);
  expect(installed).toMatchObject({ state: "COMPLETED", result: { directories: [join(apps, "hello")], shares: [] } });
  expect(installed.children).toMatchObject([
    { state: "COMPLETED", checkpoints: [{ message: "Answered 200", state: "COMPLETED" }] },
  ]);
  expect(await host.apps()).toMatchObject([{ name: "hello", state: "RUNNING" }]);
  const removed = await engine.settled((await engine.uninstall("hello", { keepData: false })).id);
  expect(removed).toMatchObject({ state: "COMPLETED", result: { app: "uninstalled" } });
  expect(await host.apps()).toEqual([]);
  // Nothing holds what was in it: no snapshot was taken.
  expect(existsSync(join(apps, "hello"))).toBe(true);
  expect(removed.marks).toContain(`kept: ${join(apps, "hello")}: this host takes no snapshots to keep it in`);
});

test("a preview and the task say which steps are left out on it", async () => {
  const { apps, open } = await openFolder();
  const { engine, close } = await open();
  onTestFinished(close);
  const path = join(apps, "hello");
  const { advice, problems } = await engine.preview("hello");
  expect(problems).toEqual([]);
  expect(advice).toMatchObject([
    { code: "HOST_STEP_OMITTED", message: expect.stringContaining(`"${path}" is not shared`) },
    { code: "HOST_STEP_OMITTED", message: expect.stringContaining(`no snapshot of "${path}"`) },
  ]);
  const task = await engine.settled((await engine.install("hello")).id);
  expect(task.marks).toEqual(advice.map(({ message }) => `advice: ${message}`));
  const update = await engine.settled((await engine.update("hello", {})).id);
  expect(update).toMatchObject({ state: "COMPLETED" });
  expect(update.marks).toEqual([`notSnapshotted: ${path}: this host takes no snapshots`]);
});

test("an app whose directory names an owner is refused before anything is made", async () => {
  const directory = { path: "$LOCATION(ApplicationsPerformance)/hello", owner: { user: "apps" } };
  const { apps, open } = await openFolder({ ensure_directories_exists: [directory] });
  const { engine, close } = await open();
  onTestFinished(close);
  const { problems } = await engine.preview("hello");
  expect(problems.map(({ code }) => code)).toContain("HOST_CAPABILITY_MISSING");
  await expect(engine.install("hello")).rejects.toMatchObject({ code: "HOST_CAPABILITY_MISSING" });
  expect(existsSync(join(apps, "hello"))).toBe(false);
});

test.each(["update", "upgrade"] as const)(
  "an %s to a script whose directory names an owner is refused before it begins",
  async (verb) => {
    const { host, write, open } = await openFolder();
    const upgradeTarget: OwnHost["upgradeTarget"] = async () => ({ version: "2.0.0", available: ["2.0.0"] });
    const { engine, close } = await open({ ...host, upgradeTarget });
    onTestFinished(close);
    await engine.settled((await engine.install("hello")).id);
    const directory = { path: "$LOCATION(ApplicationsPerformance)/hello", owner: { user: "apps" } };
    write({ ensure_directories_exists: [directory], script: { version: "1.1.0" } });
    await engine.syncCatalog();
    const before = (await engine.tasks()).length;
    await expect(engine[verb]("hello", {})).rejects.toMatchObject({ code: "HOST_CAPABILITY_MISSING" });
    expect(await engine.tasks()).toHaveLength(before);
  },
);

test("a file system with the mount point / holds every path", async () => {
  const { host, apps } = await openFolder();
  const root = { dataset: "all", mountpoint: "/", availableBytes: 1 };
  const own: OwnHost = { ...host, datasetOf: async () => root };
  expect(await findHolder(completeHost(own), apps, { real: apps })).toEqual(root);
});

test("an engine that is opened again goes on with the install, and starts no job twice", async () => {
  const { host, open } = await openFolder();
  const sent: string[] = [];
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const watched: OwnHost = {
    ...host,
    startJob: async (call, requestId) => {
      sent.push(call.method);
      begin();
      const job = await host.startJob(call, requestId);
      await released;
      return job;
    },
  };
  const first = await open(watched);
  const { id } = await first.engine.install("hello");
  await begun;
  const closed = first.close();
  release();
  await closed;
  const second = await open(watched);
  onTestFinished(second.close);
  expect(await second.engine.settled(id)).toMatchObject({ state: "COMPLETED" });
  expect(sent).toEqual(["createApp"]);
});

const PROGRAM = fileURLToPath(new URL("../support/host/own-host-process.ts", import.meta.url));
const Run = z.object({ passings: z.record(z.string(), z.int()), end: z.json() });

/** Runs the program that installs the app; null: it was killed. */
function runProgram(path: string, folder: string, crashAt: string): z.infer<typeof Run> | null {
  const { signal, status, stdout, stderr } = spawnSync(process.execPath, [path, folder], {
    env: { ...process.env, SLIPWAY_CRASH_AT: crashAt },
    encoding: "utf8",
  });
  if (signal === "SIGKILL") return null;
  if (status !== 0) throw new Error(stderr);
  return Run.parse(JSON.parse(stdout));
}

test("an engine killed with SIGKILL wherever it asked the host for a change goes on, and creates the app once", async () => {
  const { path, remove } = await buildProgram(PROGRAM);
  onTestFinished(remove);
  const whole = await openFolder({ hooks: [] });
  const uncrashed = runProgram(path, whole.folder, "count");
  expect(uncrashed?.end).toMatchObject({ state: "COMPLETED", apps: ["hello RUNNING"] });
  const kills = (["afterEffectSent", "afterEffectDone"] as const).flatMap((point) =>
    Array.from({ length: uncrashed?.passings[point] ?? 0 }, (_, index) => `${point}:${index + 1}`),
  );
  expect(kills.length).toBeGreaterThan(3);
  for (const crashAt of kills) {
    const { folder } = await openFolder({ hooks: [] });
    expect([crashAt, runProgram(path, folder, crashAt)]).toEqual([crashAt, null]);
    const { end } = runProgram(path, folder, "") ?? {};
    const plain = JSON.stringify(end).replaceAll(folder, whole.folder);
    expect([crashAt, JSON.parse(plain)]).toEqual([crashAt, uncrashed?.end]);
    expect(readFileSync(join(folder, "created.jsonl"), "utf8").trimEnd().split("\n")).toHaveLength(1);
  }
});

test("folders of this machine are the host's, and a link is shown with where it leads", async () => {
  const { folder } = await openFolder();
  const { stat, makeDirectory, datasetOf } = createHostFolders(folder);
  const at = (name: string) => join(folder, name);
  symlinkSync("apps", at("link"));
  symlinkSync("nowhere", at("lost"));
  expect(await stat(at("apps"))).toMatchObject({ type: "DIRECTORY" });
  expect(await stat(at("catalog/hello.json"))).toMatchObject({ type: "FILE" });
  expect(await stat(at("link"))).toMatchObject({ type: "SYMLINK", target: at("apps") });
  for (const name of ["lost", "none", "catalog/hello.json/none"]) expect(await stat(at(name))).toBeNull();
  await makeDirectory(at("mine"), { isPrivate: true });
  expect(statSync(at("mine")).mode & 0o007).toBe(0);
  expect(await datasetOf(at("mine"))).toMatchObject({ mountpoint: folder, availableBytes: expect.any(Number) });
  await expect(datasetOf(at("none"))).rejects.toMatchObject({ code: "HOST_NOT_FOUND", delivery: "yes" });
  await expect(makeDirectory("/proc/none")).rejects.toMatchObject({ code: expect.stringMatching(/^HOST_/) });
});

test("an app whose folder is a link is refused before anything is made behind it", async () => {
  const { apps, folder, open } = await openFolder();
  const { engine, close } = await open();
  onTestFinished(close);
  symlinkSync("../catalog", join(apps, "hello"));
  await expect(engine.install("hello")).rejects.toMatchObject({ code: "HOST_PATH_LINKED" });
  expect(readdirSync(join(folder, "catalog"))).toEqual(["hello.json"]);
});

test("an object that is no host is refused by the name of what it lacks, and no database is made", async () => {
  const { host, db, open } = await openFolder();
  const { waitJob: _, ...noWait } = host;
  const wrong: readonly (readonly [object, string])[] = [
    [noWait, 'the host has no method "waitJob"'],
    [
      { ...host, shares: async () => [] },
      'the host has a part of "shares", but no method "createShare", "sharesService", "startShares", "enableShares"',
    ],
    [{}, 'the host has no method "facts"'],
    [{ kind: "rcp" }, 'the host has no method "facts"'],
  ];
  for (const [own, message] of wrong) {
    // @ts-expect-error -- what a program without types may pass
    await expect(open(own)).rejects.toMatchObject({ code: "HOST_INCOMPLETE", message });
  }
  expect(existsSync(db)).toBe(false);
});

test("a method is called on the embedder's object, also where a group is absent", async () => {
  const { host } = await openFolder();
  class Counting {
    #asked = 0;
    async apps() {
      this.#asked += 1;
      return [];
    }
    asked() {
      return this.#asked;
    }
  }
  const counting = new Counting();
  const own = Object.assign(counting, { ...host, apps: Counting.prototype.apps });
  const complete = completeHost(own);
  await complete.apps();
  expect(counting.asked()).toBe(1);
  expect(complete.lacks).toEqual(
    new Set(["datasets", "snapshots", "clones", "shares", "owners", "versions", "questions"]),
  );
  expect(await complete.snapshotNames("apps")).toEqual([]);
  const made = complete.createShare({ name: "x", path: "/x" });
  await expect(made).rejects.toMatchObject({ code: "HOST_CAPABILITY_MISSING", delivery: "no" });
});
