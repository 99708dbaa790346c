import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { realScripts } from "./real-catalog.ts";
import { on, rawHook, rawScript } from "./scripts.ts";

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
  const real = realScripts();
  for (const id of real?.ids ?? []) copyFileSync(join(real?.folder ?? "", `${id}.json`), join(folder, `${id}.json`));
}
