/** The catalog in a browser, in front of 10,000 apps, some of which mean harm. */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DEMO_CATALOG } from "../../support/engine/served-engine.ts";
import { generatedId } from "../../support/scripts/generated-catalog.ts";
import { rawScript } from "../../support/scripts/scripts.ts";
import { expectFine, type Screen } from "../support/screen.ts";
import { type ServedPage, servePage } from "../support/served-page.ts";
import { countNodes, showElement } from "../support/show-element.ts";

const APPS = 10_000;

const HOSTILE = {
  "bad-image": { name: "<img src=x onerror=alert(1)>", description: "<script>alert(1)</script>&amp;{{1+1}}" },
  "bad-link": { name: "javascript:alert(1)", description: "[click](javascript:alert(1)) http://evil.test" },
  "bad-order": { name: "safe\u202Egpj.exe\u2066", description: "\u202Eeverything turned round\u202D" },
  "bad-length": { name: `${"W".repeat(10_000)}`, description: "very\u00A0".repeat(2_000) },
};

describe("the catalog", () => {
  const folder = mkdtempSync(join(tmpdir(), "slipway-catalog-"));
  let served: ServedPage;
  beforeAll(async () => {
    cpSync(DEMO_CATALOG, folder, { recursive: true });
    for (let n = 0; n < APPS; n++) writeFileSync(join(folder, `${generatedId(n)}.json`), JSON.stringify(rawScript()));
    for (const [id, texts] of Object.entries(HOSTILE)) {
      const metadata = { ...texts, icon: "icon.svg", version: "1.0.0" };
      writeFileSync(join(folder, `${id}.json`), JSON.stringify(rawScript({ custom: true, metadata })));
    }
    served = await servePage({ catalog: folder });
  });
  afterAll(async () => {
    await served?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const cards = ({ page }: Screen) => page.locator("slip-catalog .app");
  const cardOf = ({ page }: Screen, name: string) => page.getByRole("link", { name, exact: true });
  const find = (screen: Screen, words: string) => screen.page.getByRole("searchbox").fill(words);
  const choose = (screen: Screen, filter: string) =>
    screen.page.getByRole("button", { name: filter, exact: true }).click();

  it("shows the first of 10,000 apps on a bounded page, and turns to those after", async () => {
    const screen = await showElement(served, "slip-catalog");
    const sizes: Promise<number>[] = [];
    screen.page.on("response", (response) => {
      if (response.url().includes("/api/apps?")) sizes.push(response.body().then(({ length }) => length));
    });
    await cardOf(screen, "App 00000").waitFor();
    expect(await cards(screen).count()).toBe(48);
    const nodes = await countNodes(screen);
    expect(nodes).toBeLessThan(4_000);
    await expectFine(screen, "catalog");

    await screen.page.getByRole("button", { name: "Next page" }).click();
    await cardOf(screen, "App 00048").waitFor();
    expect(await cards(screen).count()).toBe(48);
    expect(Math.abs((await countNodes(screen)) - nodes)).toBeLessThan(100);
    await screen.page.getByRole("button", { name: "Previous page" }).click();
    await cardOf(screen, "App 00000").waitFor();
    const bytes = await Promise.all(sizes);
    expect(bytes.length).toBeGreaterThanOrEqual(2);
    for (const each of bytes) expect(each).toBeLessThan(30_000);
  });

  it("finds apps by their words, and says where there is none", async () => {
    const screen = await showElement(served, "slip-catalog");
    await find(screen, "  NOTES demo");
    await expect.poll(() => cards(screen).count()).toBe(1);
    await cardOf(screen, "Demo Notes").waitFor();
    await screen.page.getByText("Not installed", { exact: true }).waitFor();
    await choose(screen, "Upgrades");
    await screen.page.getByText("No app has an upgrade.").waitFor();
    await expectFine(screen, "nothing found");
    await choose(screen, "All");
    await find(screen, "09999");
    await cardOf(screen, "App 09999").waitFor();
    expect(await cards(screen).count()).toBe(1);
  });

  it("shows what authors wrote as text that fits, whatever it is", async () => {
    const screen = await showElement(served, "slip-catalog");
    await find(screen, "bad-");
    await expect.poll(() => cards(screen).count()).toBe(Object.keys(HOSTILE).length);
    await cardOf(screen, HOSTILE["bad-image"].name).waitFor();
    await screen.page.getByText(HOSTILE["bad-image"].description).waitFor();
    const hrefs = await screen.page.locator("slip-catalog a").evaluateAll((links) => links.map((link) => String(link)));
    expect(hrefs.filter((href) => !href.startsWith(served.server.url))).toEqual([]);
    expect(await screen.page.locator("slip-catalog :is(script, iframe, [onerror])").count()).toBe(0);
    await expectFine(screen, "hostile names");
  });

  it("leads to an app by its address, unless the page around opens it", async () => {
    const screen = await showElement(served, "slip-catalog");
    await find(screen, "demo-notes");
    await expect.poll(() => cards(screen).count()).toBe(1);
    await screen.page.evaluate(() => {
      document.addEventListener("slip-open-app", (event) => {
        if (!(event instanceof CustomEvent)) return;
        event.preventDefault();
        document.title = JSON.stringify(event.detail);
      });
    });
    await cardOf(screen, "Demo Notes").click();
    await expect.poll(() => screen.page.title()).toBe('{"appId":"demo-notes"}');
    await screen.page.getByRole("link", { name: "Install Demo Notes" }).click();
    await expect.poll(() => screen.page.title()).toBe('{"appId":"demo-notes","dialog":"install"}');
    expect(new URL(screen.page.url()).pathname).toBe("/");

    const plain = await showElement(served, "slip-catalog");
    await find(plain, "demo-notes");
    await expect.poll(() => cards(plain).count()).toBe(1);
    await cardOf(plain, "Demo Notes").click();
    await plain.page.waitForURL("**/apps/demo-notes");
  });

  it("follows what the host does, and keeps the place for whoever comes back", async () => {
    const screen = await showElement(served, "slip-catalog");
    await find(screen, "demo notes");
    await expect.poll(() => cards(screen).count()).toBe(1);
    expect((await served.post("/apps/demo-notes/install", {})).status).toBe(202);
    await screen.page.getByText("Running", { exact: true }).waitFor();
    await choose(screen, "Installed");
    await expect.poll(() => cards(screen).count()).toBe(1);
    await expectFine(screen, "an installed app");
    await screen.page.evaluate(() => {
      const old = document.querySelector("slip-catalog");
      old?.replaceWith(document.createElement("slip-catalog"));
    });
    await cardOf(screen, "Demo Notes").waitFor();
    expect(await screen.page.getByRole("searchbox").inputValue()).toBe("demo notes");
  });

  it("says when the engine is away, keeps what was typed, and tries again", async () => {
    const { page, faults } = await showElement(served, "slip-catalog");
    await cardOf({ page, faults }, "App 00000").waitFor();
    await page.context().setOffline(true);
    await find({ page, faults }, "00007");
    await page.getByRole("alert").waitFor();
    await page.context().setOffline(false);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("alert").waitFor({ state: "hidden" });
    await cardOf({ page, faults }, "App 00007").waitFor();
    expect(faults.filter((fault) => !fault.includes("ERR_INTERNET_DISCONNECTED"))).toEqual([]);
  });
});
