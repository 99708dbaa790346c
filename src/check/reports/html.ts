/** The check as one HTML file that needs nothing beside it and runs nothing. Pure. */
import type { AppReport, LevelReport } from "../app-report.ts";
import type { Coverage } from "../coverage.ts";
import type { Level } from "../levels/level.ts";
import { describePlace } from "./finding-text.ts";
import type { CheckResult } from "./json.ts";
import { showMarkup as show } from "./markup.ts";
import { renderSummary } from "./table.ts";
import { renderTimeline, TIMELINE_STYLE } from "./timeline.ts";

/** Nothing is loaded and no script runs, whatever an author wrote. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

const STYLE = `:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: start; padding: .3rem .6rem; border-bottom: 1px solid #8886; vertical-align: top; }
code { overflow-wrap: anywhere; white-space: pre-wrap; }
.low { color: light-dark(#b00020, #ff8a80); }
.bar { display: inline-block; height: .6rem; background: light-dark(#4a6fa5, #8ab4f8); }
.bar.low { background: light-dark(#b00020, #ff8a80); }
${TIMELINE_STYLE}`;

/** The document of `slipway check --format html`. */
export function toHtml(result: CheckResult, levels: readonly Level[]): string {
  const { apps, level } = result;
  const rows = apps.map(
    (app, at) => `<tr><td><a href="#app-${at}">${show(app.appId)}</a></td>${renderReached(app, level)}</tr>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width">
<title>${show(renderSummary(result))}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${show(renderSummary(result))}</h1>
<table><thead><tr><th>App</th><th>Version</th><th>Level</th></tr></thead><tbody>
${rows.join("\n")}
</tbody></table>
<h2>Levels</h2>
<ol>${levels.map(({ name, holds }) => `<li><b>${show(name)}</b>: ${show(holds)}</li>`).join("")}</ol>
${apps.map((app, at) => renderApp(app, at, result)).join("\n")}
</body>
</html>
`;
}

function renderReached({ version, level }: AppReport, asked: number): string {
  return `<td>${show(version ?? "")}</td><td${level < asked ? ' class="low"' : ""}>${level}</td>`;
}

function renderApp(app: AppReport, at: number, { catalog }: CheckResult): string {
  const longest = Math.max(1, ...app.levels.map(({ ms }) => ms));
  return `<section><h2 id="app-${at}">${show(app.appId)}</h2>
<table><thead><tr><th>Level</th><th>Time</th><th>Found</th></tr></thead><tbody>
${app.levels.map((level) => renderLevel(level, app, catalog, longest)).join("\n")}
</tbody></table>
${app.levels.map(renderTimeline).join("")}
${app.coverage.map(renderCoverage).join("\n")}</section>`;
}

function renderLevel(
  { level, name, holds, ms, findings }: LevelReport,
  app: AppReport,
  catalog: string,
  longest: number,
): string {
  const low = holds ? "" : " low";
  const width = ((10 * ms) / longest).toFixed(1);
  const found = findings.map((finding) => {
    const { code, message, hint } = finding;
    const advice = hint === undefined ? "" : `<br>${show(hint)}`;
    return `<li><code>${show(describePlace(finding, app, catalog))}</code><br><b>${code}</b>: ${show(message)}${advice}</li>`;
  });
  const list = found.length === 0 ? "" : `<ul>${found.join("")}</ul>`;
  return `<tr><td class="${low.trim()}">${level} ${show(name)}</td><td><span class="bar${low}" style="width:${width}rem"></span> ${ms} ms</td><td>${list}</td></tr>`;
}

function renderCoverage({ of, reached, all, missed }: Coverage): string {
  const list =
    missed.length === 0 ? "" : `<ul>${missed.map((what) => `<li><code>${show(what)}</code></li>`).join("")}</ul>`;
  return `<p>${of} reached: ${reached} of ${all}</p>${list}`;
}
