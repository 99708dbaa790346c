/** A way through screens of the page and states of its dialogs, by whatever language they are in. */
import type { Page } from "playwright-core";
import { openScreen, type Screen } from "../support/screen.ts";
import type { House } from "./house.ts";

export interface Stop {
  readonly name: string;
  /** Address below the page's; the one before by default. */
  readonly path?: string;
  /** What is done there; `ready` is then waited for. */
  readonly go?: (page: Page) => Promise<unknown>;
  /** CSS, through every shadow root. */
  readonly ready: string;
}

/** What the browser says of the wrong token and of the lost connection that are on the way. */
const PROVOKED = /status of 401 \(Unauthorized\)$|net::ERR_INTERNET_DISCONNECTED$/;

/** Goes all the way in a browser of this kind, and has each stop looked at; gives what the browser complained of besides. */
export async function tour(
  house: House,
  stops: readonly Stop[],
  options: Parameters<House["browser"]["newContext"]>[0],
  look: (screen: Screen, name: string) => Promise<void>,
): Promise<readonly string[]> {
  // So high that all of a screen is in sight: widgets are read when they are seen.
  const context = await house.browser.newContext({ viewport: { width: 1280, height: 4000 }, ...options });
  const screen = await openScreen(context, house.server.url);
  for (const { name, path, go, ready } of stops) {
    if (path !== undefined) await goTo(screen.page, path);
    await go?.(screen.page);
    await screen.page.locator(ready).first().waitFor();
    await look(screen, name);
    await context.setOffline(false);
  }
  await context.close();
  return screen.faults.filter((fault) => !PROVOKED.test(fault));
}

/** Goes within the page, as its own links do. */
function goTo(page: Page, path: string): Promise<void> {
  return page.evaluate((address) => {
    history.pushState(null, "", address);
    dispatchEvent(new PopStateEvent("popstate"));
  }, `/${path}`);
}
