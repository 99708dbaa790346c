/** The page of an engine that has finished 5,000 installs: it reads and shows what can be seen, a page at a time. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { keepEndedTasks, tellEndedTasks } from "../../scripts/bench/ended-tasks.ts";
import { buildWeb } from "../../scripts/build/web.ts";
import { SILENT_LOGGER } from "../../src/engine/system/silent-logger.ts";
import { type HttpServer, startHttpServer } from "../../src/http/server.ts";
import { createEngineWorld, type EngineWorld } from "../support/engine/engine-world.ts";
import { startChromium } from "./support/chromium.ts";
import { expectFine, openScreen } from "./support/screen.ts";

const FINISHED = 5_000;
/** Tasks that end while a page is open, more than it keeps. */
const ENDED = 1_100;
/** Finished tasks the page reads at a time. */
const PAGE = 25;
/** Elements of the whole page for each row that is shown, and for all around the rows. */
const ROW_ELEMENTS = 40;
const OTHER_ELEMENTS = 300;

describe(`the page before ${FINISHED.toLocaleString("en")} finished tasks`, () => {
  const pageFiles = mkdtempSync(join(tmpdir(), "slipway-many-"));
  let world: EngineWorld;
  let server: HttpServer;
  let browser: Browser;
  beforeAll(async () => {
    [world, browser] = await Promise.all([
      createEngineWorld({ catalog: { demo: {} } }),
      startChromium(),
      buildWeb(pageFiles),
    ]);
    keepEndedTasks(world.store, FINISHED, "{}");
    const settings = { address: "127.0.0.1", port: 0, logger: SILENT_LOGGER, pageFiles };
    server = await startHttpServer(world.engine, settings);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    await world?.close();
    rmSync(pageFiles, { recursive: true, force: true });
  });

  /** Opens an address; `read` are the numbers of tasks the answers held so far. */
  const open = async (path: string) => {
    const screen = await openScreen(await browser.newContext({ locale: "en-GB" }), "about:blank");
    const read: number[] = [];
    screen.page.on("response", async (response) => {
      if (new URL(response.url()).pathname === "/api/tasks") read.push((await response.json()).tasks.length);
    });
    await screen.page.goto(`${server.url}${path}`);
    return { ...screen, read };
  };
  const rows = (page: Page) => page.locator("slip-activity-row");

  it("lists the newest of them, and more when it is asked to", async () => {
    const { page, faults, read } = await open("/activity");
    await page.getByText(`Task root-${FINISHED - 1}`, { exact: true }).waitFor();
    expect(await rows(page).count()).toBe(PAGE);
    expect(await countElements(page)).toBeLessThan(OTHER_ELEMENTS + PAGE * ROW_ELEMENTS);
    await page.getByRole("button", { name: "More" }).click();
    await page.getByText(`Task root-${FINISHED - PAGE - 1}`, { exact: true }).waitFor();
    expect(await rows(page).count()).toBe(2 * PAGE);
    expect(Math.max(...read)).toBe(PAGE);
    await expectFine({ page, faults }, "many finished tasks");
  });

  it("finds the oldest of them by its name", async () => {
    const { page, read } = await open("/activity");
    await page.getByRole("searchbox").fill("root-0");
    await page.getByText("Task root-0", { exact: true }).waitFor();
    expect(Math.max(...read)).toBe(PAGE);
  });

  it("opens the oldest of them by its address, whichever is read first: it, or the list without it", async () => {
    const { page, faults } = await openScreen(await browser.newContext({ locale: "en-GB" }), "about:blank");
    const isRead = page.waitForResponse(`${server.url}/api/tasks/root-0`);
    await page.route(
      ({ pathname }) => pathname === "/api/tasks",
      async (route) => {
        await (await isRead).finished();
        await route.continue();
      },
    );
    await page.goto(`${server.url}/activity/root-0`);
    await page.getByText(`Task root-${FINISHED - 1}`, { exact: true }).waitFor();
    await page.getByRole("heading", { name: "Task root-0", exact: true }).waitFor();
    expect(faults).toEqual([]);
  });

  it("does not keep all that end while it is open", async () => {
    const { page, faults } = await open("/activity");
    await page.getByText(`Task root-${FINISHED - 1}`, { exact: true }).waitFor();
    await page.getByText("Live", { exact: true }).waitFor();
    tellEndedTasks(world.store, FINISHED, ENDED);
    await world.engine.install("demo");
    await page.getByText(`Task root-${FINISHED + ENDED - 1}`, { exact: true }).waitFor();
    await expect.poll(() => rows(page).count()).toBeLessThan(2 * PAGE);
    await page.getByText(`Task root-${FINISHED}`, { exact: true }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "More" }).click();
    await page.getByText(`Task root-${FINISHED + ENDED - PAGE - 1}`, { exact: true }).waitFor();
    expect(faults).toEqual([]);
  });

  it("shows none of them at home", async () => {
    const { page, read } = await open("/");
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.getByRole("heading", { name: "Widgets" }).waitFor();
    expect(await rows(page).count()).toBe(0);
    expect(await countElements(page)).toBeLessThan(OTHER_ELEMENTS);
    await expect.poll(() => read.length).toBeGreaterThan(0);
    expect(Math.max(...read)).toBeLessThanOrEqual(PAGE);
  });
});

/** All elements, those in shadow roots too. */
async function countElements(page: Page): Promise<number> {
  return page.evaluate(() => {
    const count = (root: ParentNode): number =>
      [...root.querySelectorAll("*")].reduce(
        (sum, element) => sum + 1 + (element.shadowRoot === null ? 0 : count(element.shadowRoot)),
        0,
      );
    return count(document);
  });
}
