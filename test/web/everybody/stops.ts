/** Every screen of the page and every state of its dialogs, in an order a person could come past them. */
import type { Page } from "playwright-core";
import type { House } from "./house.ts";
import type { Stop } from "./tour.ts";

const click = (selector: string) => (page: Page) => page.locator(selector).first().click();
const fill = (selector: string, text: string) => (page: Page) => page.locator(selector).first().fill(text);
const onward = click("slip-dialog button.primary");

/** Of a house in order. */
export function listStops({ token, tasks: { failed, asks, signsIn, refused } }: House): readonly Stop[] {
  return [
    { name: "log-in", ready: "slip-login input" },
    { name: "a wrong token", go: (page) => logIn(page, "another"), ready: ".refusal" },
    { name: "home", go: (page) => logIn(page, token), ready: 'slip-widget[standing="ready"]' },
    { name: "home, arranging", go: click("#arrange"), ready: ".addable h3" },
    { name: "apps", path: "apps", ready: ".apps .card" },
    { name: "apps, more of one", go: click("summary.button"), ready: ".apps details a" },
    {
      name: "apps, nothing found",
      go: fill("input[type=search]", "zzz"),
      ready: "slip-catalog-view p.muted:not(.about)",
    },
    { name: "upgrades of all apps", path: "apps", go: click('a[href$="/upgrades"]'), ready: "slip-upgrades li code" },
    { name: "upgrades by themselves", go: chooseWindow, ready: "slip-upgrade-policy #cron" },
    { name: "an app", path: "apps/photos", ready: "slip-app-page-view #pairings" },
    { name: "an app to upgrade", path: "apps/cloud", ready: "slip-app-page-view #actions" },
    { name: "an app with widgets", path: "apps/tiles", ready: 'slip-widget[standing="ready"]' },
    { name: "a faulty app", path: "apps/broken", ready: "slip-app-page-view .columns" },
    { name: "install", path: "apps/gallery/install", ready: "slip-password" },
    { name: "install, an answer refused", go: onward, ready: ".refused" },
    {
      name: "install, a rail",
      go: async (page) => {
        await page.locator("slip-question input").first().fill("ada");
        await onward(page);
      },
      ready: "slip-questions h3",
    },
    { name: "install, review", go: onward, ready: "slip-review .effects li" },
    { name: "install, customized", go: click("slip-review summary"), ready: "slip-picker .row" },
    {
      name: "install, a target with its questions",
      go: click('[data-target="notes"] input:not(:disabled)'),
      ready: "slip-picker slip-password",
    },
    { name: "install, out of reach", go: (page) => goOffline(page), ready: "slip-install .refusal" },
    { name: "install again", path: "apps/media/install", ready: "slip-review .effects li" },
    { name: "custom install", path: "apps/gallery/custom", ready: "slip-password" },
    { name: "install without a dropped hook", path: "apps/broken/install", ready: "slip-review .missing" },
    { name: "options", path: "apps/photos/options", ready: "slip-options section" },
    { name: "options, one refused", go: fill("input[inputmode=decimal]", "wide"), ready: ".refused" },
    { name: "options, differences", go: fill("input[inputmode=decimal]", "800"), ready: ".differences li" },
    { name: "upgrade", path: "apps/cloud/upgrade", ready: "slip-upgrade .differences li" },
    { name: "upgrade there is none of", path: "apps/photos/upgrade", ready: "slip-upgrade :is(.problem, .refusal)" },
    { name: "rollback", path: "apps/photos", go: click('a[href$="/rollback"]'), ready: "slip-rollback section li" },
    { name: "rollback there is no way to", path: "apps/chess/rollback", ready: "slip-rollback section .refusal" },
    { name: "rollback to nothing", path: "apps/cloud/rollback", ready: "slip-rollback .body > p" },
    { name: "an app of others", path: "apps/minecraft/adopt", ready: "slip-adopt slip-question" },
    { name: "an app of others, asked about", go: fill("slip-adopt input", "12"), ready: "slip-adopt .primary:enabled" },
    { name: "uninstall", path: "apps/photos/uninstall", ready: "slip-uninstall li" },
    { name: "uninstall with data", go: click("slip-uninstall label:last-child"), ready: "slip-uninstall section > p" },
    { name: "activity", path: "activity", ready: "slip-activity-row" },
    { name: "who changed what", path: "audit", ready: "slip-audit li" },
    { name: "a task that failed", path: `activity/${failed}`, ready: "slip-parts .card" },
    { name: "its end asked about", go: click("slip-task header button"), ready: "slip-task header [role=group]" },
    { name: "its machine", go: click("#tab-machine"), ready: "slip-chart .present" },
    { name: "its whole way", go: click("slip-machine-view summary"), ready: "slip-machine-view .way li" },
    { name: "its log", go: click("#tab-log"), ready: "slip-log-view li" },
    { name: "a task that asks", path: `activity/${asks}`, ready: "slip-asked button" },
    { name: "a question", path: `activity/${asks}/answer/${asks}~greet`, ready: "slip-inputs slip-question" },
    { name: "a sign-in", path: `activity/${signsIn}/answer/${signsIn}`, ready: "slip-pin output" },
    { name: "a sign-in that failed", path: `activity/${refused}/answer/${refused}`, ready: "slip-pin [role=alert]" },
    { name: "locations", path: "files", ready: ".entries li" },
    { name: "a folder", go: click(".entries a"), ready: "slip-files-view nav [aria-current]" },
    { name: "notifications", path: "notifications", ready: "slip-notifications p, slip-notifications li" },
    { name: "health", path: "health", ready: "slip-health .card" },
    { name: "nowhere", path: "nowhere", ready: "main > h1" },
  ];
}

/** Of one that others have changed, whose engine is about to close. */
export function listLastStops({ token }: House): readonly Stop[] {
  return [
    { name: "log-in", ready: "slip-login input" },
    { name: "health, at the end", path: "health", go: (page) => logIn(page, token), ready: "slip-drift li .button" },
    { name: "an app with drift", path: "apps/photos", ready: "slip-drift li button" },
  ];
}

async function logIn(page: Page, token: string): Promise<void> {
  await page.locator("slip-login input").fill(token);
  await page.locator("slip-login button").click();
}

/** What is typed now the engine can't be asked about. */
async function goOffline(page: Page): Promise<void> {
  await page.context().setOffline(true);
  await page.locator("slip-picker slip-question input").last().press("End");
  await page.locator("slip-picker input[type=checkbox]:not(:disabled)").last().click();
}

/** Upgrades that begin in a window of all apps, beside one of an app's own. */
async function chooseWindow(page: Page): Promise<void> {
  await page.locator("slip-upgrade-policy h3").waitFor();
  await page.locator("slip-upgrade-policy select").selectOption("automatic");
  await page.locator("slip-upgrade-policy summary").click();
}
