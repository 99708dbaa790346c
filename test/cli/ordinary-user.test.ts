/** The first day of somebody who is not root: what runs says with which isolation, what does not says why; no stack trace. */
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { DEMO_CATALOG } from "../support/engine/served-engine.ts";
import { createOrdinaryUser, IS_ROOT, type OrdinaryUser } from "../support/ordinary-user.ts";

const SLIPWAY = "src/cli/bin.ts";
const WARNING =
  /^warning: scripts run with the isolation this machine gives, without own user \(uid \d+, the engine's own\)/;
const REFUSED = "the sandbox is unavailable on this machine: own user (uid ";
/** A line of a stack trace. */
const STACK = /^\s+at .*:\d+:\d+\)?$/m;

let user: OrdinaryUser;
beforeAll(() => {
  user = createOrdinaryUser();
});
afterAll(() => {
  user.remove();
  rmSync(nameForeignFolder(), { recursive: true, force: true });
});

const standin = (db: string) => ["--catalog", DEMO_CATALOG, "--db", join(user.folder, db), "--standin-speed", "50"];

it("the demo runs, and says once with which isolation", async () => {
  const { exitCode, stdout, stderr } = await user.run("scripts/demo.ts", []);
  expect(stdout).toContain("the demo ended as expected");
  expect(stderr.trim().split("\n")).toEqual([expect.stringMatching(WARNING)]);
  expect(exitCode).toBe(0);
});

it("the demo says what the operating system refuses it, and where its temporary files go", async () => {
  const { exitCode, stderr } = await user.run("scripts/demo.ts", [], { TMPDIR: "/nonexistent" });
  expect(stderr.split("\n")).toEqual([
    expect.stringMatching(/^error CLI_SYSTEM_ERROR: ENOENT: .*, mkdtemp '\/nonexistent\//),
    expect.stringContaining("hint: "),
    "",
  ]);
  expect(exitCode).toBe(1);
});

it("an install on the stand-in runs, and says so too", async () => {
  const request = join(user.folder, "request.json");
  writeFileSync(request, JSON.stringify({ inputs: { "first-notebook": { notebook: "Logbook" } } }));
  const args = ["install", "demo-notes", "--yes", "--request", request, ...standin("a.db")];
  const { exitCode, stdout, stderr } = await user.run(SLIPWAY, args);
  expect(stderr.split("\n")).toContainEqual(expect.stringMatching(WARNING));
  expect(stderr).not.toMatch(STACK);
  expect(stdout).toContain("✓ Install Demo Notes: COMPLETED");
  expect(exitCode).toBe(0);
});

it("serve of the stand-in allows scripts, and says so once one is asked for", async () => {
  const args = ["serve", "--listen", "127.0.0.1:0", "--no-token", ...standin("served.db")];
  const server = user.start(SLIPWAY, args);
  const ended = once(server, "exit");
  try {
    let stderr = "";
    server.stderr?.on("data", (chunk: Buffer) => {
      stderr += chunk;
    });
    const [line] = await once(server.stdout ?? server, "data");
    const { url } = z.object({ url: z.string() }).parse(JSON.parse(String(line)));
    expect(await (await fetch(`${url}/api/health`)).json()).toMatchObject({ sandbox: { usable: true } });
    expect(stderr.split("\n").filter((each) => WARNING.test(each))).toHaveLength(1);
  } finally {
    server.kill("SIGTERM");
    await ended;
  }
});

describe("on a real host", () => {
  it("an install with a hook is refused at once, with what the machine lacks and the two ways out", async () => {
    const host = user.start(SLIPWAY, ["standin", "--dir", join(user.folder, "host"), "--catalog", DEMO_CATALOG]);
    const ended = once(host, "exit");
    try {
      const [line] = await once(host.stdout ?? host, "data");
      const { url, username, apiKey } = z
        .object({ url: z.string(), username: z.string(), apiKey: z.string() })
        .parse(JSON.parse(String(line)));
      writeFileSync(join(user.folder, "key"), apiKey);
      const locations = {
        ApplicationsPerformance: "/mnt/tank/ApplicationsPerformance",
        Documents: "/mnt/tank/Documents",
      };
      writeFileSync(join(user.folder, "locations.json"), JSON.stringify(locations));
      const args = ["install", "demo-notes", "--yes", "--catalog", DEMO_CATALOG, "--db", join(user.folder, "real.db")];
      const real = ["--host", url, "--insecure", "--host-user", username, "--api-key-file", join(user.folder, "key")];
      const ask = (...more: readonly string[]) =>
        user.run(SLIPWAY, [...args, ...real, "--locations", join(user.folder, "locations.json"), ...more]);
      const plain = await ask();
      expect(plain.stderr).toContain(`error SANDBOX_UNAVAILABLE: ${REFUSED}`);
      expect(plain.stderr).toMatch(/hint: run the engine as root with CAP_SYS_ADMIN, or allow .*--allow-weak-sandbox/);
      expect(plain.stderr).not.toMatch(STACK);
      expect(plain.exitCode).toBe(1);
      const asJson = await ask("--format", "json");
      expect(JSON.parse(asJson.stdout)).toMatchObject({
        error: { code: "SANDBOX_UNAVAILABLE", message: expect.stringContaining(REFUSED), hookIds: ["first-notebook"] },
      });
    } finally {
      host.kill("SIGTERM");
      await ended;
    }
  });
});

function nameForeignFolder(): string {
  return `${user.folder}-foreign`;
}

/** Where nothing of theirs can be written: root's folder, or one without the right to write. */
function makeForeignFolder(): string {
  const folder = nameForeignFolder();
  mkdirSync(folder, { mode: IS_ROOT ? 0o755 : 0o555, recursive: true });
  return folder;
}

describe("where nothing can be written every command says so with a code", () => {
  const there = (name: string) => join(makeForeignFolder(), name);
  const NO_TEMPORARY = { TMPDIR: "/nonexistent" };
  const HOOK = join(DEMO_CATALOG, "demo-media/configure-library.ts");
  it.each<{ readonly command: string; readonly args: () => readonly string[]; readonly env?: typeof NO_TEMPORARY }>([
    { command: "install", args: () => ["demo-notes", "--yes", "--catalog", DEMO_CATALOG, "--db", there("a.db")] },
    { command: "serve", args: () => ["--listen", "127.0.0.1:0", "--db", there("a.db")] },
    { command: "dev", args: () => ["--catalog", DEMO_CATALOG, "--listen", "127.0.0.1:0", "--db", there("a.db")] },
    { command: "tasks", args: () => ["--db", there("a.db")] },
    { command: "standin", args: () => ["--dir", there("host"), "--catalog", DEMO_CATALOG] },
    { command: "new", args: () => ["my-app", "--catalog", there("catalog"), "--name", "My App", "--port", "30123"] },
    { command: "backup", args: () => [there("copy.db"), "--db", join(user.folder, "a.db")] },
    { command: "check", args: () => ["demo-notes", "--catalog", DEMO_CATALOG], env: NO_TEMPORARY },
    { command: "health", args: () => [], env: NO_TEMPORARY },
    { command: "run-hook", args: () => [HOOK, "--entrypoint", "run"], env: NO_TEMPORARY },
  ])("$command", async ({ command, args, env }) => {
    const { exitCode, stdout, stderr } = await user.run(SLIPWAY, [command, ...args()], env);
    expect(stderr).not.toMatch(STACK);
    expect(exitCode).toBeGreaterThan(0);
    expect(stdout + stderr).toMatch(/\b[A-Z]+(?:_[A-Z]+)+: |✗ .*: /);
  });
});
