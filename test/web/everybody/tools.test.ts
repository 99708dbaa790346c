/** What looks at the page for everybody finds something, where there is something to find. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startChromium } from "../support/chromium.ts";
import { findViolations } from "../support/screen.ts";
import { hearPage, listUnheard } from "./hear.ts";
import { bringTools, listColourless, listMoving, listTooWide } from "./look.ts";
import { listStray } from "./said.ts";
import { readTexts } from "./seen-texts.ts";

const BAD = `<!doctype html><title>⟦Seite⟧</title>
<style>
  @keyframes turn { to { rotate: 1turn } }
  .turning { animation: turn 9s infinite }
  .bare { border: 0; outline: 0 }
  .faint { color: #ccc; background: #ddd }
</style>
<main>
  <h2>⟦Titel⟧</h2>
  <h4>Left over</h4>
  <button class="bare" aria-label=""><i class="turning"></i></button>
  <button class="bare" aria-pressed="true" style="background: Canvas">said</button>
  <p class="badge good"></p>
  <p class="faint">pale</p>
  <p aria-live="polite"></p><p aria-live="polite"></p>
  <div style="overflow-x: auto; width: 90px"><div class="wide" style="width: 100px">⟦breit⟧</div></div>
  <div style="width: 500px">⟦breiter⟧</div>
</main>`;

let browser: Browser;
let page: Page;
beforeAll(async () => {
  browser = await startChromium();
  page = await browser.newPage({ viewport: { width: 320, height: 800 } });
  await page.setContent(BAD);
  await bringTools(page);
});
afterAll(() => browser?.close());

it("hears what has no name, what is out of its order, and what speaks at once", async () => {
  expect(listUnheard(await hearPage(page))).toEqual([
    "a button without a name",
    "the first heading is of level 2",
    "a heading of level 4 below none of 3: 2 4",
    "2 live regions",
  ]);
});

it("sees what is too wide, what moves, and what is faint", async () => {
  expect(await listTooWide(page)).toEqual(["the page is 508 wide", "div. is 100 wide in 90"]);
  expect(await listMoving(page)).toEqual(["turn"]);
  expect(await findViolations(page, "color-contrast")).toEqual([expect.stringContaining(".faint")]);
});

it("sees what is there by its colour alone", async () => {
  await page.emulateMedia({ forcedColors: "active" });
  const found = await listColourless(page);
  expect(found.map((fault) => fault.replace(/.*"/, "").trim())).toEqual([
    "has no border",
    "has a focus nobody sees",
    "is chosen by colour alone",
    "has a focus nobody sees",
    "stands by colour alone",
  ]);
});

it("reads the words that are neither of the file nor the engine's", async () => {
  expect(listStray(await readTexts(page), new Set(["said", "pale"]))).toEqual(["Left over"]);
});
