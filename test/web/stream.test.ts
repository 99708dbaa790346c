/** One stream for all tabs, through the worker they share. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { openScreen } from "./support/screen.ts";
import { type ServedPage, servePage } from "./support/served-page.ts";
import { closeWorker, findWorkers, hangWorker } from "./support/stream-worker.ts";

describe("eight tabs of a browser", () => {
  let served: ServedPage;
  beforeAll(async () => {
    served = await servePage();
  });
  afterAll(() => served?.close());

  it("hear of changes by one stream, and all of them load", async () => {
    const context = await served.browser.newContext({ locale: "en-GB" });
    onTestFinished(() => context.close());
    const asked: string[] = [];
    context.on("request", (request) => asked.push(new URL(request.url()).pathname));
    const tabs = [];
    for (let tab = 0; tab < 8; tab += 1) tabs.push(await openScreen(context, `${served.server.url}/activity`));
    for (const { page } of tabs) await page.getByText("Live", { exact: true }).waitFor();
    await served.engine.install("demo-notes", {});
    for (const { page } of tabs) await page.getByText("Install Demo Notes").waitFor();
    // A tab's own requests are seen here; those of the worker are not.
    expect(asked.filter((path) => path === "/api/events")).toEqual([]);
    expect(await findWorkers(served.browser)).toHaveLength(1);
    expect(tabs.flatMap(({ faults }) => faults)).toEqual([]);
  });

  it("hear of them where no frame is drawn any more, as in a tab that was just hidden", async () => {
    const { page } = await served.open("/activity");
    onTestFinished(() => page.context().close());
    await page.getByText("Live", { exact: true }).waitFor();
    await page.evaluate(() => {
      window.requestAnimationFrame = () => 0;
    });
    const { id } = await served.engine.install("demo-media", {});
    await page.getByText("Install Demo Media").waitFor();
    await served.engine.settled(id);
  });

  const openTabs = async () => {
    const context = await served.browser.newContext({ locale: "en-GB" });
    onTestFinished(() => context.close());
    const open = async () => {
      const page = await context.newPage();
      await page.clock.install();
      await page.goto(`${served.server.url}/activity`);
      await page.getByText("Live", { exact: true }).waitFor();
      return page;
    };
    return [await open(), await open()] as const;
  };
  const countRestarts = (page: Page) => page.locator("slip-activity-row").getByText("Restart Demo Media").count();
  const restart = async () => served.engine.settled((await served.engine.restartApp("demo-media")).id);

  it("take another worker where theirs dies, and know what came meanwhile", async () => {
    const tabs = await openTabs();
    const [page] = tabs;
    const before = await countRestarts(page);
    const [worker = ""] = await findWorkers(served.browser);
    await closeWorker(served.browser, worker);
    await restart();
    for (const tab of tabs) {
      await tab.clock.fastForward(61_000);
      await expect.poll(() => countRestarts(tab)).toBe(before + 1);
    }
    expect(await findWorkers(served.browser)).toHaveLength(1);
  });

  it("take a stream of their own where the worker hangs, and know what came meanwhile", async () => {
    const [first, second] = await openTabs();
    const before = await countRestarts(first);
    const [worker = ""] = await findWorkers(served.browser);
    await hangWorker(served.browser, worker);
    await restart();
    for (const page of [first, second]) {
      // Another worker of the name is the same one.
      await page.clock.fastForward(61_000);
      await page.clock.fastForward(61_000);
      await expect.poll(() => countRestarts(page)).toBe(before + 1);
    }
    await restart();
    for (const page of [first, second]) await expect.poll(() => countRestarts(page)).toBe(before + 2);
  });
});
