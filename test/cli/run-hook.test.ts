/** `slipway run-hook`: the author's workbench. */
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { main } from "../../src/cli/main.ts";
import type { Terminal } from "../../src/cli/ui/terminal.ts";
import { startApp } from "../sandbox/app-server.ts";
import { useTestFolder } from "../support/test-folder.ts";

const folder = useTestFolder();
const { write } = folder;

interface Ended {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function slipway(args: readonly string[], signal = new AbortController().signal): Promise<Ended> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const terminal: Terminal = { stdout, stderr, stdin: new PassThrough(), signal, exitCode: 0 };
  await main(["run-hook", ...args], terminal);
  const read = (stream: PassThrough) => String(stream.read() ?? "");
  return { exitCode: terminal.exitCode, stdout: read(stdout), stderr: read(stderr) };
}

async function runJson(script: string, ...args: readonly string[]) {
  const ended = await slipway([script, "--entrypoint", "run", "--format", "json", ...args]);
  return { exitCode: ended.exitCode, document: JSON.parse(ended.stdout), stderr: ended.stderr };
}

const TALK = `export async function run(ctx) {
  await ctx.registerCheckpoints([{ id: "a", message: "A" }, { id: "b", message: "B" }]);
  const response = await ctx.waitForApp("/health", { retries: 1 });
  ctx.log("answered", response.status);
  await ctx.emitCheckpoint("a", "Done");
  const saved = await fetch(ctx.baseUrl + "/save", { method: "POST", body: "x" });
  if (!saved.ok) ctx.fail("Not saved", [{ label: "status", value: saved.status }]);
  await ctx.skipCheckpoint("b");
  return { saved: await saved.json() };
}`;

test("a completed script: the document names outcome, checkpoints, log, result and usage", async () => {
  await using app = await startApp({ "GET /health": () => ({}), "POST /save": () => ({ body: [1] }) });
  const context = write("context.json", { baseUrl: app.url });
  const { exitCode, document } = await runJson(write("hook.ts", TALK), "--context", context);
  expect(exitCode).toBe(0);
  expect(document).toEqual({
    outcome: { status: "completed" },
    checkpoints: [
      { id: "a", message: "Done", state: "COMPLETED" },
      { id: "b", message: "B", state: "SKIPPED" },
    ],
    log: ["answered 200"],
    result: { saved: [1] },
    usage: { wallMs: expect.any(Number), cpuMs: expect.any(Number), peakMb: expect.any(Number), fetches: 2 },
  });
});

test("text mode prints checkpoints and log as they come, then result and usage", async () => {
  const answers = write("answers.json", [{ path: "/health" }, { method: "POST", path: "/save", body: { id: 4 } }]);
  const context = write("context.json", { baseUrl: "http://app.invalid:80/base" });
  const args = [write("hook.ts", TALK), "--entrypoint", "run", "--context", context, "--answers-http", answers];
  const { exitCode, stdout } = await slipway(args);
  expect(exitCode).toBe(0);
  expect(stdout.split("\n").slice(0, 5)).toEqual([
    "[REGISTERED] a: A",
    "[REGISTERED] b: B",
    "answered 200",
    "[COMPLETED] a: Done",
    "[SKIPPED] b: B",
  ]);
  expect(stdout).toMatch(/"id": 4[\s\S]*\ncompleted \(\d+ ms, CPU \d+ ms, [\d.]+ MB, 2 requests\)\n$/);
});

test("fail: exit 1, message, context and the author's line", async () => {
  const answers = write("answers.json", [{ path: "/health" }, { path: "/save", status: 507, body: "full" }]);
  const context = write("context.json", { baseUrl: "http://app.invalid" });
  const { exitCode, document } = await runJson(write("hook.ts", TALK), "--context", context, "--answers-http", answers);
  expect(exitCode).toBe(1);
  expect(document.outcome).toMatchObject({
    status: "failed",
    reason: "script_error",
    message: "Not saved",
    context: [{ label: "status", value: "507" }],
  });
  expect(document.outcome.stack).toContain("hook.ts:7:");
  expect(document).not.toHaveProperty("result");
});

test("without a context file the context is app, userAction, no inputs, no address", async () => {
  const code = "export const run = (ctx) => [ctx.resourceId, ctx.event, ctx.inputs, ctx.baseUrl];";
  const { document } = await runJson(write("hook.ts", code));
  expect(document.result).toEqual(["app", "userAction", {}, ""]);
});

