/** A server with a token: logging in, out, and what a wrong token is told. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectFine, openScreen } from "./support/screen.ts";
import { type ServedPage, servePage } from "./support/served-page.ts";

const TOKEN = "a-token-of-some-length";

/** As docs/page.md has it. */
const OWN = `<!doctype html><html lang="en"><head><title>Own</title></head><body><script type="module">
  import { useToken } from "/assets/elements.js";
  useToken(() => "${TOKEN}");
</script><slip-activity></slip-activity><slip-catalog></slip-catalog></body></html>`;

describe("a server with a token", () => {
  let served: ServedPage;
  beforeAll(async () => {
    served = await servePage({ server: { token: TOKEN } });
  });
  afterAll(() => served?.close());

  it("lets a browser in for the token and out again, in all of its tabs", async () => {
    const context = await served.browser.newContext({ locale: "en-GB" });
    const tabs = [
      await openScreen(context, `${served.server.url}/activity`),
      await openScreen(context, served.server.url),
    ];
    const [first, second] = tabs;
    if (first === undefined || second === undefined) throw new Error("no tabs");
    const { page } = first;
    for (const tab of tabs) await tab.page.getByRole("heading", { name: "Log in" }).waitFor();
    await page.getByLabel("Token").fill("not-the-token");
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByText("The token is wrong").waitFor();
    expect(await page.getByLabel("Token").inputValue()).toBe("not-the-token");
    // The browser says of each refusal that it was one.
    first.faults.splice(0);
    await expectFine(first, "a wrong token");
    await page.getByLabel("Token").fill(TOKEN);
    await page.keyboard.press("Enter");
    for (const tab of tabs) await tab.page.getByText("Live", { exact: true }).waitFor();
    await page.getByRole("heading", { name: "Activity" }).waitFor();
    for (const tab of tabs) expect(await tab.page.content()).not.toContain(TOKEN);
    expect(await page.evaluate(() => document.cookie)).toBe("");
    second.faults.splice(0);
    await expectFine(second, "home, logged in");
    // One that fails is told, and tried again.
    await page.route("**/api/session", (route) => route.abort());
    await page.getByRole("button", { name: "Log out" }).click();
    await page.getByRole("alert").getByText("The engine can't be reached").waitFor();
    expect(first.faults.filter((fault) => fault.startsWith("uncaught"))).toEqual([]);
    await page.unroute("**/api/session");
    await page.getByRole("alert").getByRole("button", { name: "Try again" }).click();
    for (const tab of tabs) await tab.page.getByRole("heading", { name: "Log in" }).waitFor();
  });

  it("lets the other tabs in at once where they share no worker", async () => {
    const context = await served.browser.newContext({ locale: "en-GB" });
    await context.addInitScript(() => Reflect.deleteProperty(window, "SharedWorker"));
    const tabs = [await context.newPage(), await context.newPage()] as const;
    const [page] = tabs;
    for (const time of ["first", "after the session has ended by itself"]) {
      await context.clearCookies();
      for (const tab of tabs) {
        await tab.goto(served.server.url);
        await tab.getByRole("heading", { name: "Log in" }).waitFor();
      }
      await page.getByLabel("Token").fill(TOKEN);
      await page.keyboard.press("Enter");
      for (const tab of tabs) await tab.getByText("Live", { exact: true }).waitFor();
      expect(await page.evaluate(() => "SharedWorker" in window), time).toBe(false);
    }
    await context.close();
  });

  it("takes the bearer that an embedder names in the module that imports the elements", async () => {
    const context = await served.browser.newContext({ locale: "en-GB" });
    await context.route("**/own", (route) => route.fulfill({ contentType: "text/html", body: OWN }));
    const refused: string[] = [];
    context.on("response", (response) => void (response.status() === 401 && refused.push(response.url())));
    const { page, faults } = await openScreen(context, `${served.server.url}/own`);
    await page.locator("slip-activity").getByText("Nothing has happened yet").waitFor();
    await page.locator("slip-catalog").getByText("Demo Notes").first().waitFor();
    expect([refused, faults]).toEqual([[], []]);
    await context.close();
  });

  it("forgets what was typed into a dialog when the session ends", async () => {
    const { page } = await served.open("/");
    const logIn = async () => {
      await page.getByLabel("Token").fill(TOKEN);
      await page.keyboard.press("Enter");
      await page.getByText("Live", { exact: true }).waitFor();
    };
    const openInstall = async () => {
      await page.getByRole("link", { name: "Apps" }).click();
      await page.getByRole("link", { name: "Install Demo Notes" }).click();
      return page.getByLabel("Administrator name");
    };
    await logIn();
    await (await openInstall()).fill("ada");
    await page.getByRole("button", { name: "Close" }).click();
    expect(await (await openInstall()).inputValue()).toBe("ada");
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: "Log out" }).click();
    await logIn();
    expect(await (await openInstall()).inputValue()).not.toBe("ada");
  });

  it("makes guesses wait", async () => {
    const { page } = await served.open("/");
    await page.getByRole("heading", { name: "Log in" }).waitFor();
    for (let guess = 0; guess < 10; guess += 1) {
      await page.getByLabel("Token").fill(`guess ${guess}`);
      const answered = page.waitForResponse("**/api/session");
      await page.getByRole("button", { name: "Log in" }).click();
      await answered;
      await page.getByRole("button", { name: "Log in" }).and(page.locator('[aria-disabled="false"]')).waitFor();
    }
    await page.getByLabel("Token").fill(TOKEN);
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByText("Too many wrong tokens").waitFor();
  });
});
