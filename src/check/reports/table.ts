/** One line an app, its first failure and what was not reached below it. Pure. */
import { type AppReport, findFirstFailure } from "../app-report.ts";
import { describePlace } from "./finding-text.ts";
import type { CheckResult } from "./json.ts";

/** Rows of what was not reached that are shown of one app. */
const MISSED_SHOWN = 3;

/** An app that has ended; the catalog as it was named. */
export function renderApp(report: AppReport, { catalog, level }: Pick<CheckResult, "catalog" | "level">): string {
  const { appId, version, level: reached, levels } = report;
  const ms = levels.reduce((sum, played) => sum + played.ms, 0);
  const name = version === null ? appId : `${appId} ${version}`;
  const lines = [`${reached >= level ? "✓" : "✗"} ${name}: level ${reached} (${ms} ms)`];
  const failure = findFirstFailure(report);
  if (failure !== null) {
    const { finding } = failure;
    lines.push(
      `    level ${failure.level.level} (${failure.level.name}): ${finding.code}: ${finding.message}`,
      `    ${describePlace(finding, report, catalog)}`,
    );
    if (finding.hint !== undefined) lines.push(`    hint: ${finding.hint}`);
    const more = failure.level.findings.length - 1;
    if (more > 0) lines.push(`    ${more} more with --format json`);
  }
  return [...lines, ...renderMissed(report)].map(toOneLine).join("\n");
}

/** The line at the end. */
export function renderSummary({ apps, level }: CheckResult): string {
  const reached = apps.filter((app) => app.level >= level).length;
  return `${apps.length} ${apps.length === 1 ? "app" : "apps"}, ${reached} at level ${level} or above`;
}

function renderMissed({ coverage }: AppReport): readonly string[] {
  return coverage.flatMap(({ of, reached, all, missed }) => {
    if (missed.length === 0) return [];
    const shown = missed.slice(0, MISSED_SHOWN).map((what) => `      ${what}`);
    const rest = missed.length > MISSED_SHOWN ? [`      and ${missed.length - MISSED_SHOWN} more`] : [];
    return [`    ${of} reached: ${reached} of ${all}, not`, ...shown, ...rest];
  });
}

/** Of a name or of an author's words no line is made: it would pass for the check's own, and to a CI for a command. */
function toOneLine(text: string): string {
  return text.replaceAll(/\n+/g, " ");
}
