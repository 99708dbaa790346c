/** Plays one app, level by level, until one does not hold. */
import type { Code } from "../core/codes/code.ts";
import { explain } from "../core/codes/codes.ts";
import type { Problem } from "../core/codes/problems.ts";
import type { AppReport, LevelReport } from "./app-report.ts";
import type { Coverage } from "./coverage.ts";
import { describeError } from "./findings.ts";
import type { Level, Played, PlayedWorlds } from "./levels/level.ts";
import { LineCount } from "./lines/line-count.ts";
import type { Neighbours } from "./neighbours.ts";
import { PlayedRuns } from "./played-run.ts";
import type { Subject } from "./subject.ts";
import type { WorldOptions } from "./world/worlds.ts";

/** How apps are played. */
export interface CheckSetting {
  /** In order. */
  readonly levels: readonly Level[];
  /** Warnings break level 1 too. */
  readonly strict: boolean;
  /** Ms a level of one app may take. */
  readonly limitMs: number;
  readonly seed: number;
  readonly worlds: PlayedWorlds;
  readonly neighbours: Neighbours;
  /** Stops the check. */
  readonly signal: AbortSignal;
  /** Monotonic ms. */
  now(): number;
  /** Told which level is played. */
  playing(level: Level): void;
}

/** Plays an app. Rejects with the signal's reason; whatever else a level throws is the app's finding. */
export async function checkApp(app: Subject, setting: CheckSetting): Promise<AppReport> {
  const levels: LevelReport[] = [];
  const coverage: Coverage[] = [];
  const lines = new LineCount();
  for (const level of setting.levels) {
    setting.playing(level);
    const from = setting.now();
    const runs = new PlayedRuns();
    const played = await playLevel(level, app, setting, {
      runs,
      ...(level.countsLines === true && { lines }),
    });
    coverage.push(...played.coverage);
    const holds = !played.findings.some(
      ({ severity }) => severity === "error" || (setting.strict && severity === "warning"),
    );
    const ms = Math.round(setting.now() - from);
    levels.push({ level: level.number, name: level.name, holds, findings: played.findings, runs: runs.list(), ms });
    if (!holds) break;
  }
  coverage.push(...[lines.coverage()].filter((counted) => counted !== null));
  const level = levels.findLast(({ holds }) => holds)?.level ?? 0;
  return { appId: app.appId, file: app.file, version: app.dictionary?.script.version ?? null, level, levels, coverage };
}

async function playLevel(
  level: Level,
  app: Subject,
  { seed, signal, worlds: opened, neighbours, limitMs }: CheckSetting,
  counted: Pick<WorldOptions, "runs" | "lines">,
): Promise<Played> {
  const { dictionary } = app;
  // The one level that can be played without is the first, and it does not hold then.
  if (dictionary === null) return { findings: app.problems, coverage: [] };
  const worlds: PlayedWorlds = {
    scenarios: opened.scenarios,
    open: (played, fake, options) => opened.open(played, fake, { ...options, ...counted }),
  };
  const late = AbortSignal.timeout(limitMs);
  let goingOn = "";
  const doing = (what: string): void => {
    goingOn = `: ${what}`;
  };
  try {
    const all = AbortSignal.any([signal, late]);
    return await level.play({ ...app, dictionary }, { seed, worlds, neighbours, doing, signal: all });
  } catch (error) {
    signal.throwIfAborted();
    const finding = late.aborted
      ? createFinding("CHECK_TIME_UP", level, `did not end within ${limitMs / 1000} s${goingOn}`)
      : createFinding("CHECK_NOT_PLAYED", level, `could not be played: ${describeError(error)}${goingOn}`);
    return { findings: [finding], coverage: [] };
  }
}

function createFinding(code: Code, { number, name }: Level, what: string): Problem {
  const message = `level ${number} (${name}) ${what}`;
  return { code, severity: "error", message, path: [], line: 1, column: 1, length: 1, hint: explain(code).hint };
}
