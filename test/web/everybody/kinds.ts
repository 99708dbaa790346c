/** The tour as several kinds of people take it, and what is wrong with it for each. */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { readEverything } from "../support/dialog-page.ts";
import { findViolations } from "../support/screen.ts";
import { hearPage, listUnheard } from "./hear.ts";
import { type House, SECRETS } from "./house.ts";
import { bringTools, listColourless, listMoving, listTooWide } from "./look.ts";
import { hearEngine, listStray, markWords } from "./said.ts";
import { readTexts } from "./seen-texts.ts";
import { type Stop, tour } from "./tour.ts";

/** The one rule of axe's that another choice of colours can break. */
const CONTRAST = "color-contrast";

/** On a small telephone by night, with as little moving as can be; `responses`: all the engine has told. */
export async function tourByNight(house: House, stops: readonly Stop[]) {
  const faults: string[] = [];
  const kind = { viewport: { width: 320, height: 4000 }, reducedMotion: "reduce", colorScheme: "dark" } as const;
  let received: readonly Promise<string>[] | undefined;
  const complaints = await tour(house, stops, kind, async ({ page }, name) => {
    received ??= collectResponses(page);
    await bringTools(page);
    const told = (await readEverything(page)).split("\n").filter(holdsSecret);
    const found = [...told, ...(await listTooWide(page)), ...(await listMoving(page)), ...(await findViolations(page))];
    faults.push(...found.map((fault) => `${name}: ${fault}`));
  });
  const responses = await Promise.all(received ?? []);
  return { faults: [...faults, ...complaints, ...responses.filter(holdsSecret)], responses };
}

/** By ear, without colours, and with them by day and by night; `moving`: what moves for those who did not ask for less. */
export async function tourWithoutColours(house: House, stops: readonly Stop[]) {
  const faults: string[] = [];
  const moving: string[] = [];
  const kind = { forcedColors: "active", reducedMotion: "no-preference" } as const;
  const complaints = await tour(house, stops, kind, async ({ page }, name) => {
    await bringTools(page);
    moving.push(...(await listMoving(page)));
    const unheard = listUnheard(await hearPage(page));
    const colourless = [...(await listColourless(page)), ...(await findViolations(page, CONTRAST))];
    await page.emulateMedia({ forcedColors: "none", reducedMotion: "reduce" });
    const byDay = [...(await listTooWide(page)), ...(await findViolations(page))];
    await page.emulateMedia({ colorScheme: "dark" });
    const byNight = await findViolations(page, CONTRAST);
    faults.push(...[...unheard, ...colourless, ...byDay, ...byNight].map((fault) => `${name}: ${fault}`));
    await page.emulateMedia({ colorScheme: "light", ...kind });
  });
  return { faults: [...faults, ...complaints], moving };
}

/** In German, each word of the page's own marked. */
export async function tourInGerman(house: House, stops: readonly Stop[]) {
  const faults: string[] = [];
  const kind = { locale: "de-DE", viewport: { width: 400, height: 4000 } };
  let engineSays: ReturnType<typeof hearEngine> | undefined;
  const complaints = await tour(house, stops, kind, async ({ page }, name) => {
    if (engineSays === undefined) {
      engineSays = hearEngine(page);
      await bringTools(page);
      expect(await readTexts(page)).toContain("Das Token steht in der Datei, die slipway serve beim Start nennt.");
      await markWords(page);
    }
    const found = [
      ...listStray(await readTexts(page), await engineSays()).map((text) => `not of the words file: ${text}`),
      ...(await listTooWide(page)),
      ...(await findViolations(page)),
    ];
    faults.push(...found.map((fault) => `${name}: ${fault}`));
  });
  return { faults: [...faults, ...complaints] };
}

/** Every response from now on: its address, headers and body; what a shared worker receives is not seen here. */
function collectResponses(page: Page): readonly Promise<string>[] {
  const responses: Promise<string>[] = [];
  page.on("response", (response) => {
    const body = response.text().catch(() => "");
    responses.push(body.then((text) => [response.url(), JSON.stringify(response.headers()), text].join("\n")));
  });
  return responses;
}

function holdsSecret(text: string): boolean {
  return Object.values(SECRETS).some((secret) => text.includes(secret));
}
