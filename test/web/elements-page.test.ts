/** The page of examples, `npm run elements`: every element stands in it and shows something of a real engine. */
import { readFileSync } from "node:fs";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OpenedExamples, openExamples } from "../../scripts/elements/open-examples.ts";
import { startChromium } from "./support/chromium.ts";
import { expectFine, openScreen, type Screen } from "./support/screen.ts";

const DIALOGS = [
  "slip-install",
  "slip-options",
  "slip-upgrade",
  "slip-rollback",
  "slip-uninstall",
  "slip-adopt",
  "slip-inputs",
];

describe("the page of examples", () => {
  let opened: OpenedExamples;
  let browser: Browser;
  let screen: Screen;
  beforeAll(async () => {
    [opened, browser] = await Promise.all([openExamples(0), startChromium()]);
    screen = await openScreen(await browser.newContext({ locale: "en-GB" }), opened.url);
  });
  afterAll(async () => {
    await browser?.close();
    await opened?.close();
  });

  it("has every element the documentation has, and no event it has not", () => {
    const docs = readFileSync(new URL("../../docs/page.md", import.meta.url), "utf8");
    const rows = docs.split("\n").filter((line) => line.startsWith("| `slip-"));
    const events = new Map(
      rows.flatMap((row) => {
        const [, tags = "", , told = ""] = row.split("|");
        return listNames(tags).map((tag) => [tag, listNames(told)] as const);
      }),
    );
    expect(opened.examples.map(({ tag }) => tag).toSorted()).toEqual([...events.keys()].toSorted());
    const unknown = opened.examples.flatMap(({ tag, tells }) =>
      Object.keys(tells).filter((name) => events.get(tag)?.includes(name) !== true),
    );
    expect(unknown).toEqual([]);
  });

  it("shows each, and nothing is wrong with it", async () => {
    const { page } = screen;
    for (const { tag, elsewhere } of opened.examples) {
      if (DIALOGS.includes(tag) || elsewhere !== undefined) continue;
      const live = page.locator(`#example-${tag} .live ${tag}`);
      await live.scrollIntoViewIfNeeded();
      await expect.poll(() => live.evaluate(countShown), { message: tag }).toBeGreaterThan(0);
    }
    await expect.poll(() => page.getByText("Loading", { exact: false }).count()).toBe(0);
    await page.locator("#example-slip-activity").getByRole("button", { name: "Install Demo Media" }).first().click();
    await page.getByLabel("Event of slip-activity", { exact: true }).getByText("slip-open-task").waitFor();
    await expectFine(screen, "examples");
  });

  it.each(DIALOGS)("opens %s by its button, and closes it", async (tag) => {
    const { page, faults } = screen;
    await page.locator(`#example-${tag} .live button`).first().click();
    await page.getByRole("dialog").getByRole("heading").first().waitFor();
    await page.keyboard.press("Escape");
    await page.locator(`#example-${tag} ${tag}`).waitFor({ state: "detached" });
    // What the browser writes where the engine knows the app already, which no adoption is for.
    expect(faults.filter((fault) => !fault.includes("status of 409"))).toEqual([]);
  });
});

/** Names of elements or events in a cell of a table. */
function listNames(cell: string): string[] {
  return [...cell.matchAll(/`(slip-[\w-]+)/g)].map(([, name = ""]) => name);
}

/** Letters and pictures within an element, those in shadow roots below it too. */
function countShown(element: Element): number {
  const count = (node: Node): number =>
    node.nodeType === Node.TEXT_NODE
      ? (node.textContent ?? "").trim().length
      : node instanceof SVGElement || node instanceof HTMLImageElement
        ? 1
        : [
            ...(node instanceof Element && node.shadowRoot !== null ? [node.shadowRoot] : []),
            ...(node instanceof HTMLStyleElement ? [] : node.childNodes),
          ].reduce((sum, child) => sum + count(child), 0);
  return count(element);
}
