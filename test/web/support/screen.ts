/** A page of the engine as a person has it before them, and all that may go wrong with it unseen. */
import axe from "axe-core";
import type { BrowserContext, Page } from "playwright-core";
import { expect } from "vitest";

/** How a screen is looked at: on a desk by day and by night, and on a small telephone. */
const LOOKS = [
  { name: "light", colorScheme: "light", width: 1280 },
  { name: "dark", colorScheme: "dark", width: 1280 },
  { name: "400 px", colorScheme: "light", width: 400 },
  { name: "400 px, dark", colorScheme: "dark", width: 400 },
] as const;

export interface Screen {
  readonly page: Page;
  /** What the browser complained of: console errors, refusals of the policy among them, uncaught errors, failed requests. */
  readonly faults: string[];
}

/** Opens an address in a tab that is watched from its first byte. */
export async function openScreen(context: BrowserContext, url: string): Promise<Screen> {
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") faults.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => faults.push(`uncaught: ${error.message}`));
  page.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText ?? "";
    // What a tab asked for when it went elsewhere fails for that alone.
    if (reason !== "net::ERR_ABORTED") faults.push(`request: ${request.url()} ${reason}`);
  });
  await page.goto(url);
  return { page, faults };
}

/** Expects a screen, as it stands, to be fit for everybody: `listFaults` finds none. */
export async function expectFine(screen: Screen, name: string): Promise<void> {
  expect((await listFaults(screen, name)).join("\n")).toBe("");
}

/**
 * What is wrong with a screen as it stands: what the browser complained of, what axe finds and what is wider than the window,
 * in light and dark, on a desk and at 400 px. The tab is left as it was.
 */
export async function listFaults({ page, faults }: Screen, name: string): Promise<readonly string[]> {
  const before = page.viewportSize();
  const found: string[] = [];
  for (const { name: look, colorScheme, width } of LOOKS) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.setViewportSize({ width, height: 860 });
    const violations = await findViolations(page);
    found.push(...violations.map((violation) => `${name}, ${look}: ${violation}`));
    const wider = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    if (wider > 0) found.push(`${name}, ${look}: ${wider} px wider than the window`);
  }
  if (before !== null) await page.setViewportSize(before);
  await page.emulateMedia({ colorScheme: "light" });
  return [...found, ...faults];
}

declare global {
  /** Where axe puts itself in the page. */
  interface Window {
    axe: typeof axe;
  }
}

/** What axe finds wrong with a page as it stands, each with its place: by all of its rules or by those named. */
export async function findViolations(page: Page, ...rules: readonly string[]): Promise<readonly string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  return page.evaluate(async (named) => {
    const only = named.length === 0 ? {} : { runOnly: [...named] };
    const { violations } = await window.axe.run({ ...only, resultTypes: ["violations"] });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary = "" }) => `${id} at ${JSON.stringify(target)}: ${failureSummary}`),
    );
  }, rules);
}
