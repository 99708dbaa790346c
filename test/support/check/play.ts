/** Levels on scripts that stand in the test. */
import { join } from "node:path";
import { createAuthorCheck } from "../../../src/adapters/catalog/author-check.ts";
import type { AppReport } from "../../../src/check/app-report.ts";
import { checkApp } from "../../../src/check/check-app.ts";
import { LEVELS } from "../../../src/check/levels/levels.ts";
import { listApps, readApp } from "../../../src/check/read-apps.ts";
import { WITHIN_MS } from "../within.ts";

/** Plays one app of a catalog's folder up to a level. */
export async function playApp(catalog: string, appId: string, level: number, strict = false): Promise<AppReport> {
  const authorCheck = createAuthorCheck();
  try {
    const [listed] = await listApps(catalog, [appId]);
    if (listed === undefined) throw new Error(`no app "${appId}" in ${join(catalog)}`);
    return await checkApp(await readApp(listed, authorCheck), {
      levels: LEVELS.filter(({ number }) => number <= level),
      strict,
      limitMs: WITHIN_MS,
      seed: 1,
      signal: new AbortController().signal,
      now: () => performance.now(),
      playing: () => {},
    });
  } finally {
    await authorCheck.close();
  }
}

/** The codes an app's levels found, each as `LEVEL CODE path.of.it`. */
export function listFindings({ levels }: AppReport): readonly string[] {
  return levels.flatMap(({ level, findings }) =>
    findings.map(({ code, path }) => `${level} ${code} ${path.join(".")}`),
  );
}
