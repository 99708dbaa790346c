/** What `validate` says of a catalog directory beyond its scripts one by one. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Problem } from "../../src/core/codes/problems.ts";
import { runCommand } from "../support/command-line.ts";
import { rawScript } from "../support/scripts/scripts.ts";

let directory = "";
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "slipway-validate-catalog-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

function write(name: string, changes: Record<string, unknown> | string): string {
  const file = join(directory, name);
  writeFileSync(file, typeof changes === "string" ? changes : JSON.stringify(rawScript(changes), null, 2));
  return file;
}

/** The files and problems of a run, as `NAME: SEVERITY CODE LINE:COLUMN+LENGTH`. */
async function validated(...paths: string[]): Promise<{ exitCode: number; lines: string[]; files: string[] }> {
  const { stdout, exitCode } = await runCommand("validate", ...paths, "--format", "json");
  const { files }: { files: { file: string; problems: Problem[] }[] } = JSON.parse(stdout);
  const name = (file: string) => file.slice(directory.length + 1);
  const lines = files.flatMap(({ file, problems }) =>
    problems.map(({ severity, code, line, column, length }) => {
      return `${name(file)}: ${severity} ${code} ${line}:${column}+${length}`;
    }),
  );
  return { exitCode: exitCode ?? 0, lines, files: files.map(({ file }) => name(file)) };
}

it("a sound catalog.json is no script: it is in no list of a directory, and has no problem by its name", async () => {
  write("app.json", {});
  const index = write("catalog.json", '{"deprecated": ["old"], "title": "Ours"}');
  expect(await validated(directory)).toEqual({ exitCode: 0, lines: [], files: ["app.json"] });
  expect(await validated(index)).toEqual({ exitCode: 0, lines: [], files: ["catalog.json"] });
});

it.each([
  ['{"deprecated": "old"}', "catalog.json: error CATALOG_INDEX_INVALID 1:16+5"],
  ['{"deprecated": [\n  "old", 5]}', "catalog.json: error CATALOG_INDEX_INVALID 2:10+1"],
  ["[]", "catalog.json: error CATALOG_INDEX_INVALID 1:1+1"],
  ['{"deprecated": [}', "catalog.json: error CATALOG_INDEX_INVALID 1:17+1"],
])("the catalog.json %j is an error at its place", async (text, line) => {
  write("app.json", {});
  write("catalog.json", text);
  const { exitCode, lines, files } = await validated(directory);
  expect({ exitCode, files, first: lines[0] }).toEqual({
    exitCode: 1,
    files: ["app.json", "catalog.json"],
    first: line,
  });
});

it("two files of one app with one script.version are a warning at the second one's version", async () => {
  write("app.json", { script: { version: "1.0" } });
  write("app@1.json", { script: { version: "1.0.0" } });
  write("app@2.json", { script: { version: "2.0.0" } });
  write("other.json", { script: { version: "1.0.0" } });
  expect((await validated(directory)).lines).toEqual([
    "app.json: warning SCRIPT_VERSION_COERCED 4:16+5",
    "app@1.json: warning CATALOG_VERSION_REPEATED 4:16+7",
  ]);
  mkdirSync(join(directory, "second"));
  write("second/app.json", { script: { version: "2.0.0" } });
  expect((await validated(join(directory, "app@2.json"), join(directory, "second"))).lines).toEqual([]);
});

it("a relative icon that names no file of the catalog is an info, and none when the file is there", async () => {
  const metadata = { name: "App", description: "An app", icon: "icons/app.svg", version: "1.0.0" };
  const file = write("app.json", { custom: true, metadata, app_values: { image: { repository: "example/app" } } });
  const missing = await validated(file);
  expect(missing).toMatchObject({
    exitCode: 0,
    lines: [expect.stringMatching(/^app\.json: info SCRIPT_ICON_MISSING /)],
  });
  mkdirSync(join(directory, "icons"));
  write("icons/app.svg", "<svg/>");
  expect((await validated(file)).lines).toEqual([]);
});
