import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { ChildProgram } from "../../../sandbox/child/child-program.ts";
import type { CompiledScript, RunOutcome, Sandbox, ScriptHost } from "../../../sandbox/contract.ts";
import { listTree } from "../../../sandbox/process/use.ts";
import { createSandbox } from "../../../sandbox/sandbox.ts";
import { openTarget, type Target } from "../attacks/attacks-target.ts";
import { hostile, unready, writeProgram } from "./containment-child.ts";
import { isAlive, liveBytes, traces } from "./containment-traces.ts";

const MB = 1024 * 1024;
const NO_SCRIPT: CompiledScript = { sha256: "", code: "", sourceMap: '{"version":3,"sources":[],"mappings":""}' };
/** Runs of widgets at once. */
const AT_ONCE = 4;
const ROOT = process.getuid?.() === 0;

let target: Target;
beforeAll(async () => {
  target = await openTarget();
});
afterAll(() => target.close());

let cleanups: (() => Promise<void>)[] = [];

beforeEach(() => {
  cleanups = [];
});

afterEach(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
  vi.unstubAllEnvs();
});

function open(program?: ChildProgram): Sandbox {
  const sandbox = createSandbox({
    allowWeakSandbox: true,
    scriptIo: target.scriptIo,
    ...(program !== undefined && { program }),
  });
  cleanups.push(() => sandbox.close());
  return sandbox;
}

async function runIn(sandbox: Sandbox, script = NO_SCRIPT, scriptHost: Partial<ScriptHost> = {}): Promise<RunOutcome> {
  const run = sandbox.run(
    {
      runId: "run",
      kind: "widget",
      script,
      entrypoint: "run",
      context: target.context,
      secrets: [],
      wallMs: 15_000,
      network: target.network,
      mounts: target.mounts,
      seed: "seed",
    },
    { call: async () => null, log: () => {}, audit: () => {}, ...scriptHost },
  );
  return run.outcome;
}

/** Runs a compromised child to its end and closes everything. */
async function survive(
  text: string,
  flags: readonly string[] = [],
  scriptHost: Partial<ScriptHost> = {},
): Promise<RunOutcome> {
  const { program, remove } = await writeProgram(text, flags);
  cleanups.push(remove);
  return runIn(open(program), NO_SCRIPT, scriptHost);
}

interface HostileRow {
  readonly name: string;
  readonly onDelivery: string;
  readonly reason: string;
}

