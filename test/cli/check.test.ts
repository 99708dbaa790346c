/** `slipway check`: what it prints and how it ends. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { LEVELS } from "../../src/check/levels/levels.ts";
import { runCommand } from "../support/command-line.ts";
import { rawScript } from "../support/scripts/scripts.ts";
import { useTestFolder } from "../support/test-folder.ts";

const folder = useTestFolder();

const check = (...args: readonly string[]) => runCommand("check", "--catalog", folder.path, "--level", "2", ...args);

it("prints an app a line, its first failure with place and hint below it, and the number at the level", async () => {
  folder.write("good.json", rawScript());
  folder.write("bad.json", rawScript({ app_values: { v: "$NONE(1)" } }));
  const { exitCode, stdout } = await check("--jobs", "1");
  expect(exitCode).toBe(1);
  expect(
    stdout
      .replaceAll(/\d+ ms/g, "N ms")
      .replaceAll(folder.path, "CATALOG")
      .split("\n"),
  ).toEqual([
    "✗ bad: level 0 (N ms)",
    expect.stringMatching(/^ {4}level 1 \(reads\): MACRO_UNKNOWN: "\$NONE" is not a macro/),
    "    CATALOG/bad.json:1:142",
    expect.stringMatching(/^ {4}hint: /),
    "✓ good 1.0.0: level 2 (N ms)",
    "2 apps, 1 at level 2 or above",
    "",
  ]);
  expect(await check("good")).toMatchObject({ exitCode: 0 });
});

it("--format json prints one document, its apps in the order of their ids", async () => {
  folder.write("b.json", rawScript());
  folder.write("a.json", "{");
  const { exitCode, stdout } = await check("--format", "json");
  expect(exitCode).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    level: 2,
    levels: LEVELS.map(({ number, name, holds }) => ({ number, name, holds })),
    apps: [
      {
        appId: "a",
        file: "a.json",
        version: null,
        level: 0,
        levels: [{ holds: false, findings: [{ line: 1, column: 2 }] }],
      },
      {
        appId: "b",
        file: "b.json",
        version: "1.0.0",
        level: 2,
        levels: [{ holds: true }, { holds: true, findings: [] }],
      },
    ],
    summary: { apps: 2, reached: 1, failed: 1 },
  });
});

it.each([
  ["json", '{\n  "catalog": '],
  ["junit", "<?xml "],
  ["html", "<!doctype html>"],
  ["sarif", '{\n  "$schema": '],
])("--out writes the %s report to a file, and the table is shown", async (format, begins) => {
  folder.write("good.json", rawScript());
  const file = join(folder.path, "report");
  const { exitCode, stdout } = await check("--format", format, "--out", file);
  expect([exitCode, stdout]).toEqual([
    0,
    expect.stringMatching(/^✓ good 1\.0\.0: .*\n1 app, 1 at level 2 or above\n$/),
  ]);
  expect(readFileSync(file, "utf8").slice(0, begins.length)).toBe(begins);
  const printed = await check("--format", format);
  expect(printed.stdout.slice(0, begins.length)).toBe(begins);
});

it("a report nobody can write is told before an app is played", async () => {
  folder.write("good.json", rawScript());
  const { exitCode, stdout, stderr } = await check("--format", "junit", "--out", join(folder.path, "none", "report"));
  expect([exitCode, stdout, stderr]).toEqual([2, "", expect.stringContaining("error CLI_FILE_UNWRITABLE: ")]);
});

it("shows what steers a terminal instead of obeying it", async () => {
  folder.write("evil\u001b]0;x\u0007.json", rawScript());
  folder.write("forged\n✓ good 1.0.0: level 9 (1 ms)\n::stop-commands::x.json", rawScript());
  const { stdout } = await check();
  expect(stdout).toContain("␛]0;x␇");
  // a line of its own would be the check's, and to a CI a command
  expect(stdout).toContain("forged");
  expect(stdout).not.toMatch(/^(?:✓|::)/m);
  expect(stdout).not.toContain("\u001b");
});

it("a file that can't be read is its app's finding, and the others are checked", async () => {
  folder.write("good.json", rawScript());
  folder.write("folder.json/inside", "x");
  const { exitCode, stdout } = await check();
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/✗ folder: level 0 .*\n {4}level 1 \(reads\): CATALOG_FILE_UNREADABLE: .*it is a directory/);
  expect(stdout).toContain("✓ good 1.0.0: level 2");
});

it("what a project keeps beside its scripts is no app, and scenarios of no app are an error", async () => {
  folder.write("good.json", rawScript());
  for (const name of ["package", "package-lock", "tsconfig", "jsconfig"]) folder.write(`${name}.json`, {});
  folder.write("goood.check.json", { scenarios: [{ name: "plain" }] });
  folder.write("nobody.check.ts", "export default {};");
  const { exitCode, stdout } = await check();
  expect(exitCode).toBe(1);
  expect(stdout).toContain('CHECK_SCENARIO_INVALID: the catalog has no app "goood": nothing plays the scenarios of');
  expect(stdout).toContain("goood.check.json:1:1\n");
  expect(stdout).toContain("nobody.check.ts:1:1\n");
  expect(stdout).toContain("3 apps, 1 at level 2 or above");
  expect(await check("good")).toMatchObject({ exitCode: 0 });
});

it.each([
  [["none"], 'has no app "none"'],
  [["--level", "99"], "there are the levels 1 to "],
  [["--jobs", "0"], "a whole number from 1 on"],
  [["--out", "report"], "--out needs --format"],
])("refuses %j as the command's use", async (args, message) => {
  folder.write("good.json", rawScript());
  const { exitCode, stderr } = await check(...args);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)]);
});
