import { readFileSync, readlinkSync } from "node:fs";
import { chmod, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { PrivateRoot, ProcessLimits } from "../../sandbox/process/command.ts";
import { findIsolation } from "../../sandbox/process/find-isolation.ts";
import { IsolatedProcess, type ProcessExit } from "../../sandbox/process/isolated-process.ts";
import { type Isolation, listIsolationLevels } from "../../sandbox/process/isolation.ts";
import { makePrivateRoot } from "../../sandbox/process/private-root.ts";
import { isAlive } from "./containment/containment-traces.ts";

const LIMITS: ProcessLimits = { dataKb: 300_000, memoryMb: 200, cpuS: 10, files: 64, fileBlocks: 0, processes: 64 };

const isolation = await findBest();

let folder: string;
let root: PrivateRoot | null;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "slipway isolated-")));
  await writeFile(join(folder, "named.txt"), "named");
  await chmod(join(folder, "named.txt"), 0o644);
  await writeFile(join(folder, "other.txt"), "other");
  root = await makePrivateRoot(folder, { programs: [process.execPath], read: [join(folder, "named.txt")] });
});

afterAll(() => rm(folder, { recursive: true, force: true }));

function start(program: string): IsolatedProcess {
  const argv = [process.execPath, "--jitless", "--input-type=module", "--eval", program, folder];
  return new IsolatedProcess({ argv, limits: LIMITS, root, stdio: ["ignore", "pipe", "ignore"] }, isolation);
}

async function run(program: string): Promise<{ readonly told: unknown; readonly exit: ProcessExit }> {
  const isolated = start(program);
  const { stdout } = isolated.process;
  const told = stdout === null ? "" : await text(stdout);
  return { told: told === "" ? null : JSON.parse(told), exit: await isolated.exited };
}

test.runIf(isolation.root === "private")("without the root it is to see no process is started", () => {
  const program = { argv: [process.execPath, "--version"], limits: LIMITS, root: null, stdio: ["ignore"] } as const;
  expect(() => new IsolatedProcess(program, isolation)).toThrow("no private root");
});

test("combinations are tried best first, and without root none that needs it", () => {
  expect(listIsolationLevels(true)[0]).toEqual({
    user: "own",
    network: "empty",
    privileges: "dropped",
    ipc: "own",
    processes: "own",
    root: "private",
  });
  expect(listIsolationLevels(false).filter(({ user, root }) => user === "own" || root === "private")).toEqual([]);
});

test.runIf(isolation.root === "private")(
  "a program sees the files it was given and no others, and can write nowhere",
  async () => {
    const { told } = await run(`
    import fs from "node:fs";
    const of = (act) => { try { return act(); } catch (error) { return error.code; } };
    const folder = process.argv[1];
    console.log(JSON.stringify({
      root: fs.readdirSync("/").sort(),
      named: of(() => fs.readFileSync(folder + "/named.txt", "utf8")),
      other: of(() => fs.readFileSync(folder + "/other.txt", "utf8")),
      shadow: of(() => fs.readFileSync("/etc/shadow", "utf8")),
      proc: of(() => fs.readdirSync("/proc")),
      written: ["/tmp", "/dev/shm", "/dev", "/", folder].map((to) => of(() => fs.writeFileSync(to + "/x", "x") ?? null)),
      environment: process.env,
    }));`);
    expect(told).toMatchObject({ named: "named", other: "ENOENT", shadow: "ENOENT", proc: "ENOENT" });
    expect(told).toHaveProperty("environment", { TZ: "UTC" });
    expect(told).toHaveProperty("written", expect.not.arrayContaining([null]));
  },
);

test.runIf(isolation.processes === "own" && isolation.root === "private")(
  "its namespaces are not the engine's, and it is known by its own process id",
  async () => {
    const isolated = start("process.stdout.write('up'); setInterval(() => {}, 1000);");
    await new Promise((resolve) => isolated.process.stdout?.once("data", resolve));
    const { pid } = isolated;
    expect(readFileSync(`/proc/${pid}/comm`, "utf8")).toMatch(/^(node|MainThread)/);
    for (const kind of ["net", "ipc", "uts", "pid", "mnt"]) {
      expect(readlinkSync(`/proc/${pid}/ns/${kind}`), kind).not.toBe(readlinkSync(`/proc/self/ns/${kind}`));
    }
    expect(isolated.use()?.peakMb).toBeGreaterThan(10);
    isolated.kill();
    expect(await isolated.exited).toEqual({ code: null, signal: "SIGKILL" });
    expect(isAlive(String(pid))).toBe(false);
  },
);

test("how a program ends is told as if there were no isolation", async () => {
  expect((await run("process.exit(3);")).exit).toEqual({ code: 3, signal: null });
  expect((await run("process.kill(process.pid, 'SIGTERM');")).exit).toEqual({ code: null, signal: "SIGTERM" });
  expect((await run("process.kill(process.pid, 'SIGKILL');")).exit).toEqual({ code: null, signal: "SIGKILL" });
});

async function findBest(): Promise<Isolation> {
  const [best] = await findIsolation();
  if (best === undefined) throw new Error("no process can be started in isolation");
  return best;
}
