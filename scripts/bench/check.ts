/**
 * Bench of `slipway check`: 20 apps with a hook and a widget at level 4, 1,000 real scripts at levels 1 and 2, and a save of one
 * of them while all are watched.
 *
 * `npm run bench:check [-- --quick]`: with `--quick` once instead of three times.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isScript } from "../../src/adapters/catalog/list-scripts.ts";
import { listAppFiles } from "../../src/cli/new-app/app-files.ts";
import { playCatalog } from "../documents/played-catalogs.ts";
import { copyWithoutMissing } from "../documents/real-overlay.ts";
import { createRow, measureMs, printTable } from "./measure.ts";
import { measureSaves } from "./watch-saves.ts";

const REAL = fileURLToPath(new URL("../../../shared/catalog", import.meta.url));
const DEMO = fileURLToPath(new URL("../demo/catalog", import.meta.url));
const ROUNDS = process.argv.includes("--quick") ? 1 : 3;
const APPS = 20;
const SCRIPTS = 1_000;
const SAVES = 9;

const folder = mkdtempSync(join(tmpdir(), "slipway-bench-check-"));
try {
  const apps = join(folder, "apps");
  const scripts = join(folder, "scripts");
  writeApps(apps);
  const name = writeScripts(scripts);
  const [script = ""] = readdirSync(scripts);
  const played = await measureRounds(apps, 4, APPS);
  const read = await measureRounds(scripts, 2, SCRIPTS);
  const saved = await measureSaves(scripts, script, SAVES);
  printTable(`Check, load ${loadavg()[0]?.toFixed(1)}`, [
    createRow(`${APPS} apps with a hook and a widget, level 4`, played, "s", { target: "<= 60 s" }),
    createRow(`${SCRIPTS} scripts (${name}), levels 1 and 2`, read, "s", { target: "<= 10 s" }),
    createRow("one of them saved, with --watch", saved, "ms", { target: "< 1,000 ms" }),
  ]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Seconds of each round; throws where an app is not at the level. */
async function measureRounds(catalog: string, level: number, expected: number): Promise<number[]> {
  const found: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    found.push((await measureMs(() => check(catalog, level, expected))) / 1000);
  return found;
}

async function check(catalog: string, level: number, expected: number): Promise<void> {
  const reports = (await playCatalog(catalog, level)).map(({ report }) => report);
  const failed = reports.find((report) => report.level < level);
  if (failed !== undefined)
    throw new Error(`"${failed.appId}" is at level ${failed.level}: ${JSON.stringify(failed.levels.at(-1))}`);
  if (reports.length !== expected) throw new Error(`${reports.length} apps were checked`);
}

/** Apps as `slipway new` writes them. */
function writeApps(catalog: string): void {
  for (let at = 0; at < APPS; at += 1) {
    const appId = `app-${at}`;
    const files = listAppFiles({
      appId,
      name: appId,
      port: 30_100 + at,
      locations: ["ApplicationsPerformance"],
      hook: true,
      widget: true,
    });
    for (const { path, text } of files) {
      mkdirSync(dirname(join(catalog, path)), { recursive: true });
      writeFileSync(join(catalog, path), text);
    }
  }
}

/** Each script under many ids; says which they are. */
function writeScripts(catalog: string): string {
  const whole = join(folder, "whole");
  for (const path of [catalog, whole]) mkdirSync(path);
  const isReal = existsSync(REAL);
  copyWithoutMissing(isReal ? REAL : DEMO, whole);
  // earlier versions and scenarios are of an app that would not be there under its id
  const names = readdirSync(whole).filter((name) => isScript(name) && !name.includes("@"));
  for (let at = 0; at < SCRIPTS; at += 1) {
    const name = names[at % names.length] ?? "";
    writeFileSync(join(catalog, name.replace(/\.json$/, `-${at}.json`)), readFileSync(join(whole, name)));
  }
  return isReal ? "copies of the 20 real ones" : "copies of the demo's";
}