describe("--widget SCRIPT.json#ID", () => {
  const declare = (code: string, more: Record<string, unknown> = {}) => {
    const scriptContent = `export async function query(ctx) { ${code} }`;
    const widget = { id: "now", title: "Now", scriptContent, entrypoint: "query", ...more };
    const script = { version: 6, script: { version: "1.0.0" }, requirements: {}, app_values: {} };
    return write("demo.json", { ...script, widgetsSchema: 2, widgets: [widget] });
  };
  async function runWidget(file: string, ...args: readonly string[]) {
    const ended = await slipway(["--widget", `${file}#now`, "--format", "json", ...args]);
    return { exitCode: ended.exitCode, document: JSON.parse(ended.stdout) };
  }
  const FIELDS = `{ fields: { name: { type: "text", text: ctx.appId } } }`;

  test("runs the declared widget and checks what it returns", async () => {
    const { exitCode, document } = await runWidget(declare(`return ${FIELDS};`));
    expect(exitCode).toBe(0);
    expect(document).toMatchObject({
      outcome: { status: "completed" },
      result: { fields: { name: { type: "text", text: "demo" } } },
      problems: [],
    });
  });

  test("names a field its sizes refer to and the result lacks", async () => {
    const sizes = { small: { slots: [{ type: "text", field: "other" }] } };
    const { exitCode, document } = await runWidget(declare(`return ${FIELDS};`, { sizes }));
    expect(exitCode).toBe(0);
    expect(document.problems).toMatchObject([{ code: "WIDGET_FIELD_MISSING", path: ["fields", "other"] }]);
  });

  test.each([
    ["neither fields nor needsSetup", "return 5;", []],
    ["a field that can't be shown", `return { fields: { a: { type: "gauge" } } };`, ["WIDGET_RESULT_INVALID"]],
  ])("fails for %s", async (_, code, problems) => {
    const { exitCode, document } = await runWidget(declare(code));
    expect(exitCode).toBe(1);
    expect(document.outcome).toMatchObject({ status: "failed", code: "WIDGET_RESULT_INVALID" });
    expect((document.problems ?? []).map((problem: { code: string }) => problem.code)).toEqual(problems);
  });

  test("lists 20 problems and a number, however many there are", async () => {
    const code = "return { fields: Object.fromEntries(Array.from({ length: 30000 }, (_, at) => ['f' + at, at])) };";
    const { document } = await runWidget(declare(code));
    expect(document.problems).toHaveLength(21);
    expect(document.problems.at(-1).message).toMatch(/^29980 more parts of the result /);
    expect(JSON.stringify(document.problems).length).toBeLessThan(10_000);
  });

  test("holds a widget to GET and HEAD", async () => {
    await using app = await startApp({ "GET /": () => ({ body: 1 }), "POST /": () => ({ body: 2 }) });
    const context = write("context.json", { baseUrl: app.url });
    const ask = (method: string) => declare(`await fetch("${app.url}/", { method: "${method}" }); return ${FIELDS};`);
    expect((await runWidget(ask("GET"), "--context", context)).exitCode).toBe(0);
    const { exitCode, document } = await runWidget(ask("POST"), "--context", context);
    expect(exitCode).toBe(1);
    expect(document.outcome.message).toContain("GET and HEAD");
  });

  test("ends it after its own timeout", async () => {
    const { document } = await runWidget(declare("await new Promise(() => {});", { timeout: 0.2 }));
    expect(document.outcome).toMatchObject({ status: "failed", reason: "timeout_wall" });
  });

  test("says what is wrong with the name, the script and the widget", async () => {
    const errorOf = async (...args: readonly string[]) => {
      const { exitCode, stderr } = await slipway(args);
      return [exitCode, stderr];
    };
    const file = declare("return 5;");
    expect(await errorOf("--widget", file)).toEqual([2, expect.stringContaining("does not name a widget")]);
    expect(await errorOf("--widget", `${file}#other`)).toEqual([2, expect.stringContaining('declared are "now"')]);
    expect(await errorOf("--widget", `${file}#now`, "--entrypoint", "run")).toEqual([2, expect.anything()]);
    expect(await errorOf("hook.ts")).toEqual([2, expect.stringContaining("--entrypoint")]);
    const broken = declare("return 5;", { refresh: "often" });
    expect(await errorOf("--widget", `${broken}#now`)).toEqual([1, expect.stringContaining("SCRIPT_FIELD_TYPE")]);
  });
});

