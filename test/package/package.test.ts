import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { readPart } from "../../scripts/documents/document-part.ts";
import { codeBlock } from "../support/document.ts";
import { DEMO_CATALOG } from "../support/engine/served-engine.ts";
import { freePort } from "../support/host/loopback-server.ts";
import { describeHello } from "../support/host/own-engine.ts";
import { startChromium } from "../web/support/chromium.ts";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const COMPILERS = ["typescript5@npm:typescript@5.9", "typescript7@npm:typescript@7", "@types/node@24"];
/** What the README's example prints. */
const EMBEDDED = [
  "Install Demo Notes COMPLETED",
  "  COMPLETED Waiting for Demo Notes",
  '  COMPLETED Created the notebook "Logbook"',
];
const NOBODY = 65_534;
/** MB the idle `serve` may hold of its own: 58 to 62 are measured, its PSS is in docs/benchmarks.md. */
const IDLE_MB = 68;
const Loaded = z.object({ loaded: z.array(z.string()), is: z.tuple([z.string(), z.boolean()]) });

/** A folder of build tools that note that they were called, and fail. */
function trapCompilers(folder: string): string {
  const traps = join(folder, "traps");
  mkdirSync(traps);
  for (const tool of ["make", "cc", "c++", "gcc", "g++", "clang", "python", "python3", "cmake"]) {
    writeFileSync(join(traps, tool), `#!/bin/sh\necho ${tool} >> "${join(folder, "compiled")}"\nexit 1\n`, {
      mode: 0o755,
    });
  }
  return traps;
}

