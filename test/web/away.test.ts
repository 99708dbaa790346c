/** What is opened while the engine is away, and what becomes of it when it is back. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type PageRelay, startPageRelay } from "./support/page-relay.ts";
import { openScreen } from "./support/screen.ts";
import { type ServedPage, servePage } from "./support/served-page.ts";

describe("with the engine away", () => {
  let served: ServedPage;
  let relay: PageRelay;
  beforeAll(async () => {
    served = await servePage();
    relay = await startPageRelay(served.server.url);
    await served.engine.settled((await served.engine.install("demo-notes", {})).id);
  });
  afterAll(async () => {
    relay?.close();
    await served?.close();
  });

  const open = async (path: string) => {
    const context = await served.browser.newContext({ locale: "en-GB" });
    onTestFinished(() => context.close());
    const { page } = await openScreen(context, `${relay.url}${path}`);
    await page.getByText("Live", { exact: true }).waitFor();
    return page;
  };
  const expectLoadedAhead = (page: Page) =>
    expect.poll(() => page.evaluate(() => customElements.get("slip-health") !== undefined)).toBe(true);
  const goAway = async (page: Page) => {
    relay.goAway();
    await page.getByRole("contentinfo").getByText("Connection lost").waitFor();
  };
  const comeBack = async (page: Page) => {
    relay.comeBack();
    await page.getByRole("contentinfo").getByText("Live", { exact: true }).waitFor();
  };

  it("shows a screen that was never opened before", async () => {
    const page = await open("/");
    await expectLoadedAhead(page);
    await goAway(page);
    await page.getByRole("link", { name: "Health" }).click();
    await page.locator("slip-health").getByText("The engine can't be reached").waitFor();
    await comeBack(page);
    await page.locator("slip-health").getByText("The engine can't be reached").waitFor({ state: "detached" });
  });

  it("says of a screen that could not be loaded that it was not, with a way to load the page again", async () => {
    relay.refuses = (path) => (path.includes("/later-") ? 404 : undefined);
    const page = await open("/");
    await page.getByRole("link", { name: "Health" }).click();
    await page.getByRole("alert").getByText("could not be loaded").waitFor();
    await page.getByRole("link", { name: "Activity" }).click();
    await page.getByRole("alert").waitFor({ state: "detached" });
    relay.refuses = () => undefined;
    await page.getByRole("link", { name: "Health" }).click();
    await page.getByRole("button", { name: "Load the page again" }).click();
    await page.locator("slip-health").getByRole("heading").first().waitFor();
  });
});
