import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { createCompiler } from "../../sandbox/compile/bundle.ts";
import type { CompileResult } from "../../sandbox/contract.ts";
import type { Problem } from "../../src/core/codes/problems.ts";

let root: string;
const compiler = createCompiler({ allowWeak: true });
afterAll(() => compiler.close());

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "slipway-compile-")));
});

afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}

async function compileFile(files: Readonly<Record<string, string>>, entry = "app/hook.ts"): Promise<CompileResult> {
  await write(files);
  return compiler.compile({ app: "app", root, source: { kind: "file", path: entry }, entrypoint: "run", label: entry });
}

async function compileInline(content: string, at: string | null = null): Promise<CompileResult> {
  return compiler.compile({
    app: "app",
    root: at,
    source: { kind: "inline", content },
    entrypoint: "run",
    label: "app.json#hook",
  });
}

function problem(result: CompileResult): Problem {
  const [first] = result.ok ? [] : result.problems;
  if (first === undefined) throw new Error("the script compiled");
  return first;
}

function place({ code, file, line, column, length }: Problem) {
  return { code, file, line, column, length };
}

describe("a script compiles", () => {
  test("with relative .ts, .js, .json and .jsonc files, comments and trailing commas included", async () => {
    const result = await compileFile({
      "app/hook.ts": `
        import { a } from "../lib/a";
        import b from "./b.js";
        import c from "./c.json" with { type: "json" };
        import d from "./d.jsonc" with { type: "json" };
        export async function run() { return [a, b, c, d]; }`,
      "lib/a.ts": "export const a: number = 1;",
      "app/b.js": "export default 2;",
      "app/c.json": '{"c": 3}',
      "app/d.jsonc": '{ // four\n "d": 4, /* or */ }',
    });
    expect(result).toMatchObject({ ok: true });
  });

  test("with type imports that resolve nowhere", async () => {
    const result = await compileFile({
      "app/hook.ts":
        'import type { A } from "../../gone";\nimport { B } from "./_lib/gone";\nexport async function run(_: A, b?: B) { return b; }',
    });
    expect(result.ok).toBe(true);
  });

  test("with an import of .js that names a .ts file, and an arrow function as its entrypoint", async () => {
    const result = await compileFile({
      "app/hook.ts": 'import { a } from "./a.js"; export const run = async () => a;',
      "app/a.ts": "export const a = 1;",
    });
    expect(result.ok).toBe(true);
  });

  test("with an entrypoint it exports from another file", async () => {
    const result = await compileFile({
      "app/hook.ts": 'export * from "./a.ts";',
      "app/a.ts": "export async function run() {}",
    });
    expect(result.ok).toBe(true);
  });

  test.each(["node:buffer", "node:fs", "node:fs/promises", "node:path", "node:crypto", "bun:sqlite"])(
    "with %s",
    async (name) => {
      expect(
        await compileInline(`import * as x from "${name}"; export async function run() { return x; }`),
      ).toMatchObject({
        ok: true,
      });
    },
  );

  test("to a source map whose sources are relative to the catalog and hold their text", async () => {
    const text = "export async function run() { return 1; }";
    const result = await compileFile({ "app/hook.ts": text });
    if (!result.ok) throw new Error("it does not compile");
    const map: { sources: string[]; sourcesContent: string[] } = JSON.parse(result.script.sourceMap);
    expect(map.sources).toContain("app/hook.ts");
    expect(map.sourcesContent).toContain(text);
    expect(result.script.code + result.script.sourceMap).not.toContain(root);
  });

  test("to the same hash from the same files, and to another when an import has changed", async () => {
    const files = {
      "app/hook.ts": 'import { a } from "./a"; export async function run() { return a; }',
      "app/a.ts": "export const a = 1;",
    };
    const first = await compileFile(files);
    const second = await compileFile(files);
    const third = await compileFile({ ...files, "app/a.ts": "export const a = 2;" });
    if (!first.ok || !second.ok || !third.ok) throw new Error("it does not compile");
    expect(second.script).toBe(first.script);
    expect(third.script.sha256).not.toBe(first.script.sha256);
  });
});

