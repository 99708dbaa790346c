/**
 * `npm test`: everything that must hold, in the order in which a mistake is cheapest to see. Every step runs, also after
 * a failed one. The last line is `N passed, N failed, N skipped`: the tests, and each other step as one. The lines before it
 * name what has failed.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nameFailedTests, parseTestReport } from "./test-report.ts";

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

const STEPS: readonly (readonly [title: string, command: string, ...args: string[]])[] = [
  ["format and lint", "biome", "ci", "--error-on-warnings", "--colors=off", "."],
  ["types", "tsc"],
  ["types of the page", "tsc", "-p", "src/web"],
  ["types of its tests", "tsc", "-p", "test/web"],
  ["dead code", "knip"],
  ["lock file", "npm", "ci", "--dry-run", "--loglevel=error"],
  ["generated files", "node", "scripts/generate.ts", "--check"],
  ["audit of dependencies", "node", "scripts/audit.ts"],
  ["web-platform-tests", "node", "scripts/wpt.ts"],
];

/** In CI the random tests play one sample that can be repeated; elsewhere each run plays and prints another. */
const CI_SEEDS: Record<string, string> =
  process.env["CI"] === "true"
    ? Object.fromEntries(
        ["SEED", "SLIPWAY_SEED", "CHAOS_SEED", "HOST_FAULT_SEED", "FUZZ_SEED"].map((name) => [name, "20261121"]),
      )
    : {};

/** Exit code of a step that could not be made here. */
const SKIPPED = 77;

function run(
  command: string,
  args: readonly string[],
  env: Record<string, string> = {},
): "passed" | "failed" | "skipped" {
  const { status, error } = spawnSync(command, args, {
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...CI_SEEDS, ...process.env, ...(!process.stdout.isTTY && { NO_COLOR: "1" }), ...env },
  });
  if (error !== undefined) console.error(`${command}: ${error.message}`);
  return status === 0 ? "passed" : status === SKIPPED ? "skipped" : "failed";
}

/** Returns the names of the failed tests. */
function runTests(counts: Counts): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), "slipway-verify-"));
  const file = join(folder, "report.json");
  const frames = join(folder, "frames");
  mkdirSync(frames);
  console.log("\n== tests");
  const reporters = ["./scripts/frame-reporter.ts", "default", "json"].map((name) => `--reporter=${name}`);
  const ran = run("vitest", ["run", ...reporters, `--outputFile.json=${file}`], { SLIPWAY_FRAME_COUNTS: frames });
  try {
    const report = parseTestReport(readFileSync(file, "utf8"));
    counts.passed += report.numPassedTests;
    counts.failed += report.numFailedTests;
    counts.skipped += report.numPendingTests + report.numTodoTests;
    // A file that fails to load, or an error outside any test, fails the run without failing a test.
    if (ran !== "passed" && report.numFailedTests === 0) counts.failed += 1;
    return nameFailedTests(report, process.cwd());
  } catch (error) {
    counts.failed += 1;
    return [`the test run left no report: ${String(error)}`];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const counts: Counts = { passed: 0, failed: 0, skipped: 0 };
const failures: string[] = [];
for (const [title, command, ...args] of STEPS) {
  console.log(`\n== ${title}`);
  const outcome = run(command, args);
  counts[outcome] += 1;
  if (outcome === "failed") failures.push(title);
}
const failedTests = runTests(counts);
if (failures.length > 0) console.log(`\nfailed steps: ${failures.join(", ")}`);
if (failedTests.length > 0) console.log(`\nfailed tests:\n${failedTests.map((name) => `  ${name}`).join("\n")}`);
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exitCode = counts.failed === 0 ? 0 : 1;