const HOSTILE: readonly HostileRow[] = [
  {
    name: "writes garbage",
    onDelivery: "raw(Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 197 + 13) % 256)));",
    reason: "sandbox_crash",
  },
  { name: "writes zeros", onDelivery: "raw(Buffer.alloc(4096));", reason: "sandbox_crash" },
  {
    name: "announces a frame of 4 GB",
    onDelivery: "const b = Buffer.alloc(8); b.writeUInt32LE(0xffffffff, 0); b.writeUInt32LE(10, 4); raw(b);",
    reason: "quota_request",
  },
  {
    name: "announces a header longer than its frame",
    onDelivery: "const b = Buffer.alloc(8); b.writeUInt32LE(8, 0); b.writeUInt32LE(9, 4); raw(b);",
    reason: "sandbox_crash",
  },
  { name: "sends a header that is no JSON", onDelivery: "send('{');", reason: "sandbox_crash" },
  { name: "sends an unknown message", onDelivery: "send({ t: 'exec', command: 'id' });", reason: "sandbox_crash" },
  { name: "sends an unknown operation", onDelivery: "out({ op: 'exec' });", reason: "sandbox_crash" },
  {
    name: "sends an operation with a wrong shape",
    onDelivery: "out({ op: 'fetch', id: -1, url: 7 });",
    reason: "sandbox_crash",
  },
  {
    name: "floods with operations",
    onDelivery: "for (let id = 1; ; id++) out({ op: 'timer', id, ms: 1 });",
    reason: "quota_messages",
  },
  {
    name: "floods with log lines",
    onDelivery: "for (;;) out({ op: 'log', line: 'x'.repeat(1000) });",
    reason: "quota_log",
  },
  {
    name: "floods with bodies where none belongs",
    onDelivery:
      "for (let id = 1; ; id++) send({ t: 'out', header: JSON.stringify({ op: 'timer', id, ms: 1 }) }, Buffer.alloc(15 << 20));",
    reason: "sandbox_crash",
  },
  {
    name: "floods with request bodies",
    onDelivery:
      "const fetch = { op: 'fetch', method: 'POST', url: 'http://127.0.0.1/', headers: [], redirect: 'follow', hasBody: true }; for (let id = 1; ; id++) send({ t: 'out', header: JSON.stringify({ ...fetch, id }) }, Buffer.alloc(1 << 19));",
    reason: "quota_request",
  },
  {
    name: "floods its stderr",
    onDelivery: "for (let i = 0; i < 2000; i++) fs.writeSync(2, 'x'.repeat(65536)); done(1);",
    reason: "completed",
  },
  { name: "stalls", onDelivery: "", reason: "sandbox_crash" },
  {
    name: "stalls within a frame",
    onDelivery: "raw(frame({ t: 'delivered' }).subarray(0, 10));",
    reason: "sandbox_crash",
  },
  { name: "closes its pipe and lives on", onDelivery: "fs.closeSync(3);", reason: "sandbox_crash" },
  { name: "says it is ready twice", onDelivery: "ready();", reason: "sandbox_crash" },
  {
    name: "speaks outside of a delivery",
    onDelivery: "send({ t: 'delivered' }); send({ t: 'delivered' });",
    reason: "sandbox_crash",
  },
  {
    name: "does not wait for its answer",
    onDelivery: "for (let i = 0; i < 2; i++) send({ t: 'ask', header: JSON.stringify({ op: 'fs.list', path: '/' }) });",
    reason: "sandbox_crash",
  },
  {
    name: "asks for too many random bytes",
    onDelivery: "send({ t: 'ask', header: JSON.stringify({ op: 'random', bytes: 1e9 }) });",
    reason: "sandbox_crash",
  },
  {
    name: "drips a frame byte by byte",
    onDelivery:
      "const big = frame({ t: 'out', header: JSON.stringify({ op: 'log', line: 'x'.repeat(1 << 20) }) }); for (let i = 0; i < big.length; i++) raw(big.subarray(i, i + 1));",
    reason: "timeout_cpu",
  },
  {
    name: "makes the parent parse without end",
    onDelivery:
      "const big = frame({ t: 'out', header: JSON.stringify({ op: 'timer.clear', id: 1, more: 'x'.repeat(1 << 20) }) }); for (;;) raw(big);",
    reason: "quota_messages",
  },
  { name: "ends twice", onDelivery: "done(1); done(2);", reason: "completed" },
  {
    name: "ends with a nest",
    onDelivery:
      'send(\'{"t":"out","header":\' + JSON.stringify(\'{"op":"done","outcome":{"status":"completed","result":\' + \'[\'.repeat(4e5) + \']\'.repeat(4e5) + \'}}\') + \'}\');',
    reason: "quota_result",
  },
  { name: "ends with more than a result may have", onDelivery: "done('x'.repeat(1 << 20));", reason: "quota_result" },
  { name: "exits with 0", onDelivery: "process.exit(0);", reason: "sandbox_crash" },
  { name: "exits with 1", onDelivery: "process.exit(1);", reason: "sandbox_crash" },
  { name: "aborts", onDelivery: "process.abort();", reason: "memory" },
  { name: "kills itself with SIGSEGV", onDelivery: "process.kill(process.pid, 'SIGSEGV');", reason: "sandbox_crash" },
  {
    name: "ignores every signal it can",
    onDelivery: "for (const s of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT']) process.on(s, () => {}); send('{');",
    reason: "sandbox_crash",
  },
];

describe("the parent survives a compromised child that", () => {
  test.each(HOSTILE)("$name", async ({ onDelivery, reason }) => {
    const before = traces();
    const live = await liveBytes();
    const outcome = await survive(hostile(onDelivery));
    expect(outcome.status === "completed" ? "completed" : outcome.reason, JSON.stringify(outcome)).toBe(reason);
    await cleanups.pop()?.();
    expect(traces()).toEqual(before);
    expect((await liveBytes()) - live).toBeLessThan(20 * MB);
  });

  test.runIf(ROOT)("forks bombs into sessions of their own", async () => {
    const before = traces();
    const bomb = `"const { spawn } = require('node:child_process'); for (;;) { try { spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' }).on('error', () => {}).unref(); } catch {} }"`;
    const outcome = await survive(
      hostile(`
        for (let i = 0; i < 8; i++) spawn(process.execPath, ["-e", ${bomb}], { detached: true, stdio: "ignore" }).on("error", () => {}).unref();
        setTimeout(() => done(1), 300);`),
      ["--allow-child-process"],
    );
    expect(outcome.status).toBe("completed");
    await cleanups.pop()?.();
    expect(traces()).toEqual(before);
  });
});

