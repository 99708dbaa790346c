import type { AppReport } from "../app-report.ts";
import type { Level } from "../levels/level.ts";

/** What was checked, and the level asked for. */
export interface CheckResult {
  readonly catalog: string;
  /** The level every app has to reach. */
  readonly level: number;
  readonly apps: readonly AppReport[];
}

/** The document of `slipway check --format json`. */
export function toCheckDocument({ catalog, level, apps }: CheckResult, levels: readonly Level[]) {
  const reached = apps.filter((app) => app.level >= level).length;
  return {
    catalog,
    level,
    levels: levels.map(({ number, name, holds }) => ({ number, name, holds })),
    apps,
    summary: { apps: apps.length, reached, failed: apps.length - reached },
  };
}
