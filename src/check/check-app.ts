/** Plays one app, level by level, until one does not hold. */
import { explain } from "../core/codes/codes.ts";
import type { Problem } from "../core/codes/problems.ts";
import type { AppReport, LevelReport } from "./app-report.ts";
import type { Coverage } from "./coverage.ts";
import type { Level, LevelSetting, Played } from "./levels/level.ts";
import { PlayedRuns } from "./played-run.ts";
import type { Subject } from "./subject.ts";
import type { Worlds } from "./world/worlds.ts";

/** How apps are played. */
export interface CheckSetting {
  /** In order. */
  readonly levels: readonly Level[];
  /** Warnings break level 1 too. */
  readonly strict: boolean;
  /** Ms a level of one app may take. */
  readonly limitMs: number;
  readonly seed: number;
  readonly worlds: Pick<Worlds, "open">;
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
  for (const level of setting.levels) {
    setting.playing(level);
    const from = setting.now();
    const runs = new PlayedRuns();
    const played = await playLevel(level, app, setting, runs);
    coverage.push(...played.coverage);
    const holds = !played.findings.some(
      ({ severity }) => severity === "error" || (setting.strict && severity === "warning"),
    );
    const ms = Math.round(setting.now() - from);
    levels.push({ level: level.number, name: level.name, holds, findings: played.findings, runs: runs.list(), ms });
    if (!holds) break;
  }
  const level = levels.findLast(({ holds }) => holds)?.level ?? 0;
  return { appId: app.appId, file: app.file, version: app.dictionary?.script.version ?? null, level, levels, coverage };
}

async function playLevel(
  level: Level,
  app: Subject,
  { seed, signal, worlds: opened, limitMs }: CheckSetting,
  runs: PlayedRuns,
): Promise<Played> {
  const { dictionary } = app;
  // The one level that can be played without is the first, and it does not hold then.
  if (dictionary === null) return { findings: app.problems, coverage: [] };
  const worlds: LevelSetting["worlds"] = {
    open: (played, fake, options) => opened.open(played, fake, { ...options, runs }),
  };
  const late = AbortSignal.timeout(limitMs);
  let goingOn = "";
  const doing = (what: string): void => {
    goingOn = `: ${what}`;
  };
  try {
    return await level.play({ ...app, dictionary }, { seed, worlds, doing, signal: AbortSignal.any([signal, late]) });
  } catch (error) {
    signal.throwIfAborted();
    if (!late.aborted) throw error;
    return { findings: [createTimeUp(level, `${limitMs / 1000} s${goingOn}`)], coverage: [] };
  }
}

function createTimeUp({ number, name }: Level, within: string): Problem {
  const message = `level ${number} (${name}) did not end within ${within}`;
  const { hint } = explain("CHECK_TIME_UP");
  return { code: "CHECK_TIME_UP", severity: "error", message, path: [], line: 1, column: 1, length: 1, hint };
}