describe("catalog code is refused", () => {
  test("where the child has WebAssembly, because --jitless is not in force", async () => {
    const outcome = await survive(unready("ready({ webAssembly: true }); forever();"));
    expect(outcome).toMatchObject({ status: "failed", reason: "sandbox_crash" });
    expect(outcome).toHaveProperty("message", expect.stringContaining("jitless (WebAssembly is there)"));
  });

  test("where the permission model is not in force", async () => {
    const outcome = await survive(unready("ready({ permission: false }); forever();"));
    expect(outcome).toHaveProperty("message", expect.stringContaining("permission model (not in force)"));
  });

  test("where isolated-vm is one with a known escape", async () => {
    const outcome = await survive(unready("ready({ isolatedVm: '7.0.0' }); forever();"));
    expect(outcome).toHaveProperty("message", expect.stringContaining("isolated-vm (7.0.0)"));
  });

  test("where no child starts, and the health report says why", async () => {
    const { program, remove } = await writeProgram(unready("throw new Error('no addon');"));
    cleanups.push(remove);
    const sandbox = open(program);
    const health = await sandbox.health();
    expect(health.usable).toBe(false);
    expect(health.layers[0]?.detail).toContain("no addon");
    expect(await runIn(sandbox)).toMatchObject({ status: "failed", reason: "sandbox_crash" });
  });
});

describe("inside the child, after load", () => {
  test("no file, process, worker, socket or signal gets through, and each refusal names its layer", async () => {
    const refused: Record<string, string> = {};
    const probes: Record<string, string> = {
      read: "fs.readFileSync('/etc/passwd')",
      list: "fs.readdirSync('/')",
      write: "fs.writeFileSync('/tmp/slipway-probe', 'x')",
      spawn: "(await import('node:child_process')).execFileSync('/bin/true')",
      worker: "new (await import('node:worker_threads')).Worker('0', { eval: true })",
      inspector: "(await import('node:inspector')).open(0)",
      webAssembly: "new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))",
      signal: "process.kill(process.ppid, 0)",
      socket:
        "await new Promise((resolve, reject) => import('node:net').then(({ connect }) => connect(53, '192.0.2.1').on('connect', resolve).on('error', reject).setTimeout(2000, () => reject(Object.assign(new Error(), { code: 'TIMEOUT' })))))",
    };
    const program = Object.entries(probes)
      .map(
        ([name, code]) =>
          `try { ${code}; tell(${JSON.stringify(name)}, "allowed"); } catch (e) { tell(${JSON.stringify(name)}, e.code ?? e.name); }`,
      )
      .join("\n");
    const outcome = await survive(
      hostile(`const tell = (name, code) => out({ op: "log", line: name + " " + code });\n${program}\ndone(1);`),
      [],
      {
        log: (line) => {
          const [name = "", code = ""] = line.split(" ");
          refused[name] = code;
        },
      },
    );
    expect(outcome.status, JSON.stringify(outcome)).toBe("completed");
    expect(refused).toMatchObject({
      read: "ERR_ACCESS_DENIED",
      list: "ERR_ACCESS_DENIED",
      write: "ERR_ACCESS_DENIED",
      spawn: "ERR_ACCESS_DENIED",
      worker: "ERR_ACCESS_DENIED",
      inspector: "ERR_ACCESS_DENIED",
      webAssembly: "ReferenceError",
    });
    // these two layers need root; where the machine gives none, the health report says so
    if (ROOT) expect(refused).toMatchObject({ signal: "EPERM", socket: "ENETUNREACH" });
  });
});

