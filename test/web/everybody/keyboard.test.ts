/** An install, what follows it and the upkeep of apps, by nothing but the keyboard. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openLoggedIn } from "../../support/engine/standin-client.ts";
import { WITHIN_MS } from "../../support/within.ts";
import { type House, openHouse } from "./house.ts";

/** Name of what has the keyboard, through every shadow root. */
function readFocused(page: Page): Promise<string> {
  return page.evaluate(() => {
    let focused = document.activeElement;
    while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
    const labels =
      focused instanceof HTMLInputElement || focused instanceof HTMLSelectElement ? focused.labels : undefined;
    const label = labels?.[0];
    const name = focused?.getAttribute("aria-label") ?? (label ?? focused)?.textContent ?? "";
    return name.trim().replaceAll(/\s+/g, " ");
  });
}

/** Presses Tab until something of that name has the keyboard; fails where nothing of it comes. */
async function tabTo(page: Page, name: string, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  const passed: string[] = [];
  // What a screen asks the engine for comes after its heading.
  for (const end = performance.now() + WITHIN_MS; performance.now() < end; ) {
    await page.keyboard.press(key);
    const focused = await readFocused(page);
    if (focused === name || focused.startsWith(`${name} `)) return;
    passed.push(focused);
  }
  throw new Error(`"${name}" was not come to: ${passed.slice(-80).join(", ")}`);
}

