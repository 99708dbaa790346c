/** Levels on scripts that stand in the test. */
import { afterAll } from "vitest";
import { createAuthorCheck } from "../../../src/adapters/catalog/file-check/author-check.ts";
import type { AppReport } from "../../../src/check/app-report.ts";
import { type CheckSetting, checkApp } from "../../../src/check/check-app.ts";
import type { Level, LevelSetting, Played } from "../../../src/check/levels/level.ts";
import { LEVELS } from "../../../src/check/levels/levels.ts";
import { CatalogNeighbours } from "../../../src/check/neighbours.ts";
import { listApps, readApp } from "../../../src/check/read-apps.ts";
import type { Subject } from "../../../src/check/subject.ts";
import { Worlds } from "../../../src/check/world/worlds.ts";

/** Shared by the tests of a file, as their sandbox and bundler take long to start. */
export const worlds = new Worlds();
const authorCheck = createAuthorCheck();
afterAll(async () => {
  await Promise.all([authorCheck.close(), worlds.close()]);
});

/** Reads one app of a catalog's folder. */
export async function readOne(catalog: string, appId: string): Promise<Subject> {
  const [listed] = await listApps(catalog, [appId]);
  if (listed === undefined) throw new Error(`no app "${appId}" in ${catalog}`);
  return await readApp(listed, authorCheck);
}

/** Plays one app of a catalog's folder up to a level. */
export async function playApp(
  catalog: string,
  appId: string,
  level: number,
  changes: Partial<Pick<CheckSetting, "strict" | "worlds">> = {},
): Promise<AppReport> {
  return await checkApp(await readOne(catalog, appId), {
    levels: LEVELS.filter(({ number }) => number <= level),
    strict: false,
    worlds,
    neighbours: new CatalogNeighbours(catalog),
    // a slow machine needs minutes for a level, and the test has a limit of its own
    limitMs: 600_000,
    seed: 1,
    signal: new AbortController().signal,
    now: () => performance.now(),
    playing: () => {},
    ...changes,
  });
}

/** The codes an app's levels found, each as `LEVEL CODE path.of.it`. */
export function listFindings({ levels }: AppReport): readonly string[] {
  return levels.flatMap(({ level, findings }) =>
    findings.map(({ code, path }) => `${level} ${code} ${path.join(".")}`),
  );
}

/** Plays an app on one level alone, whatever those below it say. */
export async function playLevel(
  level: Level,
  catalog: string,
  appId: string,
  changes: Partial<LevelSetting> = {},
): Promise<Played> {
  const { dictionary, ...subject } = await readOne(catalog, appId);
  if (dictionary === null) throw new Error(`"${appId}" is refused: ${JSON.stringify(subject.problems)}`);
  const neighbours = new CatalogNeighbours(catalog);
  const { signal } = new AbortController();
  const setting = { worlds, neighbours, seed: 1, signal, doing: () => {}, ...changes };
  return await level.play({ ...subject, dictionary }, setting);
}
