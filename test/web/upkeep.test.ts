/** What somebody looks after in a browser once apps are installed: their upgrades, what others changed, who did what. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openLoggedIn } from "../support/engine/standin-client.ts";
import { expectFine, type Screen } from "./support/screen.ts";
import { type ServedPage, servePage } from "./support/served-page.ts";

describe("the upkeep of apps", () => {
  let served: ServedPage;
  /** Of an install that waits for an answer. */
  let asking: string;
  beforeAll(async () => {
    served = await servePage();
    const media = await served.engine.install("demo-media");
    expect(await served.engine.settled(media.id)).toMatchObject({ state: "COMPLETED" });
    asking = (await served.engine.install("demo-notes")).id;
    await served.engine.settled(asking);
  });
  afterAll(() => served?.close());

  const region = ({ page }: Screen, name: string) => page.getByRole("region", { name, exact: true });

  it("upgrades what can be upgraded, and says what is left out and why", async () => {
    for (const app of ["demo-media", "demo-notes"]) await served.control("release", app);
    const screen = await served.open("/apps");
    const { page } = screen;
    await page.getByRole("link", { name: "Upgrade all" }).click();
    const all = region(screen, "Upgrades of all apps");
    await all.getByText(/^From version \S+ to \S+$/).waitFor();
    await all.getByText("TASK_CONFLICT").waitFor();
    expect(await all.getByRole("listitem").allInnerTexts()).toEqual([
      expect.stringContaining("Demo Media"),
      expect.stringContaining("demo-notes"),
    ]);
    await expectFine(screen, "upgrades of all apps");

    await all.getByRole("button", { name: "Upgrade 1 app" }).press("Enter");
    await page.waitForURL(/\/activity\/[^/]+$/);
    const { id } = await served.engine.settled(decodeURIComponent(page.url().split("/").at(-1) ?? ""));
    expect(served.engine.task(id)).toMatchObject({
      kind: "upgrade-all",
      state: "COMPLETED",
      children: [{ kind: "upgrade", appId: "demo-media" }],
    });
    await page.locator("slip-parts").getByText("Upgrade Demo Media").waitFor();
    await expectFine(screen, "the upgrades as a task");
    await page.goto(`${served.server.url}/upgrades`);
    await all.getByText("No app has an upgrade.").waitFor();
  });

  it("has them begin in a window, of all apps or of one", async () => {
    const screen = await served.open("/upgrades");
    const { page } = screen;
    const policy = page.getByRole("group", { name: "Automatic upgrades" });
    const keep = policy.getByRole("button", { name: "Save" });
    await policy.getByLabel("When they begin").selectOption("At set times");
    expect(await policy.getByLabel("Time", { exact: true }).inputValue()).toBe("03:00");
    await policy.getByLabel("Day").selectOption("Sunday");
    await policy.getByLabel("Time", { exact: true }).fill("04:05");
    await policy.getByText("Other times").click();
    expect(await policy.getByLabel("Times", { exact: true }).inputValue()).toBe("5 4 * * 0");
    await policy.getByLabel("Times", { exact: true }).fill("0 25 * * *");
    await keep.click();
    await page.getByRole("alert").getByText("TASK_CRON_INVALID").waitFor();
    // The browser itself writes a line about the answer.
    expect(screen.faults.splice(0)).toEqual([expect.stringContaining("400")]);
    await expectFine(screen, "a window that can't be read");
    // Far away: none opens in the test.
    await policy.getByLabel("Times", { exact: true }).fill("30 4 29 2 *");
    await policy.getByLabel("For at most this many minutes").fill("90");
    await policy.getByLabel("Make up for missed times").check();
    await keep.click();
    const readNext = async () => (await served.engine.upgradePolicies()).all.next ?? "";
    await expect.poll(readNext).not.toBe("");
    const next = await readNext();
    const shown = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" }).format(new Date(next));
    await policy.getByText(`Next: ${shown}`).waitFor();
    await expect.poll(() => keep.isDisabled()).toBe(true);

    await page.goto(`${served.server.url}/apps/demo-media`);
    await expect.poll(() => policy.getByLabel("When they begin").inputValue()).toBe("all");
    await policy.getByText(`Next: ${shown}`).waitFor();
    await policy.getByLabel("When they begin").selectOption("When a person starts them, after a notification");
    await keep.click();
    await expect
      .poll(() => served.engine.upgradePolicies())
      .toMatchObject({
        all: { mode: "automatic", cron: "30 4 29 2 *", minutes: 90, late: true },
        apps: { "demo-media": { mode: "notify" } },
      });
    await expectFine(screen, "an app that is upgraded by hand");
    await page.goto(`${served.server.url}/upgrades`);
    await policy.getByRole("link", { name: "demo-media" }).waitFor();

    await page.goto(`${served.server.url}/apps/demo-media`);
    await policy.getByLabel("When they begin").selectOption("As for all apps");
    await keep.click();
    await expect.poll(async () => (await served.engine.upgradePolicies()).apps).toEqual({});
  });

  it("overwrites nothing that somebody else has kept meanwhile, and says what that is", async () => {
    const { engine } = served;
    const screen = await served.open("/apps/demo-media");
    const { page } = screen;
    const policy = page.getByRole("group", { name: "Automatic upgrades" });
    const mode = policy.getByLabel("When they begin");
    const keep = policy.getByRole("button", { name: "Save" });
    await mode.selectOption("When a person starts them");
    const theirs = { mode: "automatic", cron: "30 4 29 2 *" } as const;
    await engine.setUpgradePolicies({ apps: { "demo-media": theirs } });
    await keep.click();
    await page.getByRole("alert").getByText("TASK_POLICIES_STALE").waitFor();
    await policy.getByText("Kept by now: At set times 30 4 29 2 *").waitFor();
    expect((await engine.upgradePolicies()).apps).toMatchObject({ "demo-media": theirs });
    // The browser itself writes a line about the answer.
    expect(screen.faults.splice(0)).toEqual([expect.stringContaining("409")]);
    await expectFine(screen, "policies somebody else has changed");
    await policy.getByRole("button", { name: "Cancel" }).click();
    await expect.poll(() => mode.inputValue()).toBe("automatic");
    await mode.selectOption("When a person starts them");
    await keep.click();
    await expect.poll(async () => (await engine.upgradePolicies()).apps).toEqual({ "demo-media": { mode: "manual" } });
    await expect.poll(() => keep.isDisabled()).toBe(true);
    await engine.setUpgradePolicies({});
  });

  it("says what others changed on the host, and leads to what helps", async () => {
    await served.engine.skip(`${asking}~first-notebook`);
    expect(await served.engine.settled(asking)).toMatchObject({ state: "COMPLETED" });
    const host = await openLoggedIn(served.standin);
    await host.job("app.update", "demo-notes", { values: { network: { web_port: { port_number: 30_999 } } } });
    const screen = await served.open("/health");
    const { page } = screen;
    const drift = page.getByRole("group", { name: "Changed on the appliance by others" });
    await drift.getByRole("button", { name: "Look now" }).click();
    await drift.getByText("An option of an app is not the one this engine set").waitFor();
    await drift.getByText("update the app: its dialog offers answers").waitFor();
    await expectFine(screen, "drift");
    await drift.getByRole("link", { name: "Demo Notes" }).click();
    await drift.getByText("An option of an app is not the one this engine set").waitFor();
    await expectFine(screen, "drift of an app");
    await drift.getByRole("link", { name: "Options" }).click();
    await page.getByRole("dialog", { name: "Options of Demo Notes" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/apps/demo-notes/options");
    await page.getByRole("button", { name: "Apply" }).click();
    await page.waitForURL(/\/activity\/[^/]+$/);
    await served.engine.settled(decodeURIComponent(page.url().split("/").at(-1) ?? ""));
    expect((await served.engine.lookForDrift()).findings).toEqual([]);
    await page.goto(`${served.server.url}/health`);
    await drift.getByText("Everything is as it was left.").waitFor();
  });

  it("connects again what was connected before an app was installed anew", async () => {
    const { engine } = served;
    const end = async ({ id }: { readonly id: string }) =>
      expect(await engine.settled(id)).toMatchObject({ state: "COMPLETED" });
    await end(await engine.runAction("demo-media", "connect-notes"));
    await end(await engine.uninstall("demo-notes"));
    await end(await engine.install("demo-notes", { inputs: { "first-notebook": { notebook: "Home" } }, links: [] }));
    await engine.lookForDrift();
    const screen = await served.open("/apps/demo-media");
    const { page } = screen;
    const again = region(screen, "Pairings").getByRole("button", { name: "Connect again: Connect to Demo Notes" });
    await again.waitFor();
    await page.getByText("An app was installed anew, or taken back, since it was connected with another").waitFor();
    await expectFine(screen, "a connection that was lost");
    await again.press("Enter");
    await page.waitForURL(/\/activity\/[^/]+$/);
    const { id, startedBy } = await engine.settled(decodeURIComponent(page.url().split("/").at(-1) ?? ""));
    expect(engine.task(id)).toMatchObject({ kind: "hook", state: "COMPLETED" });
    await page.getByText(`By ${startedBy?.name} (${startedBy?.how})`, { exact: true }).waitFor();
    await page.goto(`${served.server.url}/apps/demo-media`);
    await region(screen, "Pairings").getByText("Connected", { exact: true }).waitFor();
    expect(await again.count()).toBe(0);
  });

  it("lists who changed what, or was refused it, in pages", async () => {
    const { engine } = served;
    const actor = { id: "anna", name: "Anna", how: "page" } as const;
    const { code } = await engine.startApp("nobody-knows-it", { actor }).catch((error: unknown) => Object(error));
    const screen = await served.open("/activity");
    const { page } = screen;
    await page.getByRole("link", { name: "Who changed what" }).click();
    const entries = page.locator("slip-audit").getByRole("listitem");
    const first = entries.first();
    await first.getByText("By Anna (page)").waitFor();
    await first.getByText("Refused:").getByText(String(code), { exact: true }).waitFor();
    await expectFine(screen, "who changed what");
    for (let read = 0; read < 60; read += 1) engine.readNotifications({ actor });
    await page.reload();
    await expect.poll(() => entries.count()).toBe(50);
    await first.getByText("Notifications read").waitFor();
    await page.getByRole("button", { name: "Next page" }).click();
    await page.getByText("Page 2", { exact: true }).waitFor();
    await entries.filter({ hasText: "Automatic upgrades" }).first().waitFor();
    const audit = page.locator("slip-audit");
    const about = (app: string) => audit.evaluate((element, appId) => void Reflect.set(element, "app", appId), app);
    await about("demo-media");
    await page.getByText("Page 2", { exact: true }).waitFor({ state: "detached" });
    await expect.poll(() => entries.filter({ hasNotText: "Demo Media" }).count()).toBe(0);
    expect(await entries.count()).toBeGreaterThan(0);
    await about("");
    await entries.filter({ hasText: "Notifications read" }).first().waitFor();
    await page.getByRole("button", { name: "Next page" }).click();
    await entries.filter({ hasText: "Uninstall" }).getByRole("link", { name: "Show the task" }).first().click();
    await page.waitForURL(/\/activity\/[^/]+$/);
    await page.locator("slip-task h2", { hasText: "Uninstall Demo Notes" }).waitFor();
    expect(screen.faults).toEqual([]);
  });
});