describe("the packed package in an empty folder", () => {
  const folder = mkdtempSync(join(tmpdir(), "slipway-package-"));

  beforeAll(async () => {
    const { stdout } = await run("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: ROOT });
    const file = stdout.trim().split("\n").at(-1) ?? "";
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "embedder", private: true, type: "module" }));
    // Nothing is set for npm, and whatever would compile fails the install.
    const env = { ...process.env, PATH: `${trapCompilers(folder)}${delimiter}${process.env["PATH"]}` };
    await run("npm", ["install", "--no-audit", "--no-fund", join(folder, file), ...COMPILERS], { cwd: folder, env });
    cpSync(DEMO_CATALOG, join(folder, "catalog"), { recursive: true });
    for (const [name, file] of [
      ["own-host", "minimal-host.ts"],
      ["own-host-open", "own-host.ts"],
    ] as const)
      writeFileSync(join(folder, file), codeBlock(readPart({ file: "docs/own-host.md", name })));
    mkdirSync(join(folder, "own-catalog"));
    writeFileSync(join(folder, "own-catalog/hello.json"), JSON.stringify(describeHello(await freePort())));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("is installed without npm settings, and without compiling anything", () => {
    expect(existsSync(join(folder, "compiled"))).toBe(false);
    for (const module of ["better-sqlite3", "isolated-vm"]) {
      expect(existsSync(join(folder, "node_modules", module, "build")), module).toBe(false);
    }
  });

  it("runs the README's embedding example, in at most 20 lines of code", async () => {
    const example = codeBlock(readPart({ file: "README.md", name: "embed" }));
    expect(example.split("\n").filter((line) => line.trim() !== "").length).toBeLessThanOrEqual(20);
    writeFileSync(join(folder, "embed.ts"), example);
    const { stdout } = await run(process.execPath, ["embed.ts"], { cwd: folder, timeout: 60_000 });
    expect(stdout.trim().split("\n")).toEqual(EMBEDDED);
  });

  it.skipIf(process.getuid?.() !== 0)(
    "runs that example as an ordinary user, who is told of the isolation",
    async () => {
      const own = join(folder, "nobody");
      cpSync(DEMO_CATALOG, join(own, "catalog"), { recursive: true });
      cpSync(join(folder, "embed.ts"), join(own, "embed.ts"));
      chmodSync(folder, 0o755);
      chownSync(own, NOBODY, NOBODY);
      const env = { PATH: process.env["PATH"], HOME: "/nonexistent", TMPDIR: own };
      const ids = { uid: NOBODY, gid: NOBODY };
      const { stdout, stderr } = await run(process.execPath, ["embed.ts"], { cwd: own, env, ...ids });
      expect(stdout.trim().split("\n")).toEqual(EMBEDDED);
      const warnings = stderr.split("\n").filter((line) => line.includes("scripts run with the isolation"));
      expect(warnings).toEqual([expect.stringContaining(`own user (uid ${NOBODY}, the engine's own)`)]);
    },
  );

  it("runs with the host of docs/own-host.md", async () => {
    const { stdout } = await run(process.execPath, ["own-host.ts"], { cwd: folder, timeout: 60_000 });
    expect(stdout.trim().split("\n")).toEqual(["Install Hello COMPLETED COMPLETED", "Uninstall hello COMPLETED"]);
  });

  it("loads without hono, the stand-in's host, esbuild, undici, ws, pino, OpenTelemetry's SDK and SQLite", async () => {
    const script = [
      'import { registerHooks } from "node:module";',
      "const loaded = [];",
      "registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });",
      'const { openEngine, machines } = await import("slipway");',
      "console.log(JSON.stringify({ loaded, is: [typeof openEngine, Object.keys(machines).length > 0] }));",
    ].join("\n");
    const { stdout } = await run(process.execPath, ["--input-type=module", "-e", script], { cwd: folder });
    const { loaded, is } = Loaded.parse(JSON.parse(stdout));
    expect(is).toEqual(["function", true]);
    expect(loaded.some((url) => url.includes("/xstate/"))).toBe(true);
    expect(
      loaded.filter((url) =>
        /\/node_modules\/(?:better-sqlite3|esbuild|pino|undici|ws|@inquirer|@opentelemetry)\//.test(url),
      ),
    ).toEqual([]);
    const chunks = loaded.filter((url) => url.includes("/slipway/dist/"));
    const texts = chunks.map((url) => readFileSync(new URL(url), "utf8")).join("\n");
    expect(texts).toContain("// node_modules/zod/");
    expect(texts).not.toMatch(/^\/\/ (?:node_modules\/@?hono\/|src\/standin\/standin\.ts)/m);
  });

  it.each([
    ["tsconfig.json", "typescript5"],
    ["tsconfig.json", "typescript7"],
    ["tsconfig.elements.json", "typescript5"],
    ["tsconfig.elements.json", "typescript7"],
  ])(
    "has types that hold under strict, exactOptionalPropertyTypes and no skipLibCheck (%s of %s), xstate's own aside",
    async (project, compiler) => {
      cpSync(join(ROOT, "test/fixtures/package"), folder, { recursive: true });
      const tsc = join(folder, "node_modules", compiler, "bin", "tsc");
      const { stdout } = await run(process.execPath, [tsc, "-p", project, "--pretty", "false"], {
        cwd: folder,
      }).catch((error: { stdout: string }) => error);
      const faults = stdout.split("\n").filter((line) => /^\S.*error TS/.test(line));
      expect(faults.filter((line) => !line.startsWith("node_modules/xstate/"))).toEqual([]);
    },
    120_000,
  );

  it("knows the errors of a second copy of itself by their mark", async () => {
    cpSync(join(folder, "node_modules", "slipway"), join(folder, "second"), { recursive: true });
    const script = [
      'import { EngineError, isEngineError, isHostError } from "slipway";',
      'import * as second from "./second/dist/src/index.js";',
      'const task = new second.EngineError("TASK_CONFLICT", "at work", { taskId: "t1" });',
      'const host = new second.HostError({ code: "HOST_EXISTS", reason: "taken", fields: [], retryable: false }, "yes");',
      "console.log(JSON.stringify([second.EngineError !== EngineError, isEngineError(task), task instanceof EngineError, isHostError(task), isHostError(host), isEngineError(host), isEngineError(new Error())]));",
    ].join("\n");
    writeFileSync(join(folder, "two-copies.mjs"), script);
    const { stdout } = await run(process.execPath, ["two-copies.mjs"], { cwd: folder });
    expect(JSON.parse(stdout)).toEqual([true, true, true, false, true, true, false]);
  });

  it("serves a daemon bundled into one file that keeps it outside", async () => {
    writeFileSync(
      join(folder, "daemon.ts"),
      `import { openEngine } from "slipway";
       const { engine, close } = await openEngine({ host: { kind: "standin" }, db: "daemon.db", catalog: "catalog", production: false });
       console.log(engine.tasks().length);
       await close();`,
    );
    const outfile = join(folder, "daemon.mjs");
    await build({
      entryPoints: [join(folder, "daemon.ts")],
      ...{ outfile, bundle: true, platform: "node", format: "esm", external: ["slipway"] },
    });
    const { stdout } = await run(process.execPath, [outfile], { cwd: folder, timeout: 60_000 });
    expect(stdout).toBe("0\n");
  });

  it.each([
    ["the command", "dist/src/cli/bin.js", 2],
    ["its install", "scripts/preinstall.mjs", 1],
  ])("says by %s in one line which Node it needs, as engines does", async (_, program, code) => {
    const older = `data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"24.14.9"}})`;
    const file = join(folder, "node_modules", "slipway", program);
    await expect(run(process.execPath, ["--import", older, file])).rejects.toMatchObject({
      code,
      stdout: "",
      stderr: "slipway needs Node 24 (24.15.0 or newer) or 26, this is v24.14.9\n",
    });
  });

  it("carries its own programs built, and the licenses of what is bundled in", () => {
    const dist = join(folder, "node_modules", "slipway", "dist");
    for (const program of [
      "sandbox/child/child",
      "sandbox/compile/bundler/program",
      "src/adapters/script-io/sqlite-query-process",
    ]) {
      expect(existsSync(join(dist, `${program}.built.js`)), program).toBe(true);
    }
    const licenses = readFileSync(join(dist, "THIRD-PARTY-LICENSES.txt"), "utf8");
    for (const name of ["zod", "hono", "commander"]) expect(licenses).toContain(`${name}\n\n`);
  });

  it(`holds at most ${IDLE_MB} MB of its own while nothing is done`, async () => {
    const command = join(folder, "node_modules", "slipway", "dist", "src", "cli", "bin.js");
    const options = ["--listen", "127.0.0.1:0", "--no-token", "--db", "idle.db", "--allow-weak-sandbox"];
    const server = spawn(process.execPath, [command, "serve", ...options], {
      cwd: folder,
      stdio: ["ignore", "pipe", "ignore"],
    });
    const ended = once(server, "exit");
    try {
      const [line] = await once(server.stdout, "data");
      const { url } = z.object({ url: z.string() }).parse(JSON.parse(String(line)));
      // Answered once what the sandbox gives is known: nothing of the start is left to do then.
      await fetch(`${url}/api/health`);
      const page = await (await fetch(url)).text();
      expect(page).toContain('src="/assets/page.js"');
      expect((await fetch(`${url}/assets/page.js`)).status).toBe(200);
      const heldMb = () =>
        Number(/^RssAnon:\s+(\d+) kB/m.exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))?.[1]) / 1024;
      // what the start has left over is collected in a while of its own
      await expect.poll(heldMb).toBeLessThan(IDLE_MB);
    } finally {
      server.kill("SIGTERM");
      await ended;
    }
  });

  it("shows its page in a browser, from its own server and mounted in an embedder's", async () => {
    cpSync(join(ROOT, "test/fixtures/package/page-server.mjs"), join(folder, "page-server.mjs"));
    const [browser, serving] = await Promise.all([
      startChromium(),
      spawn(process.execPath, ["page-server.mjs"], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] }),
    ]);
    const ended = once(serving, "exit");
    try {
      const [line] = await Promise.race([once(serving.stdout, "data"), ended]);
      const { own, mounted } = z.object({ own: z.string(), mounted: z.string() }).parse(JSON.parse(String(line)));
      const context = await browser.newContext();
      for (const url of [own, mounted]) {
        const page = await context.newPage();
        const faults: string[] = [];
        page.on("pageerror", ({ message }) => faults.push(message));
        page.on("console", (message) => {
          if (message.type() === "error") faults.push(message.text());
        });
        await page.goto(url);
        await page.getByRole("heading", { level: 1 }).waitFor();
        await page.goto(`${url}${url.endsWith("/") ? "" : "/"}apps`);
        await page.getByText("Demo Notes").first().waitFor();
        expect(faults, url).toEqual([]);
      }
    } finally {
      serving.kill("SIGTERM");
      await Promise.all([browser.close(), ended]);
    }
  });

  it("finds what its commands copy, start and serve", async () => {
    const slipway = join(folder, "node_modules", "slipway", "dist", "src", "cli", "bin.js");
    const own = join(folder, "own");
    const ask = (...args: readonly string[]) => run(process.execPath, [slipway, ...args], { cwd: folder });
    await ask("new", "my-app", "--catalog", own, "--name", "My App", "--port", "30123", "--hook", "--widget");
    const types = ["hook-api.d.ts", "check-api.d.ts"].map((name) => readFileSync(join(own, ".slipway", name), "utf8"));
    expect(types).toEqual(
      ["sandbox/hook-api.d.ts", "src/check/scenarios/check-api.d.ts"].map((file) =>
        readFileSync(join(ROOT, file), "utf8"),
      ),
    );
    // a stand-in, the sandbox's child, the bundler and the check of the catalog's files
    const checked = await ask("check", "my-app", "--catalog", own, "--format", "json");
    expect(JSON.parse(checked.stdout)).toMatchObject({ apps: [{ appId: "my-app" }] });
    // the check of a copy
    await ask("backup", "copy.db", "--db", "slipway.db");
    expect(existsSync(join(folder, "copy.db"))).toBe(true);
  });

  it("shows a database on a page", async () => {
    const command = join(folder, "node_modules", "slipway", "dist", "src", "cli", "bin.js");
    const inspecting = spawn(process.execPath, [command, "inspect", "slipway.db", "--no-token"], {
      cwd: folder,
      stdio: ["ignore", "pipe", "ignore"],
    });
    const ended = once(inspecting, "exit");
    try {
      const [line] = await once(inspecting.stdout, "data");
      const { url } = z.object({ url: z.string() }).parse(JSON.parse(String(line)));
      expect(await (await fetch(url)).text()).toContain('src="/assets/page.js"');
      const tasks = await (await fetch(new URL("/api/tasks", url))).json();
      expect(tasks).toMatchObject({ tasks: [{ appId: "demo-notes", state: "COMPLETED", commands: [] }] });
    } finally {
      inspecting.kill("SIGTERM");
      await ended;
    }
  });

  it("has a command line", async () => {
    const command = join(folder, "node_modules", "slipway", "dist", "src", "cli", "bin.js");
    const { stdout } = await run(process.execPath, [command, "tasks", "--db", "slipway.db", "--format", "json"], {
      cwd: folder,
    });
    expect(JSON.parse(stdout)).toMatchObject({ tasks: [{ appId: "demo-notes", state: "COMPLETED" }] });
  });
});
