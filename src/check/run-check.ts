/** Plays the apps of a catalog, several at a time, and tells of each as it goes. */
import type { AppSchemas } from "../adapters/app-schemas/found-schema.ts";
import { createAuthorCheck } from "../adapters/catalog/file-check/author-check.ts";
import { openCommit } from "../adapters/catalog/git/committed-scripts.ts";
import type { AppReport } from "./app-report.ts";
import { readCommitted } from "./changes/earlier-scripts.ts";
import { type CheckSetting, checkApp } from "./check-app.ts";
import { LEVELS } from "./levels/levels.ts";
import { CatalogNeighbours } from "./neighbours.ts";
import { listApps, readApp } from "./read-apps.ts";
import { Worlds } from "./world/worlds.ts";

/** What is checked, and how far. */
export interface CheckOptions extends Pick<CheckSetting, "strict" | "limitMs" | "seed" | "signal" | "now"> {
  readonly catalog: string;
  /** Ids; none: every app. */
  readonly apps: readonly string[];
  /** The highest level that is played. */
  readonly level: number;
  /** Apps played at a time. */
  readonly jobs: number;
  /** Schemas of the host's catalog: the apps' values are held against them. */
  readonly schemas?: AppSchemas;
  /** Scripts as they were at this commit of the catalog's checkout are earlier versions too. */
  readonly from?: string;
}

/** Is told what the check does. */
export interface CheckView {
  /** Before the first app. */
  begin(apps: number): void;
  /** An app comes to a level. */
  playing(appId: string, level: number): void;
  ended(report: AppReport): void;
}

/**
 * Checks apps; the reports come in the order of their ids. Throws `CATALOG_UNREADABLE`, `CLI_USAGE` and as
 * `openCommit` does, and the signal's reason where it was stopped: nothing of it goes on then.
 */
export async function runCheck(options: CheckOptions, view: CheckView): Promise<readonly AppReport[]> {
  const { catalog, apps, level, jobs, from, signal, schemas } = options;
  const listed = await listApps(catalog, apps);
  const committed = from === undefined ? null : { scripts: await openCommit(catalog, from, signal), ref: from };
  view.begin(listed.length);
  const levels = LEVELS.filter(({ number }) => number <= level);
  const authorCheck = createAuthorCheck();
  const worlds = new Worlds();
  const neighbours = new CatalogNeighbours(catalog);
  const reports = new Map<string, AppReport>();
  const queue = listed.values();
  const playQueued = async (): Promise<void> => {
    for (const app of queue) {
      signal.throwIfAborted();
      const read = await readApp(app, authorCheck, schemas);
      const others = committed === null ? [] : await readCommitted(committed.scripts, committed.ref, app.appId);
      const subject = { ...read, earlier: [...read.earlier, ...others] };
      const playing = ({ number }: { readonly number: number }) => view.playing(app.appId, number);
      const report = await checkApp(subject, { ...options, levels, worlds, neighbours, playing });
      reports.set(app.appId, report);
      view.ended(report);
    }
  };
  try {
    const workers = await Promise.allSettled(Array.from({ length: Math.min(jobs, listed.length) }, playQueued));
    for (const worker of workers) if (worker.status === "rejected") throw worker.reason;
  } finally {
    await Promise.all([authorCheck.close(), worlds.close()]);
  }
  return listed.flatMap(({ appId }) => reports.get(appId) ?? []);
}
