/** A browser whose clock is wrong by hours: what is told of times is the engine's. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type ServedPage, servePage } from "./support/served-page.ts";

describe("with a clock that is wrong", () => {
  let served: ServedPage;
  beforeAll(async () => {
    served = await servePage();
    await served.engine.settled((await served.engine.install("demo-media", {})).id);
  });
  afterAll(() => served?.close());

  it.each([
    ["two hours behind", -2],
    ["two hours ahead", 2],
  ])("%s a task that has just ended ended now", async (_, hours) => {
    const context = await served.browser.newContext({ locale: "en-GB" });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await page.clock.install({ time: Date.now() + hours * 3_600_000 });
    await page.goto(`${served.server.url}/activity`);
    const row = page.locator("slip-activity-row").filter({ hasText: "Install Demo Media" });
    await expect.poll(() => row.locator(".head .small").textContent()).toMatch(/^(?:now|\d+ sec ago|\d min ago)$/);
  });
});
