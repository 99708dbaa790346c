// biome-ignore-all lint/suspicious/noTemplateCurlyInString: scripts under attack are texts with placeholders of their own
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fuzz } from "../../support/fuzz.ts";
import { SLOWNESS } from "../../support/slowness.ts";
import { type HostileCatalog, MARKER, openHostileCatalog, problemOf } from "./bundler-catalog.ts";

let catalog: HostileCatalog;
beforeAll(async () => {
  catalog = await openHostileCatalog();
  await catalog.write({ "app/a.ts": "export const a = 1;", "app/b.json": '{"b": 2}' });
});
afterAll(() => catalog.close());

/** Expressions esbuild takes for a pattern of files, or would; `^` stands before where the problem is. */
const PATTERNS = [
  '^import(`./../../secre${x}`, { with: { type: "text" } })',
  '^import("./../../secre" + x, { with: { type: "text" } })',
  "^import(`../../${x}.txt`)",
  '^import("../../../" + x + ".txt")',
  "^import(/* hidden */ `../../${x}.txt`)",
  "^import\n(`../../${x}.txt`)",
  "^import/**/(`../../${x}.txt`)",
  "^import(`./${x}.ts`)",
  "^import(x)",
  "^import((x, `../../${x}.txt`))",
  "^import(`../../${x}.txt` as string)",
  "(await ^import(`../../${x}.txt`)).default",
  "^require(`../../secre${x}`)",
  '^require("../../secre" + x)',
  "^\\u0072equire(`../../secre${x}`)",
  "^require?.(`../../secre${x}`)",
  "(^require as any)(`../../secre${x}`)",
  "^require.resolve(`../../secre${x}`)",
  '^require["resolve"](`../../secre${x}`)',
  "^require(x)",
  "^module.require(`../../secre${x}`)",
  '^module["require"](`../../secre${x}`)',
  "^module?.require?.(`../../secre${x}`)",
  "^new URL(`../../secre${x}`, import.meta.url)",
] as const;

describe("a script is refused for an import it computes, at its place", () => {
  test.each(PATTERNS)("%s", async (marked) => {
    const before = 'const ä = "ö😀"; const x = "t.txt"; export async function run() { return [ä, x, ';
    const expression = marked.replace("^", "");
    const start = before.length + marked.indexOf("^");
    const found = problemOf(await catalog.compile(`\n// here\n${before}${expression}]; }`));
    expect(found).toMatchObject({
      code: "SANDBOX_IMPORT_NOT_LITERAL",
      severity: "error",
      file: "app/hook.ts",
      line: 3,
      column: start + 1,
    });
    expect(JSON.stringify(found)).not.toContain(MARKER);
  });

  test("also in a .js file it imports, CommonJS included", async () => {
    await catalog.write({
      "app/c.js": "exports.c = module.require(`../../secre${exports.x}`);",
      "app/d.js": "with (module) exports.d = require(`../../secre${exports.x}`);",
      "app/e.js": "const m = module; exports.e = [m.require(`../../secre${exports.x}`), m];",
    });
    const importing = (name: string) =>
      catalog.compile(`import * as it from "./${name}.js"; export async function run() { return it; }`);
    expect(problemOf(await importing("c"))).toMatchObject({
      code: "SANDBOX_IMPORT_NOT_LITERAL",
      file: "app/c.js",
      line: 1,
      column: 13,
    });
    expect(problemOf(await importing("d"))).toMatchObject({ code: "SANDBOX_IMPORT_FORBIDDEN", file: "app/d.js" });
    expect(JSON.stringify(await importing("e"))).not.toContain(MARKER);
  });

  test("before anybody walks the disk for it", async () => {
    const since = performance.now();
    await catalog.compile("export const run = (x) => import(`./../../../../../../../../${x}.nothing`);");
    await catalog.compile("export const run = (x) => require(`./../../../../../../../../${x}.nothing`);");
    expect(performance.now() - since).toBeLessThan(5_000 * SLOWNESS);
  });
});

