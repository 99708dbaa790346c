import { execFileSync } from "node:child_process";
import { rm, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CompileResult } from "../../../sandbox/contract.ts";
import { readAuthorStack } from "../../../sandbox/run/author-stack.ts";
import { createMask } from "../../../src/core/report/mask.ts";
import { type HostileCatalog, MARKER, openHostileCatalog, problemOf } from "./bundler-catalog.ts";

let catalog: HostileCatalog;
let fifo: string;
beforeAll(async () => {
  catalog = await openHostileCatalog();
  fifo = join(catalog.root, "fifo");
  execFileSync("mkfifo", [fifo]);
});
afterAll(() => catalog.close());

/** Every way esbuild reads such a comment. */
const COMMENTS = [
  (url: string) => `//# sourceMappingURL=${url}`,
  (url: string) => `//@ sourceMappingURL=${url}`,
  (url: string) => `/*# sourceMappingURL=${url} */`,
  (url: string) => `/*@ sourceMappingURL=${url} */`,
];
/** `//# ...` where it is no comment, and as the text's very end. */
const SCRIPT = 'export const url = "//# sourceMappingURL=kept";\nexport function run() { return url; }';

function scriptOf(result: CompileResult) {
  if (!result.ok) throw new Error(result.problems[0]?.message);
  return result.script;
}

/** The compiled script names its own file, places in it, and nothing else. */
async function expectNoEffect(text: string, file = "app/hook.ts"): Promise<void> {
  const script = scriptOf(await catalog.compile(file === "app/hook.ts" ? text : undefined));
  const map: { sources: string[]; sourcesContent: string[] } = JSON.parse(script.sourceMap);
  expect(map.sources.filter((name) => name !== "slipway:entry")).toEqual([file]);
  expect(map.sourcesContent).toContain(text);
  expect(JSON.stringify(script)).not.toContain(MARKER);
  expect(script.code).toContain('"//# sourceMappingURL=kept"');
  const lines = script.code.split("\n");
  const line = lines.findIndex((each) => each.includes("return url"));
  const stack = readAuthorStack(
    `Error\n    at run (slipway:script:${line + 1}:${(lines[line] ?? "").indexOf("return") + 1})`,
    script,
    createMask([]),
  );
  expect(stack).toContain(`${file}:2:`);
}

describe("a script's own source map has no effect", () => {
  const fake = JSON.stringify({ version: 3, sources: ["FAKE.ts"], sourcesContent: ["FAKE"], mappings: "AAAA;AACA" });
  const targets: readonly (readonly [string, () => string])[] = [
    ["a map of its own", () => `data:application/json,${encodeURIComponent(fake)}`],
    ["a map in base64", () => `data:application/json;base64,${Buffer.from(fake).toString("base64")}`],
    ["what is not a map", () => "data:application/json,{"],
    ["a file outside of the catalog", () => catalog.outside.path],
    ["a URL of a file", () => `file://${catalog.outside.path}`],
    ["a relative path", () => catalog.outside.specifier],
    ["a FIFO", () => fifo],
    ["a device without an end", () => "/dev/zero"],
    ["what the process is", () => "/proc/self/environ"],
  ];

  test.each(targets)("where it names %s", async (_, target) => {
    for (const comment of COMMENTS) {
      await expectNoEffect(`${SCRIPT}\n${comment(target())}`);
      await expectNoEffect(`${SCRIPT} ${comment(target())}\n`);
    }
  });

  test("in a .js file", async () => {
    const text = `${SCRIPT}\n//# sourceMappingURL=${fifo}`;
    await catalog.write({ "app/hook.ts": 'export { run } from "./map.js";', "app/map.js": text });
    await expectNoEffect(text, "app/map.js");
  });

  test("in a JSON file", async () => {
    await catalog.write({ "app/map.json": `{"a": 1}\n//# sourceMappingURL=${catalog.outside.path}` });
    const result = await catalog.compile('import a from "./map.json"; export const run = () => a;');
    expect(problemOf(result)).toMatchObject({ code: "SANDBOX_SYNTAX", file: "app/map.json", line: 2 });
    await catalog.write({ "app/map.jsonc": `{"a": 1}\n//# sourceMappingURL=${fifo}` });
    expect(await catalog.compile('import a from "./map.jsonc"; export const run = () => a;')).toMatchObject({
      ok: true,
    });
  });

  test("on where a fault at the text's end is shown", async () => {
    const found = problemOf(await catalog.compile("export function run() {\n  return (1 +"));
    expect(found).toMatchObject({ code: "SANDBOX_SYNTAX", file: "app/hook.ts", line: 2, column: 14 });
  });
});

describe("a file of a script that is not a plain file", () => {
  const importing = 'import a from "./odd.ts"; export const run = () => a;';

  test.each([
    ["a FIFO", () => fifo],
    ["a device", () => "/dev/zero"],
    ["a file outside of the catalog", () => catalog.outside.path],
  ])("is refused where a link leads to %s", async (_, target) => {
    const odd = join(catalog.root, "app/odd.ts");
    await symlink(target(), odd);
    const found = problemOf(await catalog.compile(importing));
    expect(found.code).toMatch(/^SANDBOX_FILE_(MISSING|OUTSIDE)$/);
    await rm(odd);
  });

  test("is refused where it has become a FIFO since the script was compiled", async () => {
    const odd = join(catalog.root, "app/odd.ts");
    await writeFile(odd, "export default 1;");
    expect(await catalog.compile(importing)).toMatchObject({ ok: true });
    await rm(odd);
    execFileSync("mkfifo", [odd]);
    expect(problemOf(await catalog.compile()).code).toBe("SANDBOX_FILE_MISSING");
    await rm(odd);
  });

  test("is refused where it is larger than a script may be, without being read", async () => {
    await writeFile(join(catalog.root, "app/odd.ts"), "");
    await truncate(join(catalog.root, "app/odd.ts"), 20 * 2 ** 30);
    expect(problemOf(await catalog.compile(importing)).code).toBe("SANDBOX_SCRIPT_TOO_LARGE");
    await rm(join(catalog.root, "app/odd.ts"));
  });
});
