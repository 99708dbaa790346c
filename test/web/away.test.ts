/** What is opened while the engine is away, and what becomes of it when it is back. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type PageRelay, startPageRelay } from "./support/page-relay.ts";
import { openScreen } from "./support/screen.ts";
import { type ServedPage, servePage } from "./support/served-page.ts";

describe("with the engine away", () => {
  let served: ServedPage;
  let relay: PageRelay;
  let task = "";
  /** Of the task: no list has it by itself. */
  let part = "";
  beforeAll(async () => {
    served = await servePage();
    relay = await startPageRelay(served.server.url);
    task = (await served.engine.install("demo-notes", {})).id;
    await served.engine.settled(task);
    part = served.engine.task(task)?.children[0]?.id ?? "";
    expect(part).not.toBe("");
  });
  afterAll(async () => {
    relay?.close();
    await served?.close();
  });

  const open = async (path: string) => {
    const context = await served.browser.newContext({ locale: "en-GB" });
    onTestFinished(() => context.close());
    relay.comeBack();
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

  it.each([
    ["the list of tasks", "/activity", "slip-activity"],
    ["a task", "/activity/PART", "slip-task"],
    ["files", "/files", "slip-files"],
    ["who changed what", "/audit", "slip-audit"],
    ["upgrades", "/upgrades", "slip-upgrades"],
    ["an uninstall", "/apps/demo-notes/uninstall", "slip-uninstall"],
    ["a rollback", "/apps/demo-notes/rollback", "slip-rollback"],
  ])("has %s shown by itself once it is back", async (_, path, element) => {
    const page = await open("/notifications");
    await goAway(page);
    await page.evaluate(
      (to) => {
        history.pushState(null, "", to);
        dispatchEvent(new PopStateEvent("popstate"));
      },
      path.replace("PART", part),
    );
    const refusal = page.locator(element).getByText("The engine can't be reached").first();
    await refusal.waitFor();
    await comeBack(page);
    await refusal.waitFor({ state: "detached" });
    expect(await page.locator(element).getByRole("button", { name: "Try again" }).count()).toBe(0);
  });

  it("has a log shown by itself once it is back", async () => {
    const page = await open(`/activity/${task}`);
    const log = page.locator("slip-log");
    await goAway(page);
    await page.getByRole("tab", { name: "Log" }).click();
    await log.getByText("The engine can't be reached").waitFor();
    await comeBack(page);
    await log.getByText("The engine can't be reached").waitFor({ state: "detached" });
  });

  it("starts nothing by itself once it is back", async () => {
    const page = await open("/apps/demo-notes/uninstall");
    const dialog = page.locator("slip-uninstall");
    await dialog.getByText("Its directories").waitFor();
    await goAway(page);
    await dialog.getByRole("button", { name: "Uninstall", exact: true }).click();
    await dialog.getByText("The engine can't be reached").waitFor();
    const before = relay.requests.length;
    await comeBack(page);
    await expect.poll(() => relay.requests.slice(before).some((asked) => asked.startsWith("GET /api/"))).toBe(true);
    expect(relay.requests.slice(before).filter((asked) => asked.endsWith("/uninstall"))).toEqual([]);
  });

  it("or a proxy that holds its stream back, reads the list of tasks every now and then", async () => {
    const context = await served.browser.newContext({ locale: "en-GB" });
    onTestFinished(() => context.close());
    relay.comeBack();
    relay.holdsBack = true;
    const page = await context.newPage();
    await page.clock.install();
    await page.goto(`${relay.url}/activity`);
    await page.getByText("Install Demo Notes").waitFor();
    await served.engine.install("demo-media", {});
    expect(await page.getByText("Install Demo Media").count()).toBe(0);
    await page.clock.fastForward(31_000);
    await page.getByText("Install Demo Media").waitFor();
    relay.holdsBack = false;
  });
});
