/** What a level let run, each as a bar from when it began to when it ended. Pure. */
import type { LevelReport } from "../app-report.ts";
import { showMarkup as show } from "./markup.ts";

/** Of the report's one sheet. */
export const TIMELINE_STYLE = `.time { display: grid; grid-template-columns: minmax(12rem, 2fr) 3fr; gap: .1rem .6rem; }
.time i { display: block; position: relative; height: .6rem; margin-top: .45rem; min-width: 2px; background: light-dark(#4a6fa5, #8ab4f8); }
.time i.low { background: light-dark(#b00020, #ff8a80); }`;

/** A level's runs on one scale; nothing where it let nothing run. */
export function renderTimeline({ level, name, runs }: LevelReport): string {
  if (runs.length === 0) return "";
  const from = Math.min(...runs.map((run) => run.from));
  const whole = Math.max(1, ...runs.map((run) => run.from + run.ms - from));
  const percent = (ms: number) => `${((100 * ms) / whole).toFixed(2)}%`;
  const rows = runs.map((run) => {
    const low = run.state === "COMPLETED" || run.state === "SKIPPED" ? "" : ' class="low"';
    const began = run.from - from;
    return `<span style="padding-inline-start:${run.depth}rem">${show(run.name)}: ${show(run.state)}</span>
<span title="${began} to ${began + run.ms} ms"><i${low} style="left:${percent(began)};width:${percent(run.ms)}"></i></span>`;
  });
  return `<h3>Runs of level ${level} ${show(name)}, ${whole} ms</h3>\n<div class="time">\n${rows.join("\n")}\n</div>\n`;
}