describe("a script is refused for an import", () => {
  test.each([
    ['import x from "../../secret.txt" with { type: "text" }; export const run = () => x;'],
    ['import x from "./a.ts" with { type: "text" }; export const run = () => x;'],
    ['import x from "./a.ts" with { type: "bytes" }; export const run = () => x;'],
    ['export const run = () => import("../../secret.txt", { with: { type: "text" } });'],
    ['export const run = () => import("./b.json", { with: { type: "file" } });'],
    ['const how = { with: { type: "text" } }; export const run = () => import("./a.ts", how);'],
    ['export const run = () => require("../../secret.txt");'],
    ['export const run = () => require.resolve("./a.ts");'],
    ['import a = require("./a.ts"); export const run = () => a;'],
    ['export const run = () => import("slipway:entry");'],
    ['export { a as run } from "catalog:app/a.ts";'],
    ['/** @jsxImportSource ../.. */ import "react/jsx-runtime"; export const run = () => 1;'],
  ])("%s", async (text) => {
    const result = await catalog.compile(text);
    expect(problemOf(result).code).toBe("SANDBOX_IMPORT_FORBIDDEN");
    expect(JSON.stringify(result)).not.toContain(MARKER);
  });
});

describe("a script compiles", () => {
  test.each([
    ['export const run = () => import("./a.ts");'],
    ["export const run = () => import(`./a.ts`);"],
    ['export const run = () => import("./b.json", { with: { type: "json" } });'],
    ['export const run = () => import("node:path");'],
    ['export const run = (require) => require("x" + 1);'],
    ['export const run = () => typeof require === "function" ? 1 : 2;'],
    ["export const run = () => ({ import: (x) => x, require: (x) => x }).require(`${1}`);"],
    ['export const run = () => "import(`${x}`) and require(x)";'],
    ["@((x, _) => x) class A {} export const run = () => [A, import('./a.ts')];"],
  ])("%s", async (text) => {
    expect(await catalog.compile(text)).toMatchObject({ ok: true });
  });
});

describe("whatever a script imports", () => {
  const part = fc.constantFrom(
    "../",
    "../../",
    "../../../",
    "secre",
    "secret.txt",
    "t.txt",
    "${x}",
    "a",
    ".ts",
    "/",
    "/etc/",
    "x",
    "*",
  );
  const template = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => `\`${parts.join("")}\``);
  const piece = fc.oneof(
    template,
    part.map((text) => JSON.stringify(text)),
    fc.constant("x"),
  );
  const sum = fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join(" + "));
  const word = fc.constantFrom(
    "import",
    "require",
    "require.resolve",
    "module.require",
    "(0, require)",
    "import.defer",
  );
  const option = fc.constantFrom("", ', { with: { type: "text" } }', ', { with: { type: "json" } }', ", x");
  const shape = fc.constantFrom("ts", "js");

  fuzz("the bundle holds nothing but files of the catalog, within the deadline", 40, () =>
    fc.asyncProperty(word, sum, option, shape, async (called, name, options, extension) => {
      const statement = `${called}(${name}${options})`;
      await catalog.write({ [`app/fuzzed.${extension}`]: `const x = "t.txt"; exports.it = () => ${statement};` });
      const since = performance.now();
      const result = await catalog.compile(
        `export { it as run } from "./fuzzed.${extension}"; // ${statement.replaceAll("\n", " ")}`,
      );
      expect(performance.now() - since).toBeLessThan(10_000 * SLOWNESS);
      expect(JSON.stringify(result)).not.toContain(MARKER);
      if (!result.ok) return;
      const { sources }: { sources: string[] } = JSON.parse(result.script.sourceMap);
      expect(sources.filter((each) => !/^(app\/|slipway:entry$)/.test(each))).toEqual([]);
    }),
  );
});
