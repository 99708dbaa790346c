import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { on, rawHook, rawScript } from "./scripts.ts";

/** The folder of real install scripts beside the project, where it is there. */
export const REAL_CATALOG = new URL("../../../shared/catalog/", import.meta.url).pathname;

/** Id of the n-th generated app. */
export function generatedId(n: number): string {
  return `app-${String(n).padStart(5, "0")}`;
}

/** Raw JSON of the n-th generated app: three hooks, two of them pairings with its neighbours. */
export function generatedScript(n: number, apps: number): Record<string, unknown> {
  const neighbour = (step: number) => generatedId((n + step) % apps);
  return rawScript({
    hooks: [
      rawHook({ id: "link-next", conditions: [on(neighbour(1)), on(neighbour(1), "appRunning", "availability")] }),
      rawHook({ id: "link-many", conditions: [on(neighbour(2)), on(neighbour(3))] }),
      rawHook({ id: "refresh" }),
    ],
  });
}

/** Writes a catalog of `apps` generated install scripts, and the real ones among them where they are there. */
export function writeGeneratedCatalog(folder: string, apps: number): void {
  mkdirSync(folder, { recursive: true });
  for (let n = 0; n < apps; n++) {
    writeFileSync(join(folder, `${generatedId(n)}.json`), JSON.stringify(generatedScript(n, apps)));
  }
  if (!existsSync(REAL_CATALOG)) return;
  for (const file of readdirSync(REAL_CATALOG)) {
    if (file.endsWith(".json")) copyFileSync(join(REAL_CATALOG, file), join(folder, file));
  }
}
