import { once } from "node:events";
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { createCompiler } from "../../../sandbox/compile/bundle.ts";
import type { BundlerProgram } from "../../../sandbox/compile/bundler/files.ts";
import { createSourceReader } from "../../../src/adapters/catalog/script-source.ts";
import { traces } from "../../sandbox/containment/containment-traces.ts";
import { SLOWNESS } from "../../support/slowness.ts";
import { type HostileCatalog, MARKER, openHostileCatalog, problemOf } from "./bundler-catalog.ts";

const ROOT = process.getuid?.() === 0;

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** A bundler that has been taken over: `onOrder` is what it does with the first script. */
async function openTakenOver(onOrder: string): Promise<HostileCatalog> {
  const catalog = await openHostileCatalog(await writeTakenOver(onOrder));
  cleanups.push(() => catalog.close());
  return catalog;
}

async function writeTakenOver(onOrder: string): Promise<BundlerProgram> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "slipway-taken-over-")));
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "bundler.cjs");
  await writeFile(
    path,
    `
const fs = require("node:fs");
const pipe = new (require("node:net").Socket)({ fd: 3, readable: true, writable: true });
const frame = (header, body = Buffer.alloc(0)) => {
  const head = Buffer.from(typeof header === "string" ? header : JSON.stringify(header));
  const prefix = Buffer.alloc(8);
  prefix.writeUInt32LE(4 + head.length + body.length, 0);
  prefix.writeUInt32LE(head.length, 4);
  return Buffer.concat([prefix, head, body]);
};
const send = (header, body) => pipe.write(frame(header, body));
const diagnose = (message) => ({ t: "faulty", diagnostics: [{ code: "SANDBOX_SYNTAX", message, module: null, line: 1, column: 0, length: 0 }] });
const built = { t: "built", codeBytes: 4, inputs: [], sources: [], names: [] };
let orders = 0;
pipe.on("data", async (chunk) => { if (orders++ === 0) { ${onOrder} } });
send({ t: "ready" });
setInterval(() => {}, 1000);
`,
    { mode: 0o444 },
  );
  return { path, flags: [] };
}

const SCRIPT = "export const run = () => 1;";

/** What the taken-over bundler found when it tried each of these, as data it tells by the message of a diagnostic. */
async function tryAll(tries: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  const catalog = await openTakenOver(`
    const found = {};
    ${Object.entries(tries)
      .map(
        ([name, code]) =>
          `try { found[${JSON.stringify(name)}] = String(await (async () => (${code}))()); } catch (error) { found[${JSON.stringify(name)}] = error.code ?? error.name; }`,
      )
      .join("\n")}
    send(diagnose(JSON.stringify(found)));`);
  return JSON.parse(problemOf(await catalog.compile(SCRIPT)).message);
}

