import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { parseScriptFile } from "../../src/adapters/catalog/catalog-script.ts";
import { createScriptCheck } from "../../src/adapters/catalog/file-check/script-check.ts";
import { createSourceReader } from "../../src/adapters/catalog/script-source.ts";
import { rawHook, rawScript } from "../support/scripts/scripts.ts";

const root = mkdtempSync(join(tmpdir(), "slipway-scripts-"));
afterAll(() => rmSync(root, { recursive: true }));
mkdirSync(join(root, "app"));
const reader = createSourceReader();
afterAll(reader.rest);
const check = createScriptCheck(root, reader.read);

/** `severity CODE file:line:column` of the problems of a script with one hook. */
async function problemsOf(hook: Record<string, unknown>, others: Record<string, unknown>[] = []): Promise<string[]> {
  const text = JSON.stringify(rawScript({ hooks: [rawHook(hook), ...others] }), null, 2);
  const { problems } = await parseScriptFile({ appId: "example", text }, check);
  return problems.map(({ severity, code, file, line, column }) => {
    return file === undefined ? `${severity} ${code}` : `${severity} ${code} ${file}:${line}:${column}`;
  });
}

const inline = (scriptContent: string, rest: Record<string, unknown> = {}) => problemsOf({ scriptContent, ...rest });

function file(name: string, text: string): Record<string, unknown> {
  writeFileSync(join(root, name), text);
  return { scriptContent: undefined, script: name };
}

describe("the entrypoint", () => {
  const exported: readonly [string, string][] = [
    ["export async function", "export async function run() {}"],
    ["export const arrow", "export const run = async () => {};"],
    ["an export list", "async function run() {}\nexport { run };"],
    ["a renamed export", 'const go = async () => {};\nexport { go as run, go as "other" };'],
    ["an export of another file", 'export { run } from "./lib.ts";'],
    ["perhaps one of export *", 'export * from "./lib.ts";'],
    [
      "TypeScript with types, generics and non-null assertions",
      "type T = { a?: number };\nexport async function run(x: T): Promise<void> { x.a! += 1; }",
    ],
    [
      "code with unused and unresolvable type imports",
      'import type { Hook } from "../_lib/hook.ts";\nexport const run = async (hook: Hook) => hook;',
    ],
  ];
  for (const [how, code] of exported) it(`is found as ${how}`, async () => expect(await inline(code)).toEqual([]));

  it("is found in code with decorators, using declarations and import attributes", async () => {
    const code = [
      'import table from "./table.json" with { type: "json" };',
      "function log(value: any, _context: any) { return value; }",
      "class Steps { @log first() {} }",
      "export async function run() { await using steps = { async [Symbol.asyncDispose]() {} }; return [table, Steps, steps]; }",
    ];
    expect(await inline(code.join("\n"))).toEqual([]);
  });

  it("of code nested too deeply to be read is a problem, not a crash", async () => {
    const code = `export const run = async () => ${"[".repeat(20_000)}${"]".repeat(20_000)};`;
    expect(await inline(code)).toEqual(["error SCRIPT_TYPESCRIPT_SYNTAX"]);
  });

  const missing: readonly [string, string][] = [
    ["not exported", "async function run() {}"],
    ["exported under another name", "async function run() {}\nexport { run as start };"],
    ["a type only", "export type run = () => void;"],
    ["a default export", "export default async function run() {}"],
  ];
  for (const [how, code] of missing) {
    it(`is missing when it is ${how}`, async () =>
      expect(await inline(code)).toEqual(["error SCRIPT_ENTRYPOINT_MISSING"]));
  }
});

describe("a script file", () => {
  it("has its syntax error at the author's line and column, in UTF-16 units", async () => {
    const hook = file("app/broken.ts", 'export async function run() {\n  const text: string = "ü😀" ) ;\n}\n');
    expect(await problemsOf(hook)).toEqual(["error SCRIPT_TYPESCRIPT_SYNTAX app/broken.ts:2:30"]);
  });

  it("has a syntax error at its end there", async () => {
    const hook = file("app/open.ts", "export async function run() {\n  return (1 +");
    expect(await problemsOf(hook)).toEqual(["error SCRIPT_TYPESCRIPT_SYNTAX app/open.ts:2:14"]);
  });

  it("may be named with ./ and lie below the root", async () => {
    file("app/fine.ts", "export const run = async () => {};");
    expect(await problemsOf({ scriptContent: undefined, script: "./app/fine.ts" })).toEqual([]);
  });

  it("that is a directory, or a link out of the catalog, is not there", async () => {
    mkdirSync(join(root, "folder.ts"));
    const outside = mkdtempSync(join(tmpdir(), "slipway-outside-"));
    writeFileSync(join(outside, "secret.ts"), "export const run = async () => {};");
    symlinkSync(join(outside, "secret.ts"), join(root, "link.ts"));
    for (const script of ["folder.ts", "link.ts", "none.ts"]) {
      expect(await problemsOf({ scriptContent: undefined, script })).toEqual(["error SCRIPT_FILE_MISSING"]);
    }
    rmSync(outside, { recursive: true });
  });

  it("that leaves the catalog is refused by its path alone", async () => {
    for (const script of ["../hook.ts", "/etc/hook.ts", "app/../../hook.ts", "app\\hook.ts"]) {
      expect(await problemsOf({ scriptContent: undefined, script })).toEqual(["error SCRIPT_FILE_OUTSIDE"]);
    }
  });

  it("is read again when it changed", async () => {
    const hook = file("app/changing.ts", "export const other = async () => {};");
    expect(await problemsOf(hook)).toEqual(["error SCRIPT_ENTRYPOINT_MISSING"]);
    file("app/changing.ts", "export const run = async () => {};");
    expect(await problemsOf(hook)).toEqual([]);
  });
});

