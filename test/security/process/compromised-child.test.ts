/** What a script's process could take, keep or reach if it were taken over whole. */
import { spawn, spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { RunOutcome, Sandbox } from "../../../sandbox/contract.ts";
import type { ProcessLimits } from "../../../sandbox/process/command.ts";
import { findIsolation } from "../../../sandbox/process/find-isolation.ts";
import { IsolatedProcess } from "../../../sandbox/process/isolated-process.ts";
import { makePrivateRoot } from "../../../sandbox/process/private-root.ts";
import { createSandbox } from "../../../sandbox/sandbox.ts";
import { createScriptIo } from "../../../src/adapters/script-io/script-io.ts";
import { hostile, writeProgram } from "../../sandbox/containment/containment-child.ts";

const [isolation] = await findIsolation();
const IS_PRIVATE = isolation?.root === "private" && isolation.processes === "own";
const LIMITS: ProcessLimits = { dataKb: 300_000, memoryMb: 100, cpuS: 10, files: 64, fileBlocks: 0, processes: 64 };
const PYTHON = "/usr/bin/python3";

let folder: string;
let cleanups: (() => Promise<void>)[];

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "slipway-compromised-")));
  cleanups = [() => rm(folder, { recursive: true, force: true })];
});

afterEach(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
});

/** Runs a compromised child, with flags opened for it, to its end. */
async function runHostile(onDelivery: string, flags: readonly string[]): Promise<RunOutcome> {
  const { program, remove } = await writeProgram(hostile(onDelivery), flags);
  cleanups.push(remove);
  const sandbox: Sandbox = createSandbox({ allowWeakSandbox: true, scriptIo: createScriptIo(), program });
  cleanups.push(() => sandbox.close());
  const run = sandbox.run(
    {
      runId: "run",
      kind: "hook",
      script: { sha256: "", code: "", sourceMap: '{"version":3,"sources":[],"mappings":""}' },
      entrypoint: "run",
      context: {},
      secrets: [],
      wallMs: 15_000,
      network: { lanIp: "127.0.0.1", lanPorts: async () => [], internet: false, readOnly: true },
      mounts: [],
      seed: "seed",
    },
    { call: async () => null, log: () => {}, audit: () => {} },
  );
  return run.outcome;
}

const resultOf = (outcome: RunOutcome): unknown => (outcome.status === "completed" ? outcome.result : outcome);

/** Starts programs of the machine in the child's isolation: what native code in a child could do by itself. */
async function runNative(argv: readonly string[], programs: readonly string[], read: readonly string[] = []) {
  if (isolation === undefined) throw new Error("no process can be started in isolation");
  const root = await makePrivateRoot(folder, { programs, read });
  const isolated = new IsolatedProcess({ argv, limits: LIMITS, root, stdio: ["ignore", "pipe", "pipe"] }, isolation);
  isolated.watchMemory();
  const { stdout, stderr } = isolated.process;
  const told = await Promise.all([stdout, stderr].map((stream) => (stream === null ? "" : text(stream))));
  return { told: told.join(""), exit: await isolated.exited };
}

const pathOf = (name: string): string => spawnSync("which", [name]).stdout.toString().trim();

describe.runIf(IS_PRIVATE)("a child taken over", () => {
  test("sees no file of the machine, no process but its own, and can write nowhere", async () => {
    const outcome = await runHostile(
      `const of = (act) => { try { return act() ?? null; } catch (error) { return error.code; } };
       done({
         read: ["/etc/passwd", "/proc/self/environ", "/proc/1/status", "/sys/kernel"].map((path) => of(() => fs.statSync(path))),
         written: ["/tmp/x", "/dev/shm/x", "/x", "/var/tmp/x", "/run/x"].map((path) => of(() => fs.writeFileSync(path, "x"))),
         signalled: [1, process.ppid, ${process.pid}].map((pid) => of(() => process.kill(pid, 0))),
       });`,
      ["--allow-fs-read=*", "--allow-fs-write=*"],
    );
    expect(resultOf(outcome)).toEqual({
      read: ["ENOENT", "ENOENT", "ENOENT", "ENOENT"],
      written: expect.not.arrayContaining([null]),
      signalled: ["EPERM", "EPERM", "ESRCH"],
    });
  });

  test("makes no shared memory, semaphore or queue of System V that would outlive it", async () => {
    const before = readFileSync("/proc/sysvipc/shm", "latin1");
    const ipcmk = pathOf("ipcmk");
    for (const kind of [["-M", "1000000"], ["-S", "1"], ["-Q"]]) {
      const { told, exit } = await runNative([ipcmk, ...kind], [ipcmk]);
      expect(exit.code, told).not.toBe(0);
    }
    expect(readFileSync("/proc/sysvipc/shm", "latin1")).toBe(before);
  });

  test("gets no user namespace, so no privilege in one", async () => {
    const unshare = pathOf("unshare");
    const { told, exit } = await runNative([unshare, "--user", unshare, "--version"], [unshare]);
    expect(exit.code, told).not.toBe(0);
    expect(told).toContain("Operation not permitted");
  });

  test.runIf(existsSync(PYTHON))("is killed for shared memory no limit of a process counts", async () => {
    const library = spawnSync(PYTHON, ["-c", "import os; print(os.path.dirname(os.__file__))"])
      .stdout.toString()
      .trim();
    const program =
      "import mmap\nm = mmap.mmap(-1, 700 << 20)\nfor i in range(700): m.write(b'x' * (1 << 20))\nprint('kept')";
    const { told, exit } = await runNative([PYTHON, "-S", "-c", program], [PYTHON], [library]);
    expect(told).not.toContain("kept");
    expect(exit).toEqual({ code: null, signal: "SIGKILL" });
  });

  test("holds no more memory by spreading it over many processes", async () => {
    const hog = "Buffer.alloc(180 << 20).fill(1); process.stdout.write('full'); setInterval(() => {}, 1000)";
    const outcome = await runHostile(
      `const hogs = Array.from({ length: 4 }, () => spawn(process.execPath, ["--jitless", "-e", ${JSON.stringify(hog)}]));
       const ends = hogs.map((hog) => new Promise((resolve) => hog.on("error", () => {}).once("exit", resolve)));
       await Promise.all(hogs.map((hog, i) => Promise.race([ends[i], new Promise((resolve) => hog.stdout.once("data", resolve))])));
       done(hogs.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null).length);`,
      ["--allow-child-process"],
    );
    // ended by the engine's watch, or left with what the kernel allows all of them together
    if (outcome.status === "failed") expect(outcome.reason).toBe("memory");
    else expect(outcome.result).toBeLessThanOrEqual(2);
  });
});

test("a child holds no file its engine was started with", async () => {
  const secret = openSync("/etc/hostname", "r");
  try {
    // beyond the first 16 descriptors, which Node closes to what it starts by itself
    const extra = Array.from({ length: 40 }, (_, index) => (index === 39 ? secret : ("ignore" as const)));
    const engine = spawn(process.execPath, [fileURLToPath(new URL("inheriting-engine.ts", import.meta.url))], {
      stdio: ["ignore", "pipe", "inherit", ...extra],
    });
    expect(JSON.parse(engine.stdout === null ? "" : await text(engine.stdout))).toEqual([]);
  } finally {
    closeSync(secret);
  }
});
