/** A picture of some KB may unpack to a GB in the page that shows it: none with many pixels is shown, wherever it stands. */
import { describe, expect, it } from "vitest";
import { readWidgetResult } from "../../../src/core/hooks/widget-result.ts";
import { findIconType } from "../../../src/engine/surfaces/icons/icon-type.ts";
import { MOVING_PICTURES, PICTURES, toDataAddress, writePng } from "../../support/pictures.ts";
import { dictionaryOf } from "../../support/scripts/scripts.ts";

const BOMB = writePng(16_000, 16_000);
const FOUR_MEGAPIXELS = writePng(2_048, 2_048);
const draw = (inside: string) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">${inside}</svg>`;
const embed = (bytes: Buffer, name = "href") => `<image ${name}="${toDataAddress("image/png", bytes)}"/>`;
const iconOf = (svg: string) => findIconType(Buffer.from(svg));

const [widget] = dictionaryOf("plex", {
  widgetsSchema: 2,
  widgets: [{ id: "now", title: "Now", scriptContent: "export async function run() {}", entrypoint: "run" }],
}).widgets;
if (widget === undefined) throw new Error("the widget was dropped");
const query = (fields: Parameters<typeof readWidgetResult>[1]) => readWidgetResult(widget, { fields });
const show = (image: string) => query({ art: { type: "image", image } });

describe("an app's picture", () => {
  it("of 31 KB and 256 megapixels is not shown", () => {
    expect(BOMB.length).toBeLessThan(32_000);
    expect(findIconType(BOMB)).toBeNull();
    expect(findIconType(FOUR_MEGAPIXELS)).toBe("image/png");
  });

  it.each(Object.entries(MOVING_PICTURES))("that is a %s and moves is not shown", (_, bytes) => {
    expect(findIconType(bytes)).toBeNull();
  });

  it("is no GIF", () => {
    expect(findIconType(PICTURES.gif)).toBeNull();
  });
});

describe("a picture within an SVG", () => {
  it.each([
    ["has many pixels", embed(BOMB)],
    ["has many pixels by a prefix", embed(BOMB, "xlink:href")],
    ["moves", embed(MOVING_PICTURES.png)],
    ["is of no size that can be told", '<image href="data:image/png;base64,AAAA"/>'],
    ["has many pixels under another name", embed(BOMB).replace("image/png", "image/jpeg")],
    ["is a GIF", embed(PICTURES.gif)],
    ["has many pixels together with another", embed(FOUR_MEGAPIXELS) + embed(PICTURES.png)],
    ["is drawn again and again", `<g id="a">${embed(writePng(1_024, 1_024))}</g>${'<use href="#a"/>'.repeat(4)}`],
    [
      "is the pattern of many shapes",
      `<pattern id="p">${embed(writePng(1_024, 1_024))}</pattern>${'<path fill="url(#p)"/>'.repeat(4)}`,
    ],
  ])("that %s is not shown", (_, inside) => {
    expect(iconOf(draw(inside))).toBeNull();
  });

  it("of few pixels is shown, in lines too, and as often as they allow", () => {
    const address = toDataAddress("image/png", writePng(1_024, 1_024));
    expect(iconOf(draw(`<image href="${address.replace(/.{76}/g, "$&\n")}"/>`))).toBe("image/svg+xml");
    expect(iconOf(draw(embed(writePng(1_024, 1_024)).repeat(4)))).toBe("image/svg+xml");
    expect(iconOf(draw(embed(PICTURES.png).repeat(100)))).toBe("image/svg+xml");
  });
});

describe("a widget's picture", () => {
  it.each([
    ["of many pixels", toDataAddress("image/png", BOMB)],
    ["of many pixels under another name", toDataAddress("image/x", BOMB)],
    ["of many pixels as text", toDataAddress("text/plain", BOMB)],
    ["of many pixels before a fragment", `${toDataAddress("image/png", BOMB)}#a`],
    ["that moves", toDataAddress("image/webp", MOVING_PICTURES.webp)],
    ["that is none", "data:image/png;base64,AA"],
    ["with such a one in an SVG", toDataAddress("image/svg+xml", Buffer.from(draw(embed(BOMB))))],
  ])("%s is left out", (_, image) => {
    expect(show(image)).toMatchObject({ fields: {}, problems: [{ code: "WIDGET_RESULT_INVALID" }] });
  });

  it.each(Object.values(PICTURES).map((bytes) => [measureName(bytes), bytes] as const))("%s is shown", (_, bytes) => {
    expect(show(toDataAddress("image/any", bytes))).toMatchObject({ fields: { art: {} }, problems: [] });
  });

  it("is left out where those before it have 16 megapixels", () => {
    const image = toDataAddress("image/png", FOUR_MEGAPIXELS);
    const list = (count: number) => ({
      type: "list",
      entries: Array.from({ length: count }, () => ({ title: "x", image })),
    });
    expect(query({ a: list(4), b: list(1), c: { type: "text", text: "x" } })).toMatchObject({
      fields: { a: {}, c: {} },
      problems: [{ code: "WIDGET_RESULT_INVALID", path: ["fields", "b"] }],
    });
    expect(query({ a: list(5) })).toMatchObject({ fields: {}, problems: [{ path: ["fields", "a"] }] });
  });
});

function measureName(bytes: Buffer): string {
  return `the one that begins with ${bytes.subarray(0, 4).toString("hex")} of ${bytes.length} bytes`;
}