describe("a sandbox", () => {
  const script = async (sandbox: Sandbox, body: string): Promise<CompiledScript> => {
    const source = { kind: "inline", content: `export async function run(ctx) { ${body} }` } as const;
    const compiled = await sandbox.compile({ app: "app", root: null, source, entrypoint: "run", label: "run.ts" });
    if (!compiled.ok) throw new Error(compiled.problems[0]?.message);
    return compiled.script;
  };

  test("has every mandatory layer in force on this machine", async () => {
    const { usable, layers } = await open().health();
    expect(usable).toBe(true);
    expect(layers.filter(({ mandatory }) => mandatory).map(({ name }) => name)).toEqual([
      "jitless",
      "permission model",
      "isolated-vm",
      "RLIMIT_DATA",
      "RLIMIT_CPU",
    ]);
  });

  test("leaves no process, zombie or descriptor and does not grow over 100 runs", { timeout: 300_000 }, async () => {
    const sandbox = open();
    const compiled = await script(sandbox, "ctx.log('x'); await new Promise((r) => setTimeout(r, 0)); return 1;");
    for (let i = 0; i < 20; i++) await runIn(sandbox, compiled);
    const live = await liveBytes();
    const before = traces();
    for (let i = 0; i < 100; i += AT_ONCE) {
      for (const outcome of await Promise.all(Array.from({ length: AT_ONCE }, () => runIn(sandbox, compiled)))) {
        expect(outcome.status, JSON.stringify(outcome)).toBe("completed");
      }
    }
    expect((await liveBytes()) - live).toBeLessThan(MB);
    const after = traces();
    expect(after.children.filter((child) => child.includes("Z"))).toEqual([]);
    expect(after.children.length).toBeLessThanOrEqual(before.children.length + 1);
    // the warm child's pipes, where one was being made
    expect(after.descriptors.length).toBeLessThanOrEqual(before.descriptors.length + 3);
    await cleanups.pop()?.();
    expect(traces()).toMatchObject({ children: [], strays: 0 });
  });

  test("makes its files again where a cleaner of temporary folders has taken them, and removes them at its end", async () => {
    const folder = await mkdtemp(join(tmpdir(), "slipway-cleaned-"));
    // the children's own users reach the files through it
    await chmod(folder, 0o755);
    cleanups.push(() => rm(folder, { recursive: true, force: true }));
    vi.stubEnv("TMPDIR", folder);
    const sandbox = open();
    const compiled = await script(sandbox, "return 1;");
    // one child from the files, one that waits warm
    await runIn(sandbox, compiled);
    for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true });
    for (let i = 0; i < 3; i++) expect((await runIn(sandbox, compiled)).status).toBe("completed");
    await sandbox.close();
    expect(await readdir(folder)).toEqual([]);
  });

  test("that could start no child starts one once what kept it from that is gone", async () => {
    const folder = await mkdtemp(join(tmpdir(), "slipway-later-"));
    cleanups.push(() => rm(folder, { recursive: true, force: true }));
    await chmod(folder, 0o755);
    const compiled = await script(open(), "return 1;");
    vi.stubEnv("TMPDIR", join(folder, "later"));
    const sandbox = open();
    expect((await sandbox.health()).usable).toBe(false);
    expect(await runIn(sandbox, compiled)).toMatchObject({ status: "failed", reason: "sandbox_crash" });
    await mkdir(join(folder, "later"), { mode: 0o755 });
    const outcome = await runIn(sandbox, compiled);
    expect(outcome.status, JSON.stringify(outcome)).toBe("completed");
  });

  test("takes its children with it when its engine is killed, also one that computes", async () => {
    const parent = spawn(process.execPath, [fileURLToPath(new URL("containment-parent.ts", import.meta.url))], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(parent.stdout, "data");
    // the programs that isolate them, and the programs themselves
    const children = listTree(parent.pid ?? 0)
      .slice(1)
      .map(String);
    expect(children.length).toBeGreaterThan(0);
    parent.kill("SIGKILL");
    await expect.poll(() => children.filter(isAlive)).toEqual([]);
  });

  test("ends what runs when it is closed, with the reason stopped", async () => {
    const sandbox = open();
    const compiled = await script(sandbox, "ctx.log('started'); await new Promise(() => {});");
    const started = Promise.withResolvers<void>();
    const outcome = runIn(sandbox, compiled, { log: () => started.resolve() });
    await started.promise;
    await sandbox.close();
    expect(await outcome).toMatchObject({ status: "failed", reason: "stopped" });
    expect(await runIn(sandbox, compiled)).toMatchObject({ status: "failed", message: "the sandbox is closed" });
  });
});