describe("a bundler that has been taken over", () => {
  test("has an environment of the time zone alone", async () => {
    const { environment } = await tryAll({ environment: "JSON.stringify(process.env)" });
    expect(JSON.parse(environment ?? "")).toEqual({ TZ: "UTC" });
  });

  test.runIf(ROOT)("reads no file but its program, by esbuild or any other program", async () => {
    const victim = await openHostileCatalog();
    cleanups.push(() => victim.close());
    const run = (path: string, ...args: string[]) =>
      `require("node:child_process").execFileSync(${JSON.stringify(path)}, ${JSON.stringify(args)}).length`;
    const found = await tryAll({
      passwd: 'fs.readFileSync("/etc/passwd").length',
      environ: 'fs.readFileSync("/proc/" + process.ppid + "/environ").length',
      secret: `fs.readFileSync(${JSON.stringify(victim.outside.path)}).length`,
      shell: run("/bin/sh", "-c", "cat /etc/passwd"),
      // esbuild itself asks nobody for leave to read
      esbuild: `(() => { const it = require("node:child_process").spawnSync(process.argv[2], ["--bundle", "--loader:.txt=text", ${JSON.stringify(victim.outside.path)}]); return it.status + " " + it.stdout + it.stderr; })()`,
      esbuildRoot: `(() => { const it = require("node:child_process").spawnSync(process.argv[2], ["--bundle", "--loader:=text", "/etc/passwd"]); return it.status + " " + it.stdout + it.stderr; })()`,
    });
    expect(found["passwd"]).toBe("ERR_ACCESS_DENIED");
    expect(found["environ"]).toBe("ERR_ACCESS_DENIED");
    expect(found["secret"]).toBe("ERR_ACCESS_DENIED");
    expect(found["shell"]).toBe("ENOENT");
    expect(found["esbuild"]).toMatch(/^1 /);
    expect(found["esbuildRoot"]).toMatch(/^1 /);
    expect(JSON.stringify(found)).not.toContain(MARKER);
    expect(JSON.stringify(found)).not.toContain("root:");
  });

  test.runIf(ROOT)("reaches no network, writes no file, signals nobody", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    cleanups.push(async () => void server.close());
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    const found = await tryAll({
      loopback: `new Promise((resolve, reject) => require("node:net").connect(${port}, "127.0.0.1").on("connect", () => resolve("open")).on("error", reject))`,
      write: 'fs.writeFileSync("/tmp/slipway-probe", "x")',
      esbuildWrite: `(() => { const it = require("node:child_process").spawnSync(process.argv[2], ["--outfile=/tmp/slipway-probe"], { input: "1" }); return it.status + " " + it.stderr; })()`,
      signal: `process.kill(${process.pid}, 0)`,
      others: "process.kill(1, 0)",
    });
    expect(found["loopback"]).toMatch(/^E(NETUNREACH|ACCES|ADDRNOTAVAIL|CONNREFUSED)$/);
    expect(found["write"]).toBe("ERR_ACCESS_DENIED");
    expect(found["esbuildWrite"]).toMatch(/^1 /);
    expect(found["signal"]).toMatch(/^E(SRCH|PERM)$/);
    expect(found["others"]).toBe("EPERM");
  });

  test("gets no file that is not a script of the catalog", async () => {
    const catalog = await openTakenOver(`
      const answers = [];
      pipe.on("data", (chunk) => { answers.push(chunk.toString("latin1")); if (answers.join("").split('"t"').length > 6) send(diagnose(JSON.stringify(answers))); });
      const asks = ["../../secret.txt", "../../../../../../etc/passwd", "/etc/passwd", "./secret.txt", "./a\\0.ts"];
      asks.forEach((specifier, i) => send({ t: "ask", id: i + 1, specifier, from: "app/hook.ts" }));
      send({ t: "ask", id: 9, specifier: "./passwd.ts", from: "../../../../../etc/x" });`);
    await catalog.write({ "app/secret.txt": MARKER });
    const { message } = problemOf(await catalog.compile(SCRIPT));
    expect(message).not.toContain(MARKER);
    expect(message).not.toContain("root:");
    expect(
      message.match(/"t\\\\?":\\\\?"refused/g)?.length ?? message.split("refused").length - 1,
    ).toBeGreaterThanOrEqual(6);
  });

  test.each([
    ["writes garbage", "pipe.write(Buffer.alloc(4096, 7));"],
    [
      "announces a frame of 4 GB",
      "const b = Buffer.alloc(8); b.writeUInt32LE(0xffffffff, 0); b.writeUInt32LE(10, 4); pipe.write(b);",
    ],
    ["sends a header that is not JSON", "send('{');"],
    ["sends an unknown message", "send({ t: 'exec', command: 'id' });"],
    ["sends a member too many", "send({ ...built, code: 1 }, Buffer.from('var;'));"],
    ["says twice that it is ready", "send({ t: 'ready' });"],
    ["answers with a file nobody gave it", "send({ ...built, inputs: ['file:/etc/passwd'] }, Buffer.from('var;'));"],
    ["names a source nobody gave it", "send({ ...built, sources: ['../../../etc/passwd'] }, Buffer.from('var;'));"],
    ["answers with mappings that are none", "send(built, Buffer.from('var;{}'));"],
    ["announces more code than a bundle may have", "send({ ...built, codeBytes: 1e9 }, Buffer.from('var;'));"],
    [
      "gives a diagnostic a code of another kind",
      "const f = diagnose('x'); f.diagnostics[0].code = 'HOST_DOWN'; send(f);",
    ],
    [
      "gives more diagnostics than it may",
      "const f = diagnose('x'); f.diagnostics = Array(5000).fill(f.diagnostics[0]); send(f);",
    ],
    ["asks without end", "for (let id = 1; id < 20000; id++) send({ t: 'ask', id, specifier: './x', from: '' });"],
    [
      "asks with long names",
      "for (let id = 1; id < 2000; id++) send({ t: 'ask', id, specifier: 'x'.repeat(4000), from: '' });",
    ],
    ["ends", "process.exit(0);"],
    ["aborts", "process.abort();"],
    ["closes its pipe and lives on", "pipe.destroy();"],
    ["does not answer", ""],
  ])("fails with the script at hand where it %s", async (_, onOrder) => {
    const catalog = await openTakenOver(onOrder);
    const since = performance.now();
    const found = problemOf(await catalog.compile(SCRIPT));
    expect(found).toMatchObject({ code: "SANDBOX_NOT_BUNDLED", file: "app/hook.ts" });
    expect(performance.now() - since).toBeLessThan(12_000 * SLOWNESS);
  });

  test("is not asked again for a script it has failed with, until a file of it changes", async () => {
    const catalog = await openTakenOver("process.exit(0);");
    const first = await catalog.compile(SCRIPT);
    expect(await catalog.compile()).toBe(first);
    expect(await catalog.compile(`${SCRIPT}\n`)).not.toBe(first);
  });
});

