/** What `npm test` prints besides vitest's own report. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { describeFrameCounts } from "../../scripts/frame-counts.ts";
import { nameFailedTests, parseTestReport } from "../../scripts/test-report.ts";

const VITEST = fileURLToPath(new URL("../../node_modules/vitest/vitest.mjs", import.meta.url));
const REPORTER = fileURLToPath(new URL("../../scripts/frame-reporter.ts", import.meta.url));

function createFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "slipway-verify-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs test files given as texts, with the reporters of `npm test`. */
function runTests(files: Readonly<Record<string, string>>, frames: string) {
  const folder = createFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const file = join(folder, "report.json");
  const reporters = [REPORTER, "default", "json"].map((name) => `--reporter=${name}`);
  const args = [VITEST, "run", "--root", folder, "--globals", ...reporters];
  const { stdout, stderr } = spawnSync(process.execPath, [...args, `--outputFile.json=${file}`], {
    encoding: "utf8",
    env: { PATH: process.env["PATH"], SLIPWAY_FRAME_COUNTS: frames, NO_COLOR: "1" },
  });
  return { folder, output: stdout + stderr, report: parseTestReport(readFileSync(file, "utf8")) };
}

test("every failed test is named by its file, and so is a file that could not be loaded", () => {
  const { folder, output, report } = runTests(
    {
      "a.test.js": `describe("outer", () => { test("is wrong", () => expect(1).toBe(2)); test("is right", () => {}); });`,
      "b.test.js": `throw new Error("not loaded\\nsecond line");`,
    },
    createFolder(),
  );
  expect(nameFailedTests(report, folder)).toEqual(["a.test.js > outer > is wrong", "b.test.js: not loaded"]);
  // Before the names of what has failed, which CI keeps.
  expect(output.indexOf("== frames held against")).toBeGreaterThan(-1);
  expect(output.indexOf("== frames held against")).toBeLessThan(output.indexOf("Failed Tests"));
});

test("of many failed tests 30 are named, each once", () => {
  const failed = (title: string) => ({ ancestorTitles: [], title, status: "failed" });
  const titles = Array.from({ length: 32 }, (_, index) => `test ${index + 10}`);
  const counts = { numPassedTests: 0, numFailedTests: 32, numPendingTests: 0, numTodoTests: 0 };
  const result = { name: "/x/a.test.ts", status: "failed", assertionResults: titles.map(failed) };
  const report = parseTestReport(JSON.stringify({ ...counts, testResults: [result, result] }));
  const named = nameFailedTests(report, "/x");
  expect(named).toHaveLength(31);
  expect([named[0], named.at(-1)]).toEqual(["a.test.ts > test 10", "and 2 more"]);
});

test("frames are counted in a line for each method and kind, with a column for each release", () => {
  const folder = createFolder();
  mkdirSync(folder, { recursive: true });
  const write = (name: string, counts: Record<string, number>) =>
    writeFileSync(join(folder, name), JSON.stringify(counts));
  const key = (...parts: readonly string[]) => JSON.stringify(parts);
  write("1.json", { [key("25.10", "requests", "app.query")]: 2, [key("25.10", "answers", "app.query")]: 1 });
  write("2.json", {
    [key("25.10", "requests", "app.query")]: 3,
    [key("26", "answers without a model", "core.ping")]: 4,
  });
  expect(
    describeFrameCounts(folder)
      .split("\n")
      .map((line) => line.split(/ {2,}/)),
  ).toEqual([
    ["method", "25.10", "26"],
    ["app.query", "6", "-"],
    ["core.ping", "-", "4?"],
    [""],
    ["answers", "1", "-"],
    ["answers without a model", "-", "4"],
    ["requests", "5", "-"],
    [expect.stringContaining("? the release has no model")],
  ]);
  expect(describeFrameCounts(createFolder())).toContain("no frame was checked");
});
