/** What a person sees of tasks and decides about them, in the list, in a task, and in two tabs at once. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeCatalog } from "./support/catalog.ts";
import { nameFocused } from "./support/dialog-page.ts";
import { expectFine, findViolations, openScreen } from "./support/screen.ts";
import { type ServedPage, servePage } from "./support/served-page.ts";
import { showElements } from "./support/show-elements.ts";

const failing = (id: string) => ({
  id,
  title: `Set up ${id}`,
  events: ["onAfterInstall"],
  optional: false,
  entrypoint: "run",
  scriptContent:
    'export async function run(ctx) { ctx.fail("The <b>library</b> is busy", [{ label: "Status", value: "503 Service Unavailable" }]); }',
});

/** Was given what it asks for, and fails all the same. */
const fussy = {
  ...failing("fussy"),
  inputs: [{ type: "question", id: "key", question: { question: "Key", type: "text", key: "key" } }],
};

const APPS = {
  one: { hooks: [failing("first"), failing("second")] },
  two: { hooks: [failing("only")] },
  three: {},
  four: { hooks: [failing("four")] },
  five: { hooks: [failing("five")] },
  six: { hooks: [fussy] },
  seven: { custom: true, metadata: { name: "Seven", description: "d", icon: "icon.svg", version: "1.0.0" } },
  eight: { hooks: [failing("eight")] },
};

