/** Every screen and every state of its dialogs, as they are for people who see, hear or read otherwise. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bringToEnd } from "./end.ts";
import { type House, openHouse } from "./house.ts";
import { tourByNight, tourInGerman, tourWithoutColours } from "./kinds.ts";
import { listLastStops, listStops } from "./stops.ts";

describe("the page for everybody", () => {
  let house: House;
  beforeAll(async () => {
    house = await openHouse();
  });
  afterAll(() => house?.close());

  it("fits a window of 320 px by night, moves nothing for those who asked for that, and tells no secret", async () => {
    const { faults, responses } = await tourByNight(house, listStops(house));
    expect(responses.some((response) => response.includes("503 of ********"))).toBe(true);
    expect(faults).toEqual([]);
  });

  it("is fine by day and by night, and needs neither colours nor eyes: borders, words, names, headings in their order, one voice", async () => {
    const { faults, moving } = await tourWithoutColours(house, listStops(house));
    expect(faults).toEqual([]);
    // What moves for others: else the test before this one could not fail.
    expect(moving).toContain("pulse");
  });

  it("speaks German: no word of its own left over, and what German makes longer fits", async () => {
    expect((await tourInGerman(house, listStops(house))).faults).toEqual([]);
  });

  describe("whose host others have changed, and whose engine is about to close", () => {
    let close: (() => Promise<void>) | undefined;
    beforeAll(async () => {
      close = await bringToEnd(house);
    });
    afterAll(() => close?.());

    it.each([
      ["at 320 px by night", tourByNight],
      ["without colours and eyes", tourWithoutColours],
      ["in German", tourInGerman],
    ])("is all of this %s", async (_, go) => {
      expect((await go(house, listLastStops(house))).faults).toEqual([]);
    });
  });
});
