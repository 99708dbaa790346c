import type { Problem } from "../core/codes/problems.ts";
import type { Coverage } from "./coverage.ts";
import type { PlayedRun } from "./played-run.ts";

/** How far one app can be trusted. */
export interface AppReport {
  readonly appId: string;
  /** Its newest script, relative to the catalog. */
  readonly file: string;
  /** The script's own version; null where it is refused. */
  readonly version: string | null;
  /** The highest level of which it passes all; 0: none. */
  readonly level: number;
  /** The levels it was played on, in order; only the last one may not hold. */
  readonly levels: readonly LevelReport[];
  readonly coverage: readonly Coverage[];
}

/** One level of one app. */
export interface LevelReport {
  readonly level: number;
  readonly name: string;
  readonly holds: boolean;
  /** `file` is relative to the catalog, and the app's newest script where it is absent. */
  readonly findings: readonly Problem[];
  /** What it let run, in that order. */
  readonly runs: readonly PlayedRun[];
  readonly ms: number;
}

/** The first finding that breaks the level an app stopped at. */
export function findFirstFailure({
  levels,
}: AppReport): { readonly level: LevelReport; readonly finding: Problem } | null {
  const level = levels.at(-1);
  if (level === undefined || level.holds) return null;
  const finding = level.findings.find(({ severity }) => severity === "error") ?? level.findings[0];
  return finding === undefined ? null : { level, finding };
}