describe("a script is refused", () => {
  test("for its syntax, at the place of the fault, in UTF-16 units", async () => {
    const found = problem(await compileFile({ "app/hook.ts": 'export async function run() {\n  "äöü😀" + ;\n}' }));
    expect(place(found)).toEqual({ code: "SANDBOX_SYNTAX", file: "app/hook.ts", line: 2, column: 13, length: 1 });
  });

  test("for its syntax in inline code, under its label", async () => {
    const found = problem(await compileInline("export async function run( {"));
    expect(found).toMatchObject({ code: "SANDBOX_SYNTAX", file: "app.json#hook", line: 1 });
  });

  test.each(["fs", "node:child_process", "axios", "https://x.test/a.js", "/etc/passwd", "file:///etc/passwd"])(
    "for importing %s, with what is allowed",
    async (name) => {
      const found = problem(
        await compileInline(`\nimport x from "${name}";\nexport async function run() { return x; }`, root),
      );
      expect(place(found)).toEqual({
        code: "SANDBOX_IMPORT_FORBIDDEN",
        file: "app.json#hook",
        line: 2,
        column: 15,
        length: name.length + 2,
      });
      expect(found.message).toContain(
        "allowed are relative .ts, .js, .json and .jsonc files of the catalog, node:buffer",
      );
    },
  );

  test("for require, also of what may be imported", async () => {
    const found = problem(await compileInline('export async function run() { return require("node:fs"); }'));
    expect(found.code).toBe("SANDBOX_IMPORT_FORBIDDEN");
  });

  test("for an import that names no file", async () => {
    const found = problem(
      await compileFile({ "app/hook.ts": 'import { a } from "./gone"; export async function run() { return a; }' }),
    );
    expect(place(found)).toMatchObject({ code: "SANDBOX_FILE_MISSING", file: "app/hook.ts", line: 1, column: 19 });
  });

  test("for a file that is not there", async () => {
    const found = problem(await compileFile({}, "app/gone.ts"));
    expect(found).toMatchObject({ code: "SANDBOX_FILE_MISSING", line: 1, column: 1 });
  });

  test("for an import out of the catalog", async () => {
    const found = problem(
      await compileFile({
        "app/hook.ts": 'import x from "../../../etc/hosts.json"; export async function run() { return x; }',
      }),
    );
    expect(found.code).toBe("SANDBOX_FILE_OUTSIDE");
  });

  test("for a symlink out of the catalog", async () => {
    await mkdir(join(root, "app"));
    await symlink("/etc/hostname", join(root, "app/a.json"));
    const found = problem(
      await compileFile({ "app/hook.ts": 'import x from "./a.json"; export async function run() { return x; }' }),
    );
    expect(found.code).toBe("SANDBOX_FILE_OUTSIDE");
  });

  test("for inline code that imports a file where there is no catalog", async () => {
    const found = problem(await compileInline('import x from "./a.ts"; export async function run() { return x; }'));
    expect(found.code).toBe("SANDBOX_FILE_MISSING");
  });

  test("for a file past 512 KB", async () => {
    const found = problem(
      await compileFile({
        "app/hook.ts": 'import x from "./a.ts"; export async function run() { return x; }',
        "app/a.ts": `export default "${"x".repeat(512 * 1024)}";`,
      }),
    );
    expect(found).toMatchObject({ code: "SANDBOX_SCRIPT_TOO_LARGE", file: "app/hook.ts", line: 1 });
  });

  test("for more than 64 files", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 65 }, (_, i) => [`app/f${i}.ts`, `export const f${i} = ${i};`]),
    );
    const imports = Array.from({ length: 65 }, (_, i) => `export * from "./f${i}.ts";`).join("\n");
    const found = problem(await compileFile({ ...files, "app/hook.ts": `${imports}\nexport async function run() {}` }));
    expect(found).toMatchObject({ code: "SANDBOX_SCRIPT_TOO_LARGE", file: "app/hook.ts" });
  });

  test("for more than 4 MB of text", async () => {
    const names = Array.from({ length: 9 }, (_, i) => `f${i}`);
    const text = `export const text = "${"x".repeat(500 * 1024)}";`;
    const importing = (some: readonly string[]) =>
      `${some.map((name) => `import "./${name}.ts";`).join("\n")}\nexport async function run() {}`;
    const files = Object.fromEntries(names.map((name) => [`app/${name}.ts`, text]));
    expect(await compileFile({ ...files, "app/hook.ts": importing(names.slice(1)) })).toMatchObject({ ok: true });
    const found = problem(await compileFile({ "app/hook.ts": importing(names) }));
    expect(found).toMatchObject({ code: "SANDBOX_SCRIPT_TOO_LARGE", file: "app/hook.ts" });
  });

  test("without its entrypoint, with what it exports instead", async () => {
    const found = problem(await compileInline("export async function start() {}\nexport const other = 1;"));
    expect(found).toMatchObject({ code: "SANDBOX_ENTRYPOINT_MISSING", file: "app.json#hook", line: 1, column: 1 });
    expect(found.message).toBe('"app.json#hook" has no export "run", its exports are "other", "start"');
  });

  test.each([
    ["no module at all", "function run() {}"],
    ["nothing", ""],
    ["an import alone", 'import "node:path";'],
  ])("without its entrypoint, where it is %s", async (_, text) => {
    const { code, message } = problem(await compileInline(text));
    expect(code).toBe("SANDBOX_ENTRYPOINT_MISSING");
    expect(message).toBe('"app.json#hook" has no export "run", it exports nothing');
  });

  test("for a fault in .jsonc, at its place", async () => {
    const found = problem(
      await compileFile({
        "app/hook.ts": 'import x from "./a.jsonc"; export async function run() { return x; }',
        "app/a.jsonc": '{\n  "a": nope\n}',
      }),
    );
    expect(place(found)).toMatchObject({ code: "SANDBOX_SYNTAX", file: "app/a.jsonc", line: 2, column: 8 });
  });

  test("where the catalog's folder is not there", async () => {
    const gone = join(root, "gone");
    const source = { kind: "file", path: "app/hook.ts" } as const;
    const found = problem(await compiler.compile({ app: "app", root: gone, source, entrypoint: "run", label: "x" }));
    expect(found).toMatchObject({ code: "SANDBOX_NOT_BUNDLED", file: "app/hook.ts", line: 1, column: 1 });
    expect(found.message).toContain("ENOENT");
  });

  test("alone where it kills the bundler, and without trying it again", async () => {
    const nest = `export const run = ${"[".repeat(250_000)}${"]".repeat(250_000)};`;
    const fine = "export async function run() {}";
    const [bad, beside] = await Promise.all([compileInline(nest), compileInline(fine)]);
    expect(problem(bad)).toMatchObject({ code: "SANDBOX_NOT_BUNDLED", file: "app.json#hook" });
    expect(beside.ok).toBe(true);
    expect(await compileInline(nest)).toBe(bad);
    expect((await compileInline(`${fine}\n`)).ok).toBe(true);
  });

  test("for an entrypoint that is no name", async () => {
    const source = { kind: "inline", content: "export async function run() {}" } as const;
    const result = await compiler.compile({
      app: "app",
      root: null,
      source,
      entrypoint: 'run } from "x"; //',
      label: "x",
    });
    expect(problem(result).code).toBe("SANDBOX_ENTRYPOINT_MISSING");
  });
});
