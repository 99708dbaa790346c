/** The check as JUnit XML: an app a suite, a level a case. Pure. */
import type { AppReport, LevelReport } from "../app-report.ts";
import type { Level } from "../levels/level.ts";
import { describeFinding } from "./finding-text.ts";
import type { CheckResult } from "./json.ts";
import { showMarkup } from "./markup.ts";

/** The document of `slipway check --format junit`. */
export function toJunit({ catalog, level, apps }: CheckResult, levels: readonly Level[]): string {
  const asked = levels.filter(({ number }) => number <= level);
  const suites = apps.map((app) => renderSuite(app, asked, catalog));
  const failures = apps.filter((app) => app.level < level).length;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="slipway check" tests="${apps.length * asked.length}" failures="${failures}" errors="0" time="${toSeconds(apps.flatMap((app) => app.levels))}">`,
    ...suites,
    "</testsuites>",
    "",
  ].join("\n");
}

function renderSuite(app: AppReport, levels: readonly Level[], catalog: string): string {
  const played = new Map(app.levels.map((one) => [one.level, one]));
  const failures = app.levels.filter(({ holds }) => !holds).length;
  const skipped = levels.length - app.levels.length;
  const name = showMarkup(app.appId);
  return [
    `  <testsuite name="${name}" tests="${levels.length}" failures="${failures}" errors="0" skipped="${skipped}" time="${toSeconds(app.levels)}">`,
    ...levels.map((level) => renderCase(level, played.get(level.number), app, catalog)),
    "  </testsuite>",
  ].join("\n");
}

function renderCase({ number, name }: Level, played: LevelReport | undefined, app: AppReport, catalog: string): string {
  const open = `    <testcase classname="${showMarkup(app.appId)}" name="level ${number} ${name}"`;
  if (played === undefined) return `${open}><skipped/></testcase>`;
  const timed = `${open} time="${toSeconds([played])}"`;
  if (played.holds) return `${timed}/>`;
  const lines = played.findings.map((finding) => describeFinding(finding, app, catalog));
  const [first = ""] = lines;
  const type = played.findings.find(({ severity }) => severity === "error")?.code ?? played.findings[0]?.code ?? "";
  const text = showMarkup(lines.join("\n"));
  return `${timed}><failure type="${type}" message="${showMarkup(first.replaceAll("\n", " "))}">${text}</failure></testcase>`;
}

function toSeconds(levels: readonly Pick<LevelReport, "ms">[]): string {
  return (levels.reduce((sum, { ms }) => sum + ms, 0) / 1000).toFixed(3);
}