describe("the table of HTTP answers", () => {
  const ask = (...paths: readonly string[]) => `export async function run(ctx) {
    const out = [];
    for (const path of ${JSON.stringify(paths)}) {
      const response = await fetch(path.startsWith("/") ? ctx.baseUrl + path : path);
      out.push([response.status, response.headers.get("content-type"), await response.text()]);
    }
    return out;
  }`;
  const run = (code: string, rows: unknown) =>
    runJson(
      write("hook.ts", code),
      "--context",
      write("context.json", { baseUrl: "http://app.invalid/sub" }),
      "--answers-http",
      write("answers.json", rows),
    );

  test("answers paths below baseUrl and whole URLs, texts and JSON, with status and headers", async () => {
    const rows = [
      { path: "/a", body: { x: 1 } },
      { path: "https://other.example/b?c=1", status: 404, headers: { "Content-Type": "text/x" }, body: "no" },
    ];
    const { document } = await run(ask("/a", "https://other.example/b?c=1"), rows);
    expect(document.result).toEqual([
      [200, "application/json", '{"x":1}'],
      [404, "text/x", "no"],
    ]);
  });

  test("a row with times gives way to the next that fits", async () => {
    const rows = [
      { path: "/a", status: 503, times: 2 },
      { path: "/a", body: "up" },
    ];
    const { document } = await run(ask("/a", "/a", "/a", "/a"), rows);
    expect(document.result.map(([status]: [number]) => status)).toEqual([503, 503, 200, 200]);
  });

  test("a request it has no answer for ends with an error that names it", async () => {
    const { exitCode, document } = await run(ask("/a", "/b?c=1"), [{ method: "GET", path: "/a" }]);
    expect(exitCode).toBe(1);
    expect(document.outcome.message).toContain("GET http://app.invalid/sub/b?c=1");
    expect(document.outcome.message).toContain("GET /a");
  });

  test("waitForApp gives up at once when nothing answers it", async () => {
    const { document } = await run('export const run = (ctx) => ctx.waitForApp("/up");', []);
    expect(document.outcome.message).toContain("GET http://app.invalid/sub/up");
    expect(document.usage.fetches).toBe(1);
  });

  test("a table of the wrong shape is refused before anything runs", async () => {
    const { exitCode, document } = await run(ask("/a"), [{ url: "/a" }]);
    expect(exitCode).not.toBe(0);
    expect(document.error.code).toBe("CLI_FILE_INVALID");
  });
});

describe("what a script reaches", () => {
  test("loopback is denied without a baseUrl that names it, and other ports of it with one", async () => {
    await using app = await startApp({ "GET /": () => ({ body: "here" }) });
    await using other = await startApp({ "GET /": () => ({ body: "there" }) });
    const script = write("hook.ts", "export const run = async (ctx) => (await fetch(ctx.inputs.url)).text();");
    const reach = (url: string, baseUrl: string) =>
      runJson(script, "--context", write("context.json", { baseUrl, inputs: { url } }));
    expect((await reach(app.url, "")).document.outcome.reason).toBe("policy_denied");
    expect((await reach(app.url, app.url)).document.result).toBe("here");
    expect((await reach(app.url, `http://localhost:${app.port}`)).document.result).toBe("here");
    expect((await reach(other.url, app.url)).document.outcome.reason).toBe("policy_denied");
  });

  test("installedApps of the context file answer getInstalledAppUrl and may be asked", async () => {
    await using app = await startApp({});
    await using other = await startApp({ "GET /": () => ({ body: "there" }) });
    const code = `export async function run(ctx) {
      return [await (await fetch(await ctx.getInstalledAppUrl("other"))).text(), await ctx.getInstalledAppUrl("none"), ctx.installedApps];
    }`;
    const context = write("context.json", { baseUrl: app.url, installedApps: { other: other.url } });
    const { document } = await runJson(write("hook.ts", code), "--context", context);
    expect(document.result).toEqual(["there", null, null]);
  });

  test("files of the context's mounts, and no others", async () => {
    write("token", "t0k");
    const code = `import { readFileSync } from "node:fs";
      export const run = (ctx) => [readFileSync(ctx.mounts[0].localPath + "/token", "utf8"), readFileSync("/etc/hostname")];`;
    const mounts = [{ hostPath: "/mnt/x", containerPath: null, localPath: folder.path, location: folder.path }];
    const { document } = await runJson(write("hook.ts", code), "--context", write("context.json", { mounts }));
    expect(document.outcome).toMatchObject({ status: "failed", message: expect.stringContaining("/etc/hostname") });
  });
});