describe("scripts of two apps", () => {
  async function openCompiler(onOrder: string) {
    const compiler = createCompiler({ program: await writeTakenOver(onOrder), allowWeak: true });
    cleanups.push(() => compiler.close());
    return (app: string, content: string) =>
      compiler.compile({ app, root: null, source: { kind: "inline", content }, entrypoint: "run", label: "x" });
  }

  test("are never bundled by one process, those of one app are", async () => {
    const compile = await openCompiler(
      'let count = 1; send(diagnose("1")); pipe.on("data", () => send(diagnose(String(++count))));',
    );
    const found: string[] = [];
    for (const app of ["a", "a", "b", "a"]) found.push(problemOf(await compile(app, SCRIPT)).message);
    expect(found).toEqual(["1", "2", "1", "3"]);
  });

  test("wait for no other app's scripts that take their whole deadline", async () => {
    const compile = await openCompiler('if (chunk.includes("good")) send(diagnose("answered"));');
    const order: string[] = [];
    const hanging = [1, 2].map((n) => compile("a", `hang${n}`).then(() => order.push("a")));
    expect(problemOf(await compile("b", "good")).message).toBe("answered");
    expect(order).toEqual([]);
    await hanging[0];
  });

  test("leave at most three processes", async () => {
    const before = traces().children.length;
    const compile = await openCompiler('send(diagnose("answered"));');
    for (const app of ["a", "b", "c", "d", "e"]) await compile(app, SCRIPT);
    await expect.poll(() => traces().children.length - before).toBeLessThanOrEqual(3);
  });
});

describe("a reader of TypeScript that has been taken over", () => {
  const facts = '{ kind: "read", exports: ["run"], open: false, getInputs: [], waits: [] }';
  test.each([
    ["answers with a bundle", "send({ ...built }, Buffer.from('var;'));"],
    [
      "tells of more exports than it may",
      `send({ t: "facts", facts: { ...${facts}, exports: Array(9000).fill("a") } });`,
    ],
    ["gives a place that is none", 'send({ t: "facts", facts: { kind: "faulty", message: "", place: {} } });'],
    [
      "gives a waiting time that is no number",
      `send({ t: "facts", facts: { ...${facts}, waits: [{ options: { timeout: "1" }, place: { line: 1, column: 1, length: 1 } }] } });`,
    ],
    [
      "asks for files",
      'send({ t: "ask", id: 1, specifier: "./secret.txt", from: "" }); pipe.once("data", (chunk) => send(diagnose(chunk.toString("latin1"))));',
    ],
    ["ends", "process.exit(0);"],
  ])("says nothing of the text where it %s", async (_, onOrder) => {
    const reader = createSourceReader(await writeTakenOver(onOrder));
    cleanups.push(reader.rest);
    const read = await reader.read(SCRIPT);
    expect(read).toMatchObject({ kind: "faulty", place: { line: 1, column: 1, length: 1 } });
    expect(await reader.read(SCRIPT)).toBe(read);
  });
});

describe("a script", () => {
  test("that needs too much memory fails alone", async () => {
    const catalog = await openHostileCatalog();
    cleanups.push(() => catalog.close());
    const doubled = Array.from({ length: 30 }, (_, i) => `A${i + 1} = A${i} + A${i}`).join(", ");
    const bomb = `enum E { A0 = "xxxxxxxxxxxxxxxx", ${doubled} } export const run = () => E.A30;`;
    const found = problemOf(await catalog.compile(bomb));
    expect(found.code).toMatch(/^SANDBOX_(NOT_BUNDLED|SCRIPT_TOO_LARGE)$/);
    expect(await catalog.compile(SCRIPT)).toMatchObject({ ok: true });
  });
});
