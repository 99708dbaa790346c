import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectFine } from "../support/screen.ts";
import { type ServedPage, servePage } from "../support/served-page.ts";
import { showElements } from "../support/show-elements.ts";

const FIXTURE = fileURLToPath(new URL("../fixtures/tiles", import.meta.url));

const titles = (page: Page) =>
  page.locator("slip-dashboard .tiles").getByRole("heading", { level: 3 }).allTextContents();
const arrange = (page: Page) => page.getByRole("button", { name: "Arrange" });
const focused = (page: Page) =>
  page.evaluate(() => {
    let at = document.activeElement;
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    return at?.getAttribute("aria-label");
  });

describe("the dashboard in a browser", () => {
  const catalog = mkdtempSync(join(tmpdir(), "slipway-tiles-"));
  let served: ServedPage;
  const put = (...ids: readonly string[]) =>
    served.engine.arrangeDashboard({ tiles: ids.map((widgetId) => ({ appId: "tiles", widgetId })) });
  const kept = async () => (await served.engine.dashboard()).tiles.map(({ widgetId, size }) => `${widgetId} ${size}`);
  const open = async () => {
    const screen = await served.open("/");
    await showElements(screen.page, [{ tag: "slip-dashboard" }]);
    return screen;
  };
  beforeAll(async () => {
    cpSync(FIXTURE, catalog, { recursive: true });
    served = await servePage({ catalog });
    const { id } = await served.engine.install("tiles");
    expect((await served.engine.settled(id)).state).toBe("COMPLETED");
  });
  afterAll(async () => {
    await served?.close();
    rmSync(catalog, { recursive: true, force: true });
  });

  it("has the widgets of the installed apps until somebody arranges it", async () => {
    const screen = await open();
    await screen.page.getByRole("article", { name: "Picture above" }).getByText("All is well").waitFor();
    expect((await titles(screen.page)).length).toBe((await served.engine.dashboard()).tiles.length);
    await expectFine(screen, "default dashboard");
  });

  it("is arranged by keyboard: moved, resized, removed, added, and all the default again", async () => {
    await put("top", "any", "setup");
    const screen = await open();
    const { page } = screen;
    await arrange(page).click();
    await page.getByRole("button", { name: "Make Of any size large" }).waitFor();
    await expectFine(screen, "arranging");
    await page.getByRole("button", { name: "Move Picture above, place 1 of 3" }).focus();
    await page.keyboard.press("ArrowRight");
    expect(await focused(page)).toBe("Move Picture above, place 2 of 3");
    await page.keyboard.press("End");
    await expect.poll(kept).toEqual(["any small", "setup small", "top small"]);
    await page.getByText("Picture above is at place 3 of 3").waitFor({ state: "attached" });
    await page.getByRole("button", { name: "Move Picture above forward" }).press("Enter");
    await page.getByRole("button", { name: "Make Of any size large" }).press("Enter");
    await page
      .getByRole("button", { name: "Remove Not set up" })
      .or(page.getByRole("button", { name: "Remove setup" }))
      .press("Enter");
    await expect.poll(kept).toEqual(["any large", "top small"]);
    await page.getByRole("button", { name: "Add Picture below" }).press("Enter");
    await expect.poll(kept).toEqual(["any large", "top small", "bottom small"]);
    expect(await focused(page)).toBe("Move Picture below, place 3 of 3");
    await page.getByRole("button", { name: "Back to default" }).press("Enter");
    await expect.poll(async () => (await served.engine.dashboard()).arranged).toBe(false);
  });

  it("is arranged by a pointer, and seen so in another tab", async () => {
    await put("top", "bottom", "setup");
    const { page } = await open();
    const { page: other } = await open();
    await other.getByRole("article", { name: "Not set up" }).waitFor();
    await arrange(page).click();
    const from = await page.getByRole("button", { name: "Move Picture above, place 1 of 3" }).boundingBox();
    const to = await page.getByRole("button", { name: "Move Picture below, place 2 of 3" }).boundingBox();
    if (from === null || to === null) throw new Error("the tiles have no place on the page");
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 4 });
    await page.mouse.up();
    await expect.poll(kept).toEqual(["bottom small", "top small", "setup small"]);
    await expect.poll(() => titles(other)).toEqual(["Picture below", "Picture above", "Not set up"]);
  });

  it("marks what is gone from the catalog, asks nobody about it, and lets it be removed", async () => {
    await served.engine.arrangeDashboard({
      tiles: [
        { appId: "harbour", widgetId: "ships", size: "large" },
        { appId: "tiles", widgetId: "hidden" },
      ],
    });
    const screen = await open();
    const { page } = screen;
    const ships = page.getByRole("article", { name: "Ships" });
    await ships.getByText("Not available").waitFor();
    rmSync(join(catalog, "harbour.json"));
    await served.engine.syncCatalog();
    await ships.getByText("No longer there").waitFor();
    // The widget itself may have been quicker than the dashboard to hear of it.
    const told = screen.faults.splice(0);
    expect(told.filter((fault) => !fault.endsWith("status of 404 (Not Found)"))).toEqual([]);
    expect(await page.getByText("Never").count()).toBe(0);
    await arrange(page).click();
    await page.getByText("Never (Tiles): Hidden by its own conditions").waitFor();
    await expectFine(screen, "gone and hidden");
    await page.getByRole("button", { name: "Remove Ships" }).click();
    await expect.poll(kept).toEqual(["hidden small"]);
  });
});