describe("ends", () => {
  test("a script that does not compile is exit 1 with code and place", async () => {
    const { exitCode, document } = await runJson(write("hook.ts", "export const run = (ctx) => {\n  const = 1;\n};"));
    expect(exitCode).toBe(1);
    const place = { code: "SANDBOX_SYNTAX", file: "hook.ts", line: 2, column: 9 };
    expect(document.outcome).toMatchObject({
      status: "failed",
      ...place,
      message: expect.not.stringContaining("hook.ts"),
    });
    expect(document.problems).toMatchObject([place]);
  });

  test("every import that is refused is told at its line and column, in JSON and in words", async () => {
    const script = write("hook.ts", 'import "node:child_process";\n  import "node:net";\nexport const run = () => 1;');
    const { document } = await runJson(script);
    const places = [
      { code: "SANDBOX_IMPORT_FORBIDDEN", file: "hook.ts", line: 1, column: 8 },
      { code: "SANDBOX_IMPORT_FORBIDDEN", file: "hook.ts", line: 2, column: 10 },
    ];
    expect(document.problems).toMatchObject(places);
    expect(document.outcome).toMatchObject({ status: "failed", ...places[0] });
    const { stderr } = await slipway([script, "--entrypoint", "run"]);
    expect(stderr).toMatch(/^failed SANDBOX_IMPORT_FORBIDDEN: hook\.ts:1:8: /);
    expect(stderr).toMatch(/^ {2}SANDBOX_IMPORT_FORBIDDEN: hook\.ts:2:10: /m);
  });

  test("a missing script and a script outside the catalog are exit 2", async () => {
    const gone = await runJson(join(folder.path, "gone.ts"));
    expect([gone.exitCode, gone.document.error.code]).toEqual([2, "CLI_FILE_UNREADABLE"]);
    const catalog = join(folder.path, "catalog");
    mkdirSync(catalog);
    symlinkSync(write("hook.ts", "export const run = () => 1;"), join(catalog, "link.ts"));
    const outside = await runJson(join(catalog, "link.ts"), "--catalog", catalog);
    expect([outside.exitCode, outside.document.error.code]).toEqual([2, "CLI_FILE_UNREADABLE"]);
  });

  test("imports reach the whole catalog with --catalog, the script's folder without", async () => {
    mkdirSync(join(folder.path, "hooks"));
    write("lib.ts", "export const answer: number = 42;");
    const script = write("hooks/hook.ts", 'import { answer } from "../lib.ts";\nexport const run = () => answer;');
    expect((await runJson(script, "--catalog", folder.path)).document.result).toBe(42);
    expect((await runJson(script)).document.outcome.code).toBe("SANDBOX_FILE_OUTSIDE");
  });

  test("a folder in place of the script, and a script in place of the catalog, are I/O errors", async () => {
    const script = write("hook.ts", "export const run = () => 1;");
    for (const [path, catalog, says] of [
      [folder.path, folder.path, "it is not a regular file"],
      [script, script, "it is not a directory"],
    ] as const) {
      const { exitCode, document } = await runJson(path, "--catalog", catalog);
      expect([exitCode, document.error]).toMatchObject([
        2,
        { code: "CLI_FILE_UNREADABLE", message: expect.stringContaining(says) },
      ]);
    }
  });

  test("--timeout ends a script that waits too long", async () => {
    const script = write("hook.ts", "export const run = (ctx) => ctx.sleep(60_000);");
    const { exitCode, document } = await runJson(script, "--timeout", "0.2");
    expect([exitCode, document.outcome.reason]).toEqual([1, "timeout_wall"]);
  });

  test("a checkpoint that waits for a person is skipped, since nobody is asked", async () => {
    const script = write("hook.ts", 'export const run = (ctx) => ctx.awaitCheckpointRetry("a", new Error("broken"));');
    const { document } = await runJson(script);
    expect(document).toMatchObject({ result: "skip", checkpoints: [{ id: "a", message: "a", state: "SKIPPED" }] });
  });

  test("an interrupt stops the script", async () => {
    const stop = new AbortController();
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    stdout.on("data", () => stop.abort());
    const terminal: Terminal = { stdout, stderr, stdin: new PassThrough(), signal: stop.signal, exitCode: 0 };
    const script = write("hook.ts", 'export const run = (ctx) => { ctx.log("started"); return ctx.sleep(60_000); };');
    await main(["run-hook", script, "--entrypoint", "run"], terminal);
    expect([terminal.exitCode, String(stderr.read())]).toEqual([1, expect.stringContaining("failed stopped")]);
  });

  test.each(["0", "-1", "x", "99999"])("a timeout of %s is a usage error", async (seconds) => {
    const { exitCode } = await slipway([write("hook.ts", ""), "--entrypoint", "run", "--timeout", seconds]);
    expect(exitCode).toBe(2);
  });
});
