/**
 * `npm run bench -- start`: whole processes of the built command beside `node -e 0`, each with the memory it had at most,
 * and what an idle `serve` on the demo catalog shares and holds.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { readReady } from "../../src/standin/ready.ts";
import { computeMedian, createRow, measureInterleaved, printTable } from "./measure.ts";

const BLOCKS = 20;
const IDLE_RUNS = 5;
const BIN = "dist/src/cli/bin.js";
const folder = mkdtempSync(join(tmpdir(), "slipway-bench-"));
const script = join(folder, "trivial.ts");
writeFileSync(script, "export function run() {}\n");

const COMMANDS = {
  "node -e 0": { args: ["-e", "0"], target: "" },
  "slipway --version": { args: [BIN, "--version"], target: "<= 150 ms, 60 MB" },
  "slipway --help": { args: [BIN, "--help"], target: "<= 150 ms, 60 MB" },
  "slipway explain": { args: [BIN, "explain", "HOOK_RERUN_MISSING"], target: "<= 150 ms, 60 MB" },
  "slipway validate": { args: [BIN, "validate", "scripts/demo/catalog/demo-notes.json"], target: "<= 300 ms" },
  "slipway run-hook": { args: [BIN, "run-hook", script, "--entrypoint", "run"], target: "<= 600 ms" },
  'import "slipway"': {
    args: ["--input-type=module", "-e", `await import(${JSON.stringify(join(process.cwd(), "dist/src/index.js"))})`],
    target: "<= 150 ms",
  },
} as const;

/** Ms a process takes from start to end. */
function runWhole(args: readonly string[]): number {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}: ${stderr}`);
  return performance.now() - start;
}

/** MB a process had resident at most. */
function measurePeakMb(args: readonly string[]): number {
  const preload = `data:text/javascript,process.on("exit",()=>process.stderr.write("peak "+process.resourceUsage().maxRSS))`;
  const { stderr } = spawnSync(process.execPath, ["--import", preload, ...args], { encoding: "utf8" });
  return Number(/peak (\d+)$/.exec(stderr)?.[1]) / 1024;
}

/** MB of a process's memory by a row of the kernel's sums: `Pss`, or `Pss_Anon`, what it shares with none. */
function readMb(pid: number, name: "Pss" | "Pss_Anon"): number {
  const sums = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(sums)?.[1]) / 1024;
}

interface IdleMemory {
  /** MB, shared pages divided among those that share them: less on a machine that runs more of the same Node. */
  readonly pss: number;
  /** MB it shares with none. */
  readonly own: number;
}

/** Memory of `serve` on the demo catalog with no task, once it has been idle for some seconds. */
async function measureIdleServe(name: string): Promise<IdleMemory> {
  const db = join(folder, `${name}.db`);
  const args = [BIN, "serve", "--listen", "127.0.0.1:0", "--db", db, "--allow-weak-sandbox"];
  const server = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"] });
  try {
    await new Promise((resolve) => server.stdout.once("data", resolve));
    const { pid = 0 } = server;
    const seen: IdleMemory[] = [];
    for (let second = 0; second < 12; second++) {
      await delay(1_000);
      seen.push({ pss: readMb(pid, "Pss"), own: readMb(pid, "Pss_Anon") });
    }
    const last = seen.slice(-5);
    return { pss: computeMedian(last.map(({ pss }) => pss)), own: computeMedian(last.map(({ own }) => own)) };
  } finally {
    const ended = new Promise((resolve) => server.once("exit", resolve));
    server.kill("SIGTERM");
    await ended;
    await endStandin(`${db}.standin`);
  }
}

/** Ends a stand-in, which would share its pages with the next engine measured. */
async function endStandin(dir: string): Promise<void> {
  const pid = readReady(dir)?.pid;
  if (pid === undefined) return;
  process.kill(pid, "SIGTERM");
  while (existsSync(`/proc/${pid}`)) await delay(50);
}

try {
  const built = spawnSync("npm", ["run", "-s", "build"], { stdio: ["ignore", "ignore", "inherit"] });
  if (built.status !== 0) throw new Error("the package can't be built");
  const candidates = Object.fromEntries(
    Object.entries(COMMANDS).map(([name, { args }]) => [name, () => runWhole(args)]),
  );
  const found = await measureInterleaved(BLOCKS, candidates);
  const bare = computeMedian(found["node -e 0"] ?? []);
  printTable(
    "start of the command, whole processes",
    Object.entries(COMMANDS).map(([name, { args, target }]) =>
      createRow(`${name} (${measurePeakMb(args).toFixed(0)} MB)`, found[name] ?? [], "ms", {
        ...(name !== "node -e 0" && { ratio: computeMedian(found[name] ?? []) / bare }),
        ...(target !== "" && { target }),
      }),
    ),
  );
  const idle: IdleMemory[] = [];
  for (let run = 0; run < IDLE_RUNS; run++) idle.push(await measureIdleServe(`idle-${run}`));
  const pss = idle.map((each) => each.pss);
  printTable("idle engine", [
    createRow("serve, PSS", pss, "MB", { target: "<= 80 MB" }),
    createRow(
      "serve, shared with none",
      idle.map(({ own }) => own),
      "MB",
    ),
  ]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
