import { describe, expect, it, test } from "vitest";
import type { Widget } from "../../../src/web/api/types.ts";
import { isAbout } from "../../../src/web/elements/widget/is-about.ts";
import { formatElapsed, isOwnPicture, layOut } from "../../../src/web/elements/widget/lay-out.ts";

const PICTURE = "data:image/gif;base64,R0lGODlhAQABAAAAACw=";
const fields: NonNullable<Widget["fields"]> = {
  films: { type: "stat", label: "Films", value: 12 },
  note: { type: "text", text: "All well" },
  poster: { type: "image", image: PICTURE, alt: "A ship" },
  page: { type: "image", image: "data:text/html,<script>alert(1)</script>" },
};
const small = (placement: "top" | "bottom", field: string): Widget["sizes"] => ({
  small: { slots: [{ type: "text", field: "note" }], media: { placement, field } },
});

describe("a tile", () => {
  it("shows the slots of its size in their order, and its picture", () => {
    const sizes: Widget["sizes"] = {
      small: { slots: [{ type: "stat", field: "films" }] },
      large: {
        slots: [
          { type: "text", field: "note" },
          { type: "stat", field: "films" },
        ],
        media: { placement: "both", field: "poster" },
      },
    };
    expect(layOut({ fields, sizes }, "small")).toEqual({ size: "small", fields: [fields["films"]], media: undefined });
    expect(layOut({ fields, sizes }, "large")).toEqual({
      size: "large",
      fields: [fields["note"], fields["films"]],
      media: { placement: "both", image: PICTURE, alt: "A ship" },
    });
  });

  it("leaves the place of a field empty that is missing, of another type, or no picture", () => {
    const slots = [
      { type: "text", field: "films" },
      { type: "stat", field: "nothing" },
      { type: "stat", field: "constructor" },
    ] as const;
    const sizes: Widget["sizes"] = { large: { slots, media: { placement: "left", field: "page" } } };
    expect(layOut({ fields, sizes }, "large")).toEqual({ size: "large", fields: [], media: undefined });
    expect(layOut({ fields, sizes: small("top", "note") }, "small").media).toBeUndefined();
  });

  it("of no declared size shows all fields, of one alone that one", () => {
    expect(layOut({ fields }, "large").fields).toEqual(Object.values(fields));
    expect(layOut({ fields, sizes: small("bottom", "poster") }, "large")).toMatchObject({
      size: "small",
      media: { placement: "bottom" },
    });
  });
});

test("a picture asks nobody else", () => {
  expect(["data:image/png;base64,AA==", "DATA:image/svg+xml,<svg/>"].every(isOwnPicture)).toBe(true);
  expect(
    ["https://evil.example/a.png", "//evil.example/a.png", "a.png", "data:text/html,x", " data:image/png,"].some(
      isOwnPicture,
    ),
  ).toBe(false);
});

test("what has passed is told as on a clock", () => {
  expect([0, 59_999, 151_000, 3_723_000, -5].map(formatElapsed)).toEqual(["0:00", "0:59", "2:31", "1:02:03", "0:00"]);
});

test("a widget is read anew for hints about it, the app in the catalog, any app on the host, or everything", () => {
  const changed = (app: string, whole = true) =>
    ({ type: "catalog.changed", added: [], changed: [app], removed: [], whole }) as const;
  const isOwn = (hint: Parameters<typeof isAbout>[0]) => isAbout(hint, "notes", "count");
  expect(isOwn({ type: "widget.changed", appId: "notes", widgetId: "count" })).toBe(true);
  expect(isOwn({ type: "widget.changed", appId: "notes", widgetId: "other" })).toBe(false);
  expect(isOwn({ type: "app.changed", appId: "media" })).toBe(true);
  expect([changed("notes"), changed("media"), changed("media", false)].map(isOwn)).toEqual([true, false, true]);
  expect([isOwn({ type: "hints.lost" }), isOwn({ type: "dashboard.changed" })]).toEqual([true, false]);
});
