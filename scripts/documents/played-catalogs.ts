/** Plays catalogs for the tables of docs/checking.md. */
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import type { AppReport } from "../../src/check/app-report.ts";
import { runCheck } from "../../src/check/run-check.ts";
import { copyWithoutMissing } from "./real-overlay.ts";

/** An app as it was played. */
export interface PlayedOfTable {
  readonly report: AppReport;
  /** Hooks and widgets it was played without. */
  readonly without: readonly string[];
}

/** Plays every app of a catalog up to a level. */
export async function playCatalog(catalog: string, level: number): Promise<readonly PlayedOfTable[]> {
  const reports = await runCheck(
    {
      catalog,
      apps: [],
      level,
      strict: false,
      jobs: availableParallelism(),
      limitMs: 20 * 60_000,
      seed: 1,
      signal: new AbortController().signal,
      now: () => performance.now(),
    },
    { begin: () => {}, playing: () => {}, ended: () => {} },
  );
  return reports.map((report) => ({ report, without: [] }));
}

/** Plays the real scripts, without what their folder lacks. */
export async function playRealScripts(folder: string, level: number): Promise<readonly PlayedOfTable[]> {
  const copy = mkdtempSync(join(tmpdir(), "slipway-real-"));
  try {
    const left = copyWithoutMissing(folder, copy);
    const played = await playCatalog(copy, level);
    return played.map(({ report }) => ({ report, without: left.get(report.appId) ?? [] }));
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
