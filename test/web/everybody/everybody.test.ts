/** Every screen and every state of its dialogs, as they are for people who see, hear or read otherwise. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readEverything } from "../support/dialog-page.ts";
import { findViolations } from "../support/screen.ts";
import { hearPage, listUnheard } from "./hear.ts";
import { type House, openHouse, SECRETS } from "./house.ts";
import { bringTools, listColourless, listMoving, listTooWide } from "./look.ts";
import { hearEngine, listStray, markWords } from "./said.ts";
import { readTexts } from "./seen-texts.ts";
import { tour } from "./tour.ts";

/** The one rule of axe's that another choice of colours can break. */
const CONTRAST = "color-contrast";

describe("the page for everybody", () => {
  let house: House;
  beforeAll(async () => {
    house = await openHouse();
  });
  afterAll(() => house?.close());

  it("fits a window of 320 px by night, moves nothing for those who asked for that, and tells no secret", async () => {
    const found: string[] = [];
    const kind = { viewport: { width: 320, height: 4000 }, reducedMotion: "reduce", colorScheme: "dark" } as const;
    let received: readonly Promise<string>[] | undefined;
    const complaints = await tour(house, kind, async ({ page }, name) => {
      received ??= collectResponses(page);
      await bringTools(page);
      const told = (await readEverything(page)).split("\n").filter(holdsSecret);
      const faults = [
        ...told,
        ...(await listTooWide(page)),
        ...(await listMoving(page)),
        ...(await findViolations(page)),
      ];
      found.push(...faults.map((fault) => `${name}: ${fault}`));
    });
    const responses = await Promise.all(received ?? []);
    expect(responses.some((response) => response.includes("503 of ********"))).toBe(true);
    expect([...found, ...complaints, ...responses.filter(holdsSecret)]).toEqual([]);
  });

  it("is fine by day and by night, and needs neither colours nor eyes: borders, words, names, headings in their order, one voice", async () => {
    const found: string[] = [];
    const moving: string[] = [];
    const kind = { forcedColors: "active", reducedMotion: "no-preference" } as const;
    const complaints = await tour(house, kind, async ({ page }, name) => {
      await bringTools(page);
      moving.push(...(await listMoving(page)));
      const unheard = listUnheard(await hearPage(page));
      const colourless = [...(await listColourless(page)), ...(await findViolations(page, CONTRAST))];
      await page.emulateMedia({ forcedColors: "none", reducedMotion: "reduce" });
      const byDay = [...(await listTooWide(page)), ...(await findViolations(page))];
      await page.emulateMedia({ colorScheme: "dark" });
      const byNight = await findViolations(page, CONTRAST);
      found.push(...[...unheard, ...colourless, ...byDay, ...byNight].map((fault) => `${name}: ${fault}`));
      await page.emulateMedia({ colorScheme: "light", ...kind });
    });
    expect([...found, ...complaints]).toEqual([]);
    // What moves for others: else the test before this one could not fail.
    expect(moving).toContain("pulse");
  });

  it("speaks German: no word of its own left over, and what German makes longer fits", async () => {
    const found: string[] = [];
    let engineSays: ReturnType<typeof hearEngine> | undefined;
    const complaints = await tour(
      house,
      { locale: "de-DE", viewport: { width: 400, height: 4000 } },
      async ({ page }, name) => {
        if (engineSays === undefined) {
          engineSays = hearEngine(page);
          await bringTools(page);
          expect(await readTexts(page)).toContain("Das Token steht in der Datei, die slipway serve beim Start nennt.");
          await markWords(page);
        }
        const faults = [
          ...listStray(await readTexts(page), await engineSays()).map((text) => `not of the words file: ${text}`),
          ...(await listTooWide(page)),
          ...(await findViolations(page)),
        ];
        found.push(...faults.map((fault) => `${name}: ${fault}`));
      },
    );
    expect([...found, ...complaints]).toEqual([]);
  });
});

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
