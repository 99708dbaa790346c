/** What authors get in their editor agrees with what scripts get at run time. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { createWorkbench, SCRIPTS } from "./workbench.ts";

const API = join(import.meta.dirname, "../../sandbox/hook-api.d.ts");
const folder = mkdtempSync(join(tmpdir(), "slipway-hook-api-"));
const bench = createWorkbench();
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await bench[Symbol.asyncDispose]();
});

function compile(...args: readonly string[]): string {
  const { stdout } = spawnSync("npx", ["--no-install", "tsc", "--pretty", "false", ...args], { encoding: "utf8" });
  return stdout;
}

const FLAGS = [
  "--ignoreConfig",
  "--module",
  "preserve",
  "--target",
  "esnext",
  "--lib",
  "esnext",
  "--types",
  "",
  "--strict",
  "--noEmit",
];

/** Compiles one script against the types, without the DOM library. */
function compileScript(code: string): string {
  const file = join(folder, "script.ts");
  writeFileSync(file, code);
  return compile(...FLAGS, API, file);
}

const HEAD = `import type { HookContext, WidgetContext, WidgetResult } from "slipway/hook-api";\n`;

test("the whole corpus compiles against hook-api.d.ts without the DOM library", () => {
  expect(compile("-p", SCRIPTS)).toBe("");
});

test("hook-api.d.ts itself has no type error", () => {
  expect(compile(...FLAGS, API)).toBe("");
});

test("a script without a mistake compiles", () => {
  const code = `export async function f(ctx: HookContext) { await ctx.sleep(1); return ctx.getInput<string>("a"); }`;
  expect(compileScript(HEAD + code)).toBe("");
});

describe("mistakes the types catch", () => {
  const ROWS = [
    [
      "an option of waitForApp that does not exist",
      `export const f = (ctx: HookContext) => ctx.waitForApp("/", { tries: 3 });`,
    ],
    [
      "a checkpoint without a message",
      `export const f = (ctx: HookContext) => ctx.registerCheckpoints([{ id: "a" }]);`,
    ],
    ["a hook's method in a widget", `export const f = (ctx: WidgetContext) => ctx.sleep(1);`],
    [
      "a field of an unknown type",
      `export const f = (): WidgetResult => ({ fields: { a: { type: "gauge", value: 1 } } });`,
    ],
    ["writing files", `import { writeFileSync } from "node:fs";\nexport const f = () => writeFileSync("/a", "b");`],
    ["a module that is not offered", `import { exec } from "node:child_process";\nexport const f = exec;`],
    ["the document of a browser", `export const f = () => document.title;`],
    ["require", `export const f = () => require("fs");`],
    ["details of fail that are not a list", `export const f = (ctx: HookContext) => ctx.fail("no", { status: 1 });`],
  ] as const;
  test.each(ROWS)("%s", (_title, code) => {
    expect(compileScript(HEAD + code)).toMatch(/script\.ts\(\d+,\d+\): error TS/);
  });
});

test("every global the types declare exists at run time", async () => {
  const text = readFileSync(API, "utf8");
  const names = [...text.matchAll(/^declare (?:class|function|const|var) (\w+)/gm)].map((match) => match[1] ?? "");
  expect(names.length).toBeGreaterThan(40);
  const missing = await bench.evaluate(`return ${JSON.stringify(names)}.filter((name) => !(name in globalThis));`);
  expect(missing).toEqual([]);
});

test("every member the types declare for the contexts exists at run time", async () => {
  const text = readFileSync(API, "utf8");
  const methods = (name: string) => {
    const body = new RegExp(`export interface ${name} \\{([\\s\\S]*?)\\n  \\}`).exec(text)?.[1] ?? "";
    return [...body.matchAll(/^ {4}(\w+)(?:<[^>]*>)?\(/gm)].map((match) => match[1] ?? "");
  };
  const hook = methods("HookContext");
  expect(hook).toHaveLength(12);
  expect(
    await bench.evaluate(`return ${JSON.stringify(hook)}.filter((name) => typeof ctx[name] !== "function");`),
  ).toEqual([]);
  const widget = methods("WidgetContext");
  expect(widget).toEqual(["log"]);
  expect(await bench.evaluate("return [typeof ctx.log, typeof ctx.sleep];", { kind: "widget" })).toEqual([
    "function",
    "undefined",
  ]);
});

test("every member the types declare for the offered modules exists at run time", async () => {
  const text = readFileSync(API, "utf8");
  const imports: string[] = [];
  for (const module of ["node:fs", "node:fs/promises", "node:crypto", "bun:sqlite", "node:buffer"]) {
    const body = new RegExp(`declare module "${module}" \\{([\\s\\S]*?)\\n\\}`).exec(text)?.[1] ?? "";
    for (const match of body.matchAll(/^ {2}export (?:function|class|const) (\w+)/gm))
      imports.push(`${match[1]} ${module}`);
  }
  expect(imports.length).toBeGreaterThan(15);
  const lines = [...new Set(imports)].map((each, index) => {
    const [name, module] = each.split(" ");
    return `import { ${name} as m${index} } from "${module}";`;
  });
  const values = lines.map((_, index) => `typeof m${index}`).join(", ");
  const { outcome } = await bench.run({ code: `${lines.join("\n")}\nexport const run = () => [${values}];` });
  expect(outcome.status === "completed" && outcome.result).not.toContain("undefined");
  expect(outcome.status).toBe("completed");
});
