import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  lookFor,
  PAGE_SIZE,
  type Place,
  START,
  toQuery,
  turnBack,
  turnOn,
} from "../../../src/web/elements/apps/catalog-place.ts";
import { describeStanding, listMarks } from "../../../src/web/elements/apps/describe-app.ts";
import { pageAddress } from "../../../src/web/elements/apps/page-address.ts";
import { chooseHue, readInitials } from "../../../src/web/ui/format/letters.ts";
import { en } from "../../../src/web/ui/words/en.ts";

describe("a place in the catalog", () => {
  it("asks for a page of what is looked for", () => {
    expect(toQuery(START)).toEqual({ limit: PAGE_SIZE });
    expect(toQuery({ search: " a b ", filter: "installed", turned: ["m"] })).toEqual({
      limit: PAGE_SIZE,
      search: "a b",
      installed: true,
      after: "m",
    });
    expect(toQuery({ search: " ", filter: "upgrades", turned: [] })).toEqual({ limit: PAGE_SIZE, upgradable: true });
  });

  it("comes back to the page before, and to the first where something else is looked for", () => {
    const place: Place = turnOn(turnOn(START, "m"), "t");
    expect(turnBack(place)).toEqual(turnOn(START, "m"));
    expect(turnBack(START)).toEqual(START);
    expect(lookFor(place, { search: "x" })).toEqual({ search: "x", filter: "all", turned: [] });
  });
});

describe("what is said of an app", () => {
  const installed = (state: string, upgradeAvailable = false) => ({
    installed: { state, version: "1.0.0", upgradeAvailable, baseUrl: "", lifecycles: [] },
  });
  it("says of no app that it is not installed where the host never answered", () => {
    expect(describeStanding(en, {}).word).toBe("Not known");
    expect(describeStanding(en, { installed: null }).word).toBe("Not installed");
  });

  it("has a word for each state of the host, and shows one it does not know by its name", () => {
    const words = ["RUNNING", "CRASHED", "DEPLOYING", "STOPPED", "STOPPING", "MELTING"].map(
      (state) => describeStanding(en, installed(state)).word,
    );
    expect(words).toEqual(["Running", "Crashed", "Starting", "Stopped", "Stopping", "MELTING"]);
  });

  it("has a mark for whatever else matters", () => {
    const marks = (app: Parameters<typeof listMarks>[1]) => listMarks(en, app).map(({ word }) => word);
    expect(marks({ usable: true, deprecated: false, installed: null })).toEqual([]);
    expect(marks({ usable: false, deprecated: true, ...installed("RUNNING", true) })).toEqual([
      "Upgrade available",
      "No install script",
      "No longer maintained",
    ]);
  });
});

describe("letters of an app", () => {
  it("are those of its words", () => {
    expect(["Demo Notes", "home-assistant", "Über", "  7zip web ui", "", "!?", "日本 語"].map(readInitials)).toEqual([
      "DN",
      "HA",
      "Ü",
      "7W",
      "?",
      "?",
      "日語",
    ]);
  });

  it("are short and have a hue, whatever the name", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (name) => {
        // Some letters become two in capitals, as ß does.
        expect([...readInitials(name)].length).toBeLessThanOrEqual(6);
        expect(chooseHue(name)).toBeGreaterThanOrEqual(0);
        expect(chooseHue(name)).toBeLessThan(360);
      }),
      { numRuns: 30 },
    );
  });
});

describe("addresses", () => {
  it("of the page stand beside the interface", () => {
    expect(pageAddress("/api", "apps", "demo-notes", "install")).toBe("/apps/demo-notes/install");
    expect(pageAddress("/slipway/api", "apps", "../x")).toBe("/slipway/apps/..%2Fx");
    expect(pageAddress("https://nas.test/slipway/api/", "apps", "a")).toBe("https://nas.test/slipway/apps/a");
  });
});