describe("by the keyboard alone", () => {
  let house: House;
  let page: Page;
  beforeAll(async () => {
    house = await openHouse();
    ({ page } = await house.open("/"));
    await page.getByLabel("Token").waitFor();
    await page.keyboard.type(house.token);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Home" }).waitFor();
  });
  afterAll(() => house?.close());

  it("an app is installed, with an option changed and a step left out", async () => {
    await page.keyboard.press("Tab");
    await tabTo(page, "Apps");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Gallery" }).waitFor();
    await tabTo(page, "Gallery");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Pairings" }).waitFor();
    await tabTo(page, "Install");
    await page.keyboard.press("Enter");
    await page.getByLabel("Owner's name").waitFor();
    await page.keyboard.press("Escape");
    await page.getByLabel("Owner's name").waitFor({ state: "detached" });
    expect(await readFocused(page)).toBe("Install");
    await page.keyboard.press("Enter");
    await page.getByLabel("Owner's name").waitFor();
    await tabTo(page, "Next");
    await tabTo(page, "Owner's name");
    await page.keyboard.type("ada");
    await tabTo(page, "Next");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Previews" }).waitFor();
    expect(await readFocused(page)).toBe("Install Gallery");
    await tabTo(page, "Next");
    await page.keyboard.press("Enter");
    await page.getByText("What will happen").waitFor();
    await tabTo(page, "Customize Install");
    await page.keyboard.press("Enter");
    await tabTo(page, "Longest edge in pixels");
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.type("900");
    await tabTo(page, "Create the owner's account");
    await page.keyboard.press("Space");
    await page.getByText("Needs “Create the owner's account”").waitFor();
    await tabTo(page, "Customize Install", "Shift+Tab");
    await page.keyboard.press("Enter");
    await tabTo(page, "Install");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/activity/*");
    const id = new URL(page.url()).pathname.split("/")[2] ?? "";
    const task = await house.engine.settled(id);
    expect(task).toMatchObject({ appId: "gallery", state: "COMPLETED" });
    expect(task.children.filter(({ state }) => state === "COMPLETED")).toEqual([]);
    const { steps } = await house.engine.form("gallery", "options");
    const asked = steps.flatMap(({ sections }) => sections.flatMap(({ questions }) => questions));
    expect(asked.find(({ key }) => key === "edge")).toMatchObject({ default: 900 });
  });

  it("a task that failed is tried again, looked into and gone on without", async () => {
    const { failed } = house.tasks;
    await page.evaluate((id) => {
      history.pushState(null, "", `/activity/${id}`);
      dispatchEvent(new PopStateEvent("popstate"));
    }, failed);
    await page.getByRole("heading", { name: "The library is busy" }).waitFor();
    await tabTo(page, "Steps");
    for (const [key, tab] of [
      ["ArrowRight", "Machine"],
      ["ArrowRight", "Log"],
      ["ArrowRight", "Steps"],
      ["ArrowLeft", "Log"],
      ["ArrowLeft", "Machine"],
    ] as const) {
      await page.keyboard.press(key);
      await expect.poll(() => readFocused(page)).toBe(tab);
      await page.getByRole("tab", { name: tab, selected: true }).waitFor();
    }
    const slider = page.getByRole("slider");
    await slider.waitFor();
    await tabTo(page, "Step of its history");
    const newest = await slider.getAttribute("aria-valuetext");
    await page.keyboard.press("Home");
    await expect.poll(() => slider.getAttribute("aria-valuetext")).toMatch(/^Step 1 of /);
    await page.keyboard.press("End");
    await expect.poll(() => slider.getAttribute("aria-valuetext")).toBe(newest);

    const hook = `${failed}~shake`;
    const revision = () => house.engine.task(hook)?.revision ?? 0;
    const before = revision();
    await tabTo(page, "Retry: Set up Shaky", "Shift+Tab");
    await page.keyboard.press("Enter");
    const isAsking = () => house.engine.task(hook)?.state === "AWAITING_RETRY" && revision() > before;
    await expect.poll(isAsking).toBe(true);
    const shown = () => page.locator("slip-task slip-asked").evaluateAll(([asked]) => Object(asked).task?.revision);
    await expect.poll(shown).toBe(revision());
    // The button itself, where it asked again before it was drawn at work.
    expect(["Install Shaky", "Retry: Set up Shaky"]).toContain(await readFocused(page));
    await tabTo(page, "Skip: Set up Shaky");
    await page.keyboard.press("Enter");
    await expect.poll(() => house.engine.task(failed)?.state).toBe("COMPLETED");
    await expect.poll(() => readFocused(page)).toBe("Install Shaky");
  });

  it("upgrades are left to a window, and all that there are begun", async () => {
    const { engine, tasks } = house;
    // Its app is left out of the upgrades while it asks.
    await engine.cancel(tasks.signsIn);
    expect(await engine.settled(tasks.signsIn)).toMatchObject({ state: "CANCELLED" });
    await tabTo(page, "Apps");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Gallery" }).waitFor();
    await tabTo(page, "Upgrade all");
    await page.keyboard.press("Enter");
    await page.getByText("From version 1.0.0 to 1.1.0").waitFor();
    await tabTo(page, "When they begin");
    await page.keyboard.type("At set times");
    await tabTo(page, "Other times");
    await page.keyboard.press("Enter");
    await tabTo(page, "Times");
    await page.keyboard.press("ControlOrMeta+A");
    // Far away: none opens in the test.
    await page.keyboard.type("30 4 29 2 *");
    await tabTo(page, "Save");
    await page.keyboard.press("Enter");
    await expect
      .poll(async () => (await engine.upgradePolicies()).all)
      .toMatchObject({ mode: "automatic", cron: "30 4 29 2 *" });
    await tabTo(page, "Upgrade 1 app");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/activity/*");
    const id = new URL(page.url()).pathname.split("/")[2] ?? "";
    expect(await engine.settled(id)).toMatchObject({ kind: "upgrade-all", state: "COMPLETED" });
  });

  it("what others changed is looked for and put right, and who changed what is read", async () => {
    await (await openLoggedIn(house.standin)).job("app.delete", "tiles");
    await tabTo(page, "Health");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Health", exact: true }).waitFor();
    await tabTo(page, "Look now");
    await page.keyboard.press("Enter");
    await page.locator("slip-drift li").first().waitFor();
    await tabTo(page, "Install");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Install Tiles again" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await tabTo(page, "Health");
    await page.keyboard.press("Enter");
    await page.locator("slip-drift li").first().waitFor();
    await tabTo(page, "Take over");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Take over Minecraft Server" }).waitFor();
    await page.locator("slip-adopt li").getByText("Theirs", { exact: true }).waitFor();
    await tabTo(page, "Most players");
    await page.keyboard.type("12");
    await page.locator("slip-adopt .primary:enabled").waitFor();
    await tabTo(page, "Take over");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/activity/*");
    const { id } = await house.engine.settled(new URL(page.url()).pathname.split("/")[2] ?? "");
    expect(house.engine.task(id)).toMatchObject({ kind: "adopt", appId: "minecraft", state: "COMPLETED" });
    const { steps } = await house.engine.form("minecraft", "options");
    const asked = steps.flatMap(({ sections }) => sections.flatMap(({ questions }) => questions));
    expect(asked.map(({ default: answer }) => answer)).toEqual(["Theirs", undefined, 12]);
    await tabTo(page, "Activity");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Activity", exact: true }).waitFor();
    await tabTo(page, "Who changed what");
    await page.keyboard.press("Enter");
    await page.locator("slip-audit li").first().waitFor();
    await tabTo(page, "Show the task");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/activity/*");
  });
});
