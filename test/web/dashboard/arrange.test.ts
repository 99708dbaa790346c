import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AppWidget, DashboardTile } from "../../../src/web/api/types.ts";
import {
  findOtherSize,
  keyOf,
  listAddable,
  moveTile,
  placeOfKey,
  toRequest,
  toTile,
} from "../../../src/web/elements/dashboard/arrange.ts";

const app = { appId: "notes", name: "Notes", icon: "" };
const tileOf = (widgetId: string): DashboardTile => ({
  app,
  widgetId,
  title: widgetId,
  size: "small",
  state: "available",
});
const widget = (widgetId: string, sizes?: AppWidget["sizes"]): AppWidget => ({
  app,
  widgetId,
  title: widgetId,
  refresh: 60,
  state: "available",
  ...(sizes !== undefined && { sizes }),
});
const SLOTS = { slots: [] };

describe("arranging", () => {
  it("moves one tile and keeps the order of the others", () => {
    const places = fc.array(fc.string(), { minLength: 1, maxLength: 8 }).chain((names) => {
      const at = fc.integer({ min: -1, max: names.length });
      return fc.tuple(fc.constant([...new Set(names)]), at, at);
    });
    fc.assert(
      fc.property(places, ([names, from, to]) => {
        const tiles = names.map(tileOf);
        const moved = moveTile(tiles, from, to).map(({ widgetId }) => widgetId);
        const name = names[from];
        expect(moved.toSorted()).toEqual(names.toSorted());
        expect(moved.filter((each) => each !== name)).toEqual(names.filter((each) => each !== name));
        if (name !== undefined) expect(moved.indexOf(name)).toBe(Math.min(Math.max(to, 0), names.length - 1));
      }),
    );
  });

  it("by keys stays within the dashboard", () => {
    const to = (key: string, from: number) => placeOfKey(key, from, 3);
    expect(["ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown", "Home", "End", "a"].map((key) => to(key, 1))).toEqual([
      0,
      0,
      2,
      2,
      0,
      2,
      undefined,
    ]);
    expect([to("ArrowLeft", 0), to("ArrowRight", 2), to("Home", 0), to("constructor", 1)]).toEqual(
      Array(4).fill(undefined),
    );
  });

  it("offers the other size where the widget has one, and what is not there yet", () => {
    const all = [widget("any"), widget("one", { small: SLOTS }), widget("two", { small: SLOTS, large: SLOTS })];
    expect(["any", "one", "two", "gone"].map((id) => findOtherSize(tileOf(id), all))).toEqual([
      "large",
      undefined,
      "large",
      undefined,
    ]);
    expect(listAddable(all, [tileOf("one")]).map(keyOf)).toEqual(["notes/any", "notes/two"]);
    const added = [toTile(widget("any")), toTile(widget("wide", { large: SLOTS }))];
    expect(toRequest(added).tiles).toEqual([
      { appId: "notes", widgetId: "any", size: "small" },
      { appId: "notes", widgetId: "wide", size: "large" },
    ]);
  });
});
