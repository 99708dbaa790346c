/**
 * Bench of the page in Chromium, before a real engine with 10,000 apps, 5,000 finished tasks and 40 that run: the time to the
 * first row of the tasks, the apps and a folder of 100,000 files, and how long its thread is held while 50 changes a second come.
 * `npm run bench -- page [--quick]`.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { createLocalFolders } from "../../src/adapters/local-folders.ts";
import { SILENT_LOGGER } from "../../src/engine/system/silent-logger.ts";
import { startHttpServer } from "../../src/http/server.ts";
import { createEngineWorld, createTestSandbox, settledTask } from "../../test/support/engine/engine-world.ts";
import { rawHook } from "../../test/support/scripts/scripts.ts";
import { startChromium } from "../../test/web/support/chromium.ts";
import { buildWeb } from "../build/web.ts";
import { keepEndedTasks } from "./ended-tasks.ts";
import { createRow, printTable } from "./measure.ts";

const QUICK = process.argv.includes("--quick");
const LOADS = QUICK ? 3 : 9;
const FINISHED = 5_000;
const RUNNING = 40;
const APPS = QUICK ? 1_000 : 10_000;
const FILES = QUICK ? 10_000 : 100_000;
/** A location of the host, as the engine's world has it. */
const FOLDER = "mnt/tank/media";
/** How long the thread is looked at, ms. */
const LOOK_MS = QUICK ? 3_000 : 10_000;
/** A task of the thread that is no longer than this is not told by the browser, ms. */
const LONG_TASK_MS = 50;

const files = mkdtempSync(join(tmpdir(), "slipway-bench-page-"));
const apps = Array.from({ length: RUNNING }, (_, number) => `app-${number}`);
const others = Array.from({ length: APPS - RUNNING }, (_, number) => `other-${number}`);
const hostFiles = mkdtempSync(join(tmpdir(), "slipway-bench-files-"));
const sandbox = createTestSandbox();
const world = await createEngineWorld({
  catalog: Object.fromEntries([...apps.map((app) => [app, makeBusyApp()]), ...others.map((app) => [app, {}])]),
  host: { localRoot: hostFiles },
  engine: { sandbox, folders: createLocalFolders() },
});
await buildWeb(files);
const server = await startHttpServer(world.engine, {
  address: "127.0.0.1",
  port: 0,
  logger: SILENT_LOGGER,
  pageFiles: files,
});
const browser = await startChromium();
try {
  for (const app of apps) await settledTask(world.engine, (await world.engine.install(app)).id);
  keepEndedTasks(world.store, FINISHED, "{}");
  for (const app of apps) await world.engine.runAction(app, "busy");
  const firstRows = await measureLoads("activity", "slip-activity-row");
  const firstApps = await measureLoads("apps", "slip-catalog .app");
  mkdirSync(join(hostFiles, FOLDER), { recursive: true });
  for (let file = 0; file < FILES; file += 1) writeFileSync(join(hostFiles, FOLDER, `film ${file}.mkv`), "");
  const firstFiles = await measureLoads(`files/${FOLDER}`, "slip-files-view .entries li");
  const page = await (await browser.newContext()).newPage();
  await measureFirstRow(page, "activity", "slip-activity-row");
  const from = world.store.lastSeq();
  const held = await measureHeld(page);
  const perSecond = ((world.store.lastSeq() - from) * 1_000) / LOOK_MS;
  printTable(`The page before ${FINISHED.toLocaleString("en")} finished tasks and ${RUNNING} under way`, [
    createRow("from the address to the first row of a task", firstRows, "ms", { target: "500 ms" }),
    createRow(`... of an app of ${APPS.toLocaleString("en")} in the catalog`, firstApps, "ms", { target: "500 ms" }),
    createRow(`... of a file of ${FILES.toLocaleString("en")} in a folder`, firstFiles, "ms"),
    createRow("changes meanwhile", [perSecond], "a second", { target: ">= 50 a second" }),
    createRow(`longest task of the thread in ${LOOK_MS / 1_000} s (${LONG_TASK_MS}: none was longer)`, [held], "ms", {
      target: "100 ms",
    }),
  ]);
} finally {
  await browser.close();
  await server.close();
  await world.close();
  await sandbox.close();
  for (const folder of [files, hostFiles]) rmSync(folder, { recursive: true, force: true });
}

/** Ms to the first row of a place, in browsers that know nothing; the first load of all counts for none. */
async function measureLoads(path: string, row: string): Promise<readonly number[]> {
  const loads: number[] = [];
  for (let load = 0; load <= LOADS; load += 1) {
    const page = await (await browser.newContext()).newPage();
    loads.push(await measureFirstRow(page, path, row));
    await page.context().close();
  }
  return loads.slice(1);
}

/** Ms from the beginning of a load to the frame in which a row stands in the page. */
async function measureFirstRow(page: Page, path: string, row: string): Promise<number> {
  await page.goto(`${server.url}/${path}`, { waitUntil: "commit" });
  await page.locator(row).first().waitFor();
  return page.evaluate(() => performance.now());
}

/** The longest task of the page's thread within `LOOK_MS`, in ms. */
async function measureHeld(page: Page): Promise<number> {
  return page.evaluate(
    async ([lookMs, leastMs]) => {
      let longest: number = leastMs;
      const observer = new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
      });
      observer.observe({ type: "longtask" });
      await new Promise((resolve) => setTimeout(resolve, lookMs));
      return longest;
    },
    [LOOK_MS, LONG_TASK_MS] as const,
  );
}

/** An app with an action that tells of progress without an end. */
function makeBusyApp(): Record<string, unknown> {
  return {
    hooks: [
      rawHook({
        id: "busy",
        title: "Keep busy",
        entrypoint: "run",
        scriptContent: `export async function run(ctx) {
          await ctx.registerCheckpoints([{ id: "busy", message: "Keeping busy" }]);
          for (let step = 0; ; step++) {
            await ctx.updateCheckpointMessage("busy", "Step " + step);
            await ctx.sleep(100);
          }
        }`,
      }),
    ],
  };
}
