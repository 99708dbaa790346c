/** `slipway check` as a process of its own, on catalogs that would keep it from its end. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { CatalogNeighbours } from "../../src/check/neighbours.ts";
import { rawApp, rawInstallHook } from "../support/check/apps.ts";
import { rawScript } from "../support/scripts/scripts.ts";
import { endOf, type SlipwayProcess, startSlipway, untilOutput } from "../support/slipway-process.ts";
import { useTestFolder } from "../support/test-folder.ts";

const folder = useTestFolder();
const catalog = () => join(folder.path, "catalog");
/** Whatever a check writes lies below it. */
const temporary = () => join(folder.path, "tmp");

beforeEach(() => {
  mkdirSync(temporary());
  // children run as users of their own
  for (const path of [folder.path, temporary()]) chmodSync(path, 0o755);
});

function write(appId: string, changes: Record<string, unknown>, fake: unknown = []): void {
  folder.write(`catalog/${appId}.json`, rawApp(changes));
  folder.write(`catalog/standin/${appId}.json`, fake);
}

const hook = (scriptContent: string) => ({ hooks: [rawInstallHook(scriptContent, { id: "set-up" })] });
const SOUND = hook("export async function run(ctx) { await fetch(ctx.baseUrl); }");
const ANSWERS = [{ path: "/" }];

function start(...args: readonly string[]): SlipwayProcess {
  return startSlipway(["check", "--catalog", catalog(), ...args], { TMPDIR: temporary() });
}

/** The processes a process has started, and those they have. */
function listStarted(pid: number): readonly number[] {
  const path = `/proc/${pid}/task/${pid}/children`;
  const own = readFileSync(path, "utf8").split(" ").filter(Boolean).map(Number);
  return own.flatMap((child) => [child, ...listStarted(child)]);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** The check to its end, after which nothing of it is left. */
async function check(...args: readonly string[]) {
  const ended = await endOf(start(...args));
  expect(readdirSync(temporary())).toEqual([]);
  return { ...ended, stdout: ended.stdout.replaceAll(/\d+ ms/g, "N ms").replaceAll(folder.path, "") };
}

it("a fake that does not parse is one line at its place, and other apps are played", async () => {
  write("broken", SOUND, '[\n  { "path": "/" }\n');
  write("sound", SOUND, ANSWERS);
  const { exitCode, stdout } = await check();
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(
    /✗ broken 1\.0\.0: level 3 .*\n {4}level 4 \(hooks\): CLI_FILE_INVALID: .*\n {4}.*broken\.json:\d:/,
  );
  expect(stdout).toContain("✓ sound 1.0.0: level 4");
});

it("a hook that never ends costs its app the level's time, and is named", async () => {
  write("endless", hook("export async function run(ctx) { for (;;) await ctx.sleep(1_000); }"));
  write("sound", SOUND, ANSWERS);
  const { exitCode, stdout } = await check("--limit", "20");
  expect(exitCode).toBe(1);
  expect(stdout).toContain(
    'CHECK_TIME_UP: level 4 (hooks) did not end within 20 s: "set-up" was still running\n    /catalog/endless.json:1:1\n',
  );
  expect(stdout).toContain("✓ sound 1.0.0: level 4");
});

it("a script that ends its process is its app's failed hook", async () => {
  const kills = "export async function run() { const all = []; for (;;) all.push(new Uint8Array(5e7).fill(1)); }";
  write("killer", hook(kills));
  write("sound", SOUND, ANSWERS);
  const { exitCode, stdout } = await check();
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/✗ killer 1\.0\.0: level 3 .*\n.*CHECK_HOOK_FAILED: hook "set-up" is AWAITING_RETRY: \w+: /);
  expect(stdout).toContain("✓ sound 1.0.0: level 4");
});

it("10,000 apps are read one after the other", async () => {
  const text = JSON.stringify(rawScript());
  for (let app = 0; app < 10_000; app += 1) folder.write(`catalog/app-${app}.json`, text);
  folder.write("catalog/app-777.json", "{");
  const { exitCode, stdout, stderr } = await check("--level", "1");
  expect([exitCode, stderr]).toEqual([1, ""]);
  expect(stdout.split("\n").filter((line) => line.startsWith("✗"))).toEqual(["✗ app-777: level 0 (N ms)"]);
  expect(stdout).toContain("\n10000 apps, 9999 at level 1 or above\n");
});

it("a git checkout with changes is checked as it stands, and stays so", async () => {
  const git = (...args: readonly string[]) => execFileSync("git", ["-C", catalog(), ...args], { encoding: "utf8" });
  write("changed", {});
  write("conflict", {});
  git("init", "-q");
  git("add", ".");
  git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "first");
  write("changed", { app_values: { left: "$NONE(1)" } });
  write("added", {});
  folder.write(
    "catalog/conflict.json",
    '{\n<<<<<<< ours\n  "version": 6\n=======\n  "version": 5\n>>>>>>> theirs\n}\n',
  );
  const before = git("status", "--porcelain");
  const { exitCode, stdout } = await check();
  expect(exitCode).toBe(1);
  expect(stdout).toContain("✓ added 1.0.0: level 4");
  expect(stdout).toMatch(/✗ changed: level 0 .*\n.*MACRO_UNKNOWN: .*\n {4}\/catalog\/changed\.json:1:/);
  expect(stdout).toMatch(/✗ conflict: level 0 .*\n.*\n {4}\/catalog\/conflict\.json:2:1\n/);
  expect(stdout).toContain("3 apps, 1 at level 4 or above");
  expect(git("status", "--porcelain")).toBe(before);
});

it("Ctrl-C in the middle says how far it came, and leaves nothing", async () => {
  write("a-sound", SOUND, ANSWERS);
  write("b-endless", hook("export async function run(ctx) { for (;;) await ctx.sleep(1_000); }"));
  const child = start("--jobs", "1");
  const { pid } = child;
  if (pid === undefined) throw new Error("the check did not start");
  const end = endOf(child);
  await untilOutput(child, "✓ a-sound");
  await expect.poll(() => readdirSync(temporary()).length).toBeGreaterThan(1);
  const started = listStarted(pid);
  expect(started.filter(isAlive)).not.toEqual([]);
  child.kill("SIGINT");
  const { exitCode, stderr } = await end;
  expect([exitCode, stderr]).toEqual([
    2,
    expect.stringContaining("error CLI_INTERRUPTED: interrupted when 1 app was checked"),
  ]);
  expect(readdirSync(temporary())).toEqual([]);
  await expect.poll(() => started.filter(isAlive)).toEqual([]);
});

it("another app's script that is no file any more keeps nobody waiting", async () => {
  write("other", {});
  const neighbours = new CatalogNeighbours(catalog());
  expect(await neighbours.find("other")).toMatchObject({ appId: "other" });
  rmSync(join(catalog(), "other.json"));
  expect(await neighbours.find("other")).toBeNull();
  execFileSync("mkfifo", [join(catalog(), "other.json")]);
  expect(await neighbours.find("other")).toBeNull();
});
