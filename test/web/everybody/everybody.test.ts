/** Every screen and every state of its dialogs, as they are for people who see, hear or read otherwise. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findViolations } from "../support/screen.ts";
import { hearPage, listUnheard } from "./hear.ts";
import { type House, openHouse } from "./house.ts";
import { bringTools, listColourless, listMoving, listTooWide } from "./look.ts";
import { hearEngine, listStray, markWords } from "./said.ts";
import { readTexts } from "./seen-texts.ts";
import { tour } from "./tour.ts";

describe("the page for everybody", () => {
  let house: House;
  beforeAll(async () => {
    house = await openHouse();
  });
  afterAll(() => house?.close());

  it("fits a window of 320 px, and moves nothing for those who asked for that", async () => {
    const found: string[] = [];
    await tour(house, { viewport: { width: 320, height: 4000 }, reducedMotion: "reduce" }, async ({ page }, name) => {
      await bringTools(page);
      const faults = [...(await listTooWide(page)), ...(await listMoving(page))];
      found.push(...faults.map((fault) => `${name}: ${fault}`));
    });
    expect(found).toEqual([]);
  });

  it("needs no colours of its own and no eyes: borders, words, names, headings in their order, one voice", async () => {
    const found: string[] = [];
    const moving: string[] = [];
    await tour(house, { forcedColors: "active", reducedMotion: "no-preference" }, async ({ page }, name) => {
      await bringTools(page);
      moving.push(...(await listMoving(page)));
      const unheard = listUnheard(await hearPage(page));
      const faults = [...unheard, ...(await listColourless(page)), ...(await findViolations(page))];
      found.push(...faults.map((fault) => `${name}: ${fault}`));
    });
    expect(found).toEqual([]);
    // What moves for others: else the test before this one could not fail.
    expect(moving).toContain("pulse");
  });

  it("speaks German: no word of its own left over, and what German makes longer fits", async () => {
    const found: string[] = [];
    let engineSays: ReturnType<typeof hearEngine> | undefined;
    await tour(house, { locale: "de-DE", viewport: { width: 400, height: 4000 } }, async ({ page }, name) => {
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
    });
    expect(found).toEqual([]);
  });
});