describe("activities", () => {
  const catalog = writeCatalog(APPS);
  let served: ServedPage;
  beforeAll(async () => {
    served = await servePage({ catalog: catalog.path });
  });
  afterAll(async () => {
    await served?.close();
    catalog.remove();
  });

  const install = async (app: string) => {
    const { id } = await served.engine.install(app, {});
    await served.engine.settled(id);
    return id;
  };
  const state = (id: string) => served.engine.task(id)?.state;
  const decide = (page: Page, name: string) => page.getByRole("button", { name, exact: false }).first();

  it("are decided in the list and in the task, and two tabs say the same of it", async () => {
    const context = await served.browser.newContext({ locale: "en-GB" });
    const list = await openScreen(context, `${served.server.url}/activity`);
    const { page } = list;
    const id = await install("one");
    await page.getByRole("heading", { name: "Needs you" }).waitFor();
    await expectFine(list, "a task that asks, in the list");

    const other = await openScreen(context, `${served.server.url}/activity/${id}`);
    await other.page.getByRole("heading", { name: "The <b>library</b> is busy" }).waitFor();
    await expectFine(other, "a task that asks");
    const revision = () => served.engine.task(`${id}~first`)?.revision ?? 0;
    const before = revision();
    await decide(other.page, "Retry: Set up first").click();
    await expect.poll(revision).toBeGreaterThan(before);
    await expect.poll(() => served.engine.task(`${id}~first`)?.state).toBe("AWAITING_RETRY");

    await decide(page, "Skip: Set up first").click();
    for (const tab of [page, other.page]) await decide(tab, "Retry: Set up second").waitFor();
    expect(served.engine.task(`${id}~first`)?.state).toBe("SKIPPED");

    await decide(page, "Cancel: Install").click();
    await page.getByText("Cancel the rest?").waitFor();
    await expect.poll(() => nameFocused(page)).toBe("Keep going");
    await expectFine(list, "an ending that is asked about");
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
    for (const tab of [page, other.page]) await tab.getByText("Cancelled").first().waitFor();
    await expect.poll(() => state(id)).toBe("CANCELLED");
    await expectFine(other, "a task that was cancelled");
  });

  it("say what became of a question that somebody else has answered", async () => {
    const id = await install("two");
    const screen = await served.open(`/activity/${id}`);
    const { page } = screen;
    await decide(page, "Retry: Set up only").waitFor();
    const task = () => served.engine.task(`${id}~only`);
    const before = task()?.revision ?? 0;
    // Somebody else is quicker, and the hook asks anew before the press arrives.
    await page.route("**/api/tasks/*/skip", async (route) => {
      await served.engine.retry(`${id}~only`);
      await expect.poll(() => task()?.state === "AWAITING_RETRY" && (task()?.revision ?? 0) > before).toBe(true);
      await route.continue();
    });
    await decide(page, "Skip: Set up only").click();
    await page.getByText("TASK_DECISION_STALE").first().waitFor();
    await page.unroute("**/api/tasks/*/skip");
    expect(screen.faults.splice(0)).toEqual([expect.stringContaining("409")]);
    await expectFine(screen, "a decision that came too late");
    await decide(page, "Skip: Set up only").click();
    await page.getByText("Done").first().waitFor();
    await expect.poll(() => state(id)).toBe("COMPLETED");
  });

  it("have no two landmarks of one name, however many lists and questions a page shows", async () => {
    const ids = [await install("four"), await install("five")];
    const { page } = await served.open("/");
    await page.evaluate('import("/assets/elements.js").then(() => undefined)');
    const tasks = ids.map((task) => ({ tag: "slip-task", with: { task } }) as const);
    const lists = ["four", "five"].map((app) => ({ tag: "slip-activity", with: { app } }) as const);
    await showElements(page, [...lists, ...tasks]);
    await page.locator("slip-asked").nth(1).waitFor();
    await page.locator("slip-activity").last().getByRole("heading", { name: "Needs you" }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    for (const id of ids) await served.engine.cancel(id);
  });

  it("offer to try again first where a part failed, then to answer once more; what is left empty stays", async () => {
    const { id } = await served.engine.install("six", { inputs: { fussy: { key: "k" } } });
    await served.engine.settled(id);
    const screen = await served.open(`/activity/${id}`);
    const { page } = screen;
    const asked = page.locator("slip-asked");
    await asked.getByText(/since \d/).waitFor();
    expect(await asked.getByRole("button").allInnerTexts()).toEqual(["Retry", "Answer", "Skip", "Cancel"]);
    expect(await asked.locator("button.primary").allInnerTexts()).toEqual(["Retry"]);
    expect(await page.title()).toMatch(/^\(1\) Install .+ · Slipway$/);
    // One clock, for as long as it runs.
    const took = page.locator("slip-task .meta > span").last();
    const before = await took.textContent();
    await expect.poll(() => took.textContent()).not.toBe(before);
    await asked.getByRole("button", { name: "Answer" }).click();
    const key = page.locator("slip-inputs").getByRole("textbox", { name: "Key" });
    await expect.poll(() => key.getAttribute("placeholder")).toBe("Kept unless you change it");
    expect(await key.inputValue()).toBe("");
    await expectFine(screen, "questions once more");
    const revision = served.engine.task(`${id}~fussy`)?.revision ?? 0;
    await page.getByRole("button", { name: "Send" }).click();
    await expect.poll(() => served.engine.task(`${id}~fussy`)?.revision ?? 0).toBeGreaterThan(revision);
    await served.engine.cancel(id);
    await expect.poll(() => page.title()).toMatch(/^Install .+ · Slipway$/);
  });

  it("leave the keyboard in the page when what was pressed is gone", async () => {
    const id = await install("eight");
    const { page } = await served.open("/");
    const home = page.getByRole("heading", { name: "Home" });
    await decide(page, "Cancel: Install").click();
    await page.getByRole("button", { name: "Keep going" }).click();
    await expect.poll(() => nameFocused(page)).toBe("Cancel");
    await decide(page, "Cancel: Install").click();
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
    await expect.poll(() => state(id)).toBe("CANCELLED");
    await expect.poll(() => home.evaluate((heading) => heading.matches(":focus"))).toBe(true);
  });

  it("lead to their app once they are done, and do not miss steps that there are none of", async () => {
    const id = await install("seven");
    expect(state(id)).toBe("COMPLETED");
    const { page } = await served.open(`/activity/${id}`);
    await page
      .locator("slip-parts")
      .getByText(/^Done in /)
      .waitFor();
    await page.locator("slip-task header").getByRole("link").click();
    await page.waitForURL("**/apps/seven");
    await expect.poll(() => page.title()).toContain("Seven · Slipway");
  });

  it("are put away, where they failed as a whole", async () => {
    await served.control("arm", "job-validation@app.create*1");
    const id = await install("three");
    expect(state(id)).toBe("FAILED");
    const screen = await served.open("/");
    const { page } = screen;
    await decide(page, "Put away: Install").waitFor();
    await expectFine(screen, "home, with what failed");
    await decide(page, "Put away: Install").click();
    await page.getByText("Nothing needs you").waitFor();
    await expect.poll(() => state(id)).toBe("DISMISSED");
  });
});
