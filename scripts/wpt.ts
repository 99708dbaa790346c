/**
 * `npm run test:wpt`: web-platform-tests in the real sandbox, against the expectations in `test/wpt/expectations.ts`.
 * Skipped with a message where apt-get cannot bring the suite; required when CI is true.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createSandbox } from "../sandbox/sandbox.ts";
import { AT_LEAST, EXPECTED_FAILURES, SKIPPED } from "../test/wpt/expectations.ts";
import { type PageResult, runPage, suiteFiles } from "../test/wpt/page.ts";
import { AREAS, type Area, selectPages, type TestPage } from "../test/wpt/select.ts";
import { fetchSuite } from "../test/wpt/suite.ts";

/** Pages at once: each is a process of its own. */
const CONCURRENCY = 2;

const root = fetchSuite();
if (root === null) {
  const required = process.env["CI"] === "true";
  console.log(`web-platform-tests ${required ? "are required in CI" : "skipped"}: apt-get could not bring them`);
  process.exitCode = required ? 1 : 0;
} else {
  const results = await runPages(root);
  const faults = [...checkFailures(results), ...checkAreas(results)];
  for (const fault of faults) console.log(fault);
  printTable(results);
  const passed = sum(results, ({ passed }) => passed.length);
  console.log(`${passed} subtests passed, ${faults.length} diagnostics`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}

async function runPages(root: string): Promise<readonly PageResult[]> {
  const testharness = readFileSync(join(root, "resources/testharness.js"), "utf8");
  const sandbox = createSandbox({ allowWeakSandbox: true, scriptIo: suiteFiles(root) });
  const pages: TestPage[] = selectPages(root, new Set(SKIPPED.keys()));
  const results: PageResult[] = [];
  const runNext = async () => {
    for (let page = pages.shift(); page !== undefined; page = pages.shift()) {
      results.push(await runPage(sandbox, page, testharness));
    }
  };
  try {
    await Promise.all(Array.from({ length: CONCURRENCY }, runNext));
  } finally {
    await sandbox.close();
  }
  return results;
}

/** Failures nobody expects, and expectations that no longer hold. */
function checkFailures(results: readonly PageResult[]): string[] {
  const found = new Map(EXPECTED_FAILURES.map((row) => [row, 0]));
  const diagnostics: string[] = [];
  for (const { page, failed, fault } of results) {
    if (fault !== undefined) diagnostics.push(`${page.name}: ${fault}`);
    for (const { name, message } of failed) {
      const row = EXPECTED_FAILURES.find((row) => isMeant(row.page, page.name) && row.subtests.test(name));
      if (row === undefined) diagnostics.push(`${page.name}: ${name}\n    ${message}`);
      else found.set(row, (found.get(row) ?? 0) + 1);
    }
  }
  for (const [{ page, subtests, count }, actual] of found) {
    if (actual !== count) diagnostics.push(`${page}: ${subtests} fails ${actual} times, not the ${count} expected`);
  }
  return diagnostics;
}

function isMeant(pattern: string, name: string): boolean {
  return pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}

function checkAreas(results: readonly PageResult[]): string[] {
  return listAreas().flatMap((area) => {
    const passed = sum(filterByArea(results, area), ({ passed }) => passed.length);
    return passed < AT_LEAST[area]
      ? [`${area}: ${passed} subtests pass, fewer than the ${AT_LEAST[area]} promised`]
      : [];
  });
}

function printTable(results: readonly PageResult[]): void {
  console.table(
    Object.fromEntries(
      listAreas().map((area) => {
        const mine = filterByArea(results, area);
        const passed = sum(mine, ({ passed }) => passed.length);
        const failed = sum(mine, ({ failed }) => failed.length);
        return [area, { passed, of: passed + failed, "at least": AT_LEAST[area] }];
      }),
    ),
  );
}

function listAreas(): Area[] {
  return Object.keys(AREAS).filter((name): name is Area => name in AREAS);
}

function filterByArea(results: readonly PageResult[], area: Area): PageResult[] {
  return results.filter(({ page }) => page.area === area);
}

function sum<T>(items: readonly T[], count: (item: T) => number): number {
  return items.reduce((total, item) => total + count(item), 0);
}
