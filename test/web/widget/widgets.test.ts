import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectFine } from "../support/screen.ts";
import { type ServedPage, servePage } from "../support/served-page.ts";
import { hear, showElements } from "../support/show-elements.ts";

const CATALOG = fileURLToPath(new URL("../fixtures/tiles", import.meta.url));

const widgets = (...ids: readonly string[]) =>
  ids.map((widget) => ({ tag: "slip-widget" as const, with: { app: "tiles", widget, name: "Tiles" } }));
const tile = (page: Page, title: string) => page.getByRole("article", { name: title });
/** Where the pictures of a tile stand in it: before or after the fields, `|`. */
const order = (page: Page, title: string) =>
  tile(page, title).evaluate((article) =>
    [...(article.querySelector(".body")?.children ?? [])].map((part) => (part.matches("img") ? "picture" : "|")),
  );

describe("widgets in a browser", () => {
  let served: ServedPage;
  beforeAll(async () => {
    served = await servePage({ catalog: CATALOG });
    const { id } = await served.engine.install("tiles");
    expect((await served.engine.settled(id)).state).toBe("COMPLETED");
  });
  afterAll(() => served?.close());

  it("show every slot in every size and placement", async () => {
    const screen = await served.open("/");
    const { page } = screen;
    const window = page.viewportSize() ?? { width: 1280, height: 720 };
    await page.setViewportSize({ ...window, height: 200 });
    await showElements(page, [
      ...widgets("top", "bottom", "left", "right", "both", "image", "any", "foreign"),
      { tag: "slip-widget", with: { app: "tiles", widget: "image", size: "large", label: "Large" } },
    ]);
    await tile(page, "Picture above").getByText("All is well <b>aboard</b>").waitFor();
    // What nobody can see is not read.
    expect(await page.locator('slip-widget[widget="any"]').getAttribute("standing")).toBe("loading");
    await page.setViewportSize(window);
    for (const widget of await page.locator("slip-widget").all()) {
      await widget.scrollIntoViewIfNeeded();
      await expect.poll(() => widget.getAttribute("standing")).toBe("ready");
    }
    await tile(page, "Of any size").getByText("12,345").waitFor();
    expect(await order(page, "Picture above")).toEqual(["picture", "|"]);
    expect(await order(page, "Picture below")).toEqual(["|", "picture"]);
    expect(await order(page, "Picture at the left")).toEqual(["picture", "|"]);
    expect(await order(page, "Picture at the right")).toEqual(["|", "picture"]);
    expect(await order(page, "Pictures at both sides")).toEqual(["picture", "|", "picture"]);
    expect(await order(page, "No picture of others")).toEqual(["|"]);
    expect(await tile(page, "A picture in a slot").getByRole("img", { name: "A ship at sea" }).count()).toBe(2);
    await tile(page, "Picture at the left").getByText("Running, 2:31 of 58:00").waitFor();
    await tile(page, "Picture at the left").getByText("Paused, 1:02:03").waitFor();
    await expectFine(screen, "slots and placements");
  });

  it("say how they stand: available or not and why, to be set up, gone, failed; hidden ones are not seen", async () => {
    const screen = await served.open("/");
    const { page } = screen;
    await showElements(page, [
      ...widgets("setup", "unavailable", "broken", "hidden"),
      { tag: "slip-widget", with: { app: "tiles", widget: "sunk", label: "Sunk", gone: "there is no such widget" } },
    ]);
    await tile(page, "Not set up").getByText("Needs to be set up").waitFor();
    await tile(page, "Not set up").getByText("sign in first").waitFor();
    await tile(page, "Not now").getByText("Not available").waitFor();
    await tile(page, "Not now").getByText("harbour").waitFor();
    await tile(page, "Broken").getByText("Could not be read").waitFor();
    await tile(page, "Broken").getByText("the app speaks gibberish").waitFor();
    await tile(page, "Sunk").getByText("No longer there").waitFor();
    await page.locator('slip-widget[standing="hidden"]').waitFor({ state: "attached" });
    expect(await page.getByText("Never").isVisible()).toBe(false);
    await expectFine(screen, "standings");

    const heard = await hear(page, "slip-open-app");
    await tile(page, "Not set up").getByRole("button", { name: "Show the app" }).click();
    expect(await heard()).toEqual([["slip-open-app", { appId: "tiles" }]]);
  });

  it("are read again by their own interval: a query that fails leaves the last good result, with its time", async () => {
    const screen = await served.open("/");
    await showElements(screen.page, widgets("count"));
    const counted = tile(screen.page, "Counted");
    await counted.getByText("3", { exact: true }).waitFor();
    await counted.getByText("Not up to date").waitFor();
    await counted.getByText("the app answered 503").waitFor();
    await counted.getByText(/^As it was on \d+ \w+ \d{4}/).waitFor();
    expect(await counted.getByText("3", { exact: true }).isVisible()).toBe(true);
    await expectFine(screen, "stale");
  });

  it("run what they offer, and say why they can't", async () => {
    const screen = await served.open("/");
    const { page } = screen;
    const heard = await hear(page, "slip-started", "slip-open-task");
    await showElements(page, widgets("top"));
    const later = tile(page, "Picture above").getByRole("button", { name: "Tell the harbour" });
    await later.waitFor();
    expect(await later.isDisabled()).toBe(true);
    expect(await later.getAttribute("aria-describedby")).toBe("why-1");
    expect(await tile(page, "Picture above").locator("#why-1").textContent()).toMatch(/harbour/);
    await tile(page, "Picture above").getByRole("button", { name: "Look again" }).click();
    await page.locator("slip-widget").getByText("Started: Look again").waitFor();
    await expectFine(screen, "started");
    await page.getByRole("button", { name: "Show the task" }).click();
    const [task] = await served.engine.tasks();
    expect(task).toMatchObject({ appId: "tiles", hookId: "scan" });
    expect(await heard()).toMatchObject([
      ["slip-started", { taskId: task?.id }],
      ["slip-open-task", { taskId: task?.id }],
    ]);
  });

  it("are read at once when the engine says that they changed", async () => {
    const { page } = await served.open("/");
    await showElements(page, widgets("unavailable"));
    await tile(page, "Not now").getByText("Not available").waitFor();
    const { id } = await served.engine.install("harbour");
    expect((await served.engine.settled(id)).state).toBe("COMPLETED");
    // Its own interval is 300 s.
    await tile(page, "Not now").getByText("All is well").waitFor();
  });
});
