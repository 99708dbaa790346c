/** Vitest's JSON report, as far as `npm test` reads it. */
import { relative } from "node:path";
import { z } from "zod";

const TestReport = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  testResults: z.array(
    z.object({
      /** Absolute path of the file. */
      name: z.string(),
      status: z.string(),
      /** Why the file failed outside of its tests. */
      message: z.string().default(""),
      assertionResults: z.array(
        z.object({ ancestorTitles: z.array(z.string()), title: z.string(), status: z.string() }),
      ),
    }),
  ),
});
export type TestReport = z.infer<typeof TestReport>;

/** Most failed tests that are named: CI keeps the end of the output alone. */
const NAMED = 30;

/** Reads a report. Throws if the text is none. */
export function parseTestReport(text: string): TestReport {
  return TestReport.parse(JSON.parse(text));
}

/** Names each failed test as `file > name`, and each file that failed outside of its tests with the reason; at most 30. */
export function nameFailedTests({ testResults }: TestReport, root: string): readonly string[] {
  const failed = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name);
    const tests = assertionResults.filter((test) => test.status === "failed");
    if (tests.length > 0) return tests.map(({ ancestorTitles, title }) => [file, ...ancestorTitles, title].join(" > "));
    return status === "failed" ? [`${file}: ${message.split("\n")[0] ?? ""}`] : [];
  });
  // A test may be run by more than one project.
  const names = [...new Set(failed)].toSorted();
  const rest = names.length - NAMED;
  return rest > 0 ? [...names.slice(0, NAMED), `and ${rest} more`] : names;
}