describe("getInput", () => {
  const input = (id: string, key = id) => ({ type: "question", id, question: { question: "?", type: "text", key } });
  const asks = 'export async function run(ctx: any) { ctx.getInput<string>("token", { parse: String }); }';

  it("of a declared id, or one asked for by a required hook, is fine", async () => {
    expect(await inline(asks, { inputs: [input("token")] })).toEqual([]);
    const first = rawHook({ id: "first", inputs: [input("token")] });
    expect(await problemsOf({ scriptContent: asks, requiresHooks: ["first"] }, [first])).toEqual([]);
    const byKey = rawHook({ id: "first", inputs: [input("login", "token")] });
    expect(await problemsOf({ scriptContent: asks, requiresHooks: ["first"] }, [byKey])).toEqual([]);
  });

  it("of any other id is a warning at the literal", async () => {
    expect(await inline(asks)).toEqual(["warning SCRIPT_INPUT_UNDECLARED"]);
    expect(await inline(asks, { inputs: [input("login", "token")] })).toEqual(["warning SCRIPT_INPUT_UNDECLARED"]);
    const hook = file("app/asks.ts", `// asks\n${asks}`);
    expect(await problemsOf(hook)).toEqual([
      `warning SCRIPT_INPUT_UNDECLARED app/asks.ts:2:${asks.indexOf('"token"') + 1}`,
    ]);
  });

  it("is shown at its own place, whatever source map the text names", async () => {
    const map = JSON.stringify({ version: 3, sources: ["fake.ts"], mappings: "AA+gCA" });
    const url = `data:application/json,${encodeURIComponent(map)}`;
    for (const comment of [`//# sourceMappingURL=${url}`, `/*@ sourceMappingURL=${url} */`]) {
      expect(await problemsOf(file("app/mapped.ts", `${asks}\n${comment}`))).toEqual([
        `warning SCRIPT_INPUT_UNDECLARED app/mapped.ts:1:${asks.indexOf('"token"') + 1}`,
      ]);
    }
  });

  it("of a computed id is not judged", async () => {
    expect(await inline("export async function run(ctx: any, id: string) { ctx.getInput(id); }")).toEqual([]);
  });
});

describe("waitForApp", () => {
  const waits = (options: string) => `export async function run(ctx: any) { await ctx.waitForApp("/", ${options}); }`;

  it("without options, or within the hook's timeout, is fine", async () => {
    for (const options of ["{}", "{ retries: 10 }", "{ maxAttempts: 5, maxDelayMs: 1000 }", "{ retries: n }"]) {
      expect(await inline(`let n = 99;\n${waits(options)}`), options).toEqual([]);
    }
  });

  it("that may wait longer than the hook may run is a warning", async () => {
    for (const options of ["{ retries: 100 }", "{ maxAttempts: 100 }", "{ timeout: 400_000 }", "{ retries: 1e300 }"]) {
      expect(await inline(waits(options)), options).toEqual(["warning SCRIPT_WAIT_TOO_LONG"]);
    }
    expect(await inline(waits("{ retries: 100 }"), { timeout: 3600 })).toEqual([]);
  });
});

it("a hook dropped for its script takes those that require it with it, and no other", async () => {
  const hooks = [
    rawHook({ id: "a", scriptContent: undefined, script: "none.ts" }),
    rawHook({ id: "b", requiresHooks: ["a"] }),
    rawHook({ id: "c" }),
  ];
  const { dictionary } = await parseScriptFile({ appId: "example", text: JSON.stringify(rawScript({ hooks })) }, check);
  expect(dictionary?.hooks.map(({ id }) => id)).toEqual(["c"]);
});
