/** An author's picture is drawn on the thread of the page it is shown in: none that holds it up is shown. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findIconType } from "../../../src/engine/surfaces/icons/icon-type.ts";
import { PICTURES, toDataAddress } from "../../support/pictures.ts";

const isShown = (svg: string) => findIconType(Buffer.from(svg)) === "image/svg+xml";
const draw = (inside: string) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">${inside}</svg>`;
const SQUARE = '<path d="M0 0h9v9z"/>';

/** Ways by which one element is drawn for others: what has `levels` names, and draws the one below so many `times`. */
const REPEATS: Readonly<Record<string, (inside: string, id: string, below: string | null, times: number) => string>> = {
  use: (inside, id, below, times) => `<g id="${id}">${below ? `<use href="#${below}"/>`.repeat(times) : inside}</g>`,
  mask: (inside, id, below, times) =>
    `<mask id="${id}">${below ? `<path mask="url(#${below})"/>`.repeat(times) : inside}</mask>`,
  "an inherited pattern": (inside, id, below, times) =>
    `<pattern id="${id}">${below ? `<g fill="url('#${below}')">${SQUARE.repeat(times)}</g>` : inside}</pattern>`,
  "a style": (inside, id, below, times) =>
    `<clipPath id="${id}">${below ? `<path style="clip-path: URL( &quot;#${below}&quot; )"/>`.repeat(times) : inside}</clipPath>`,
  "a style sheet": (inside, id, below, times) =>
    below
      ? `<style>.x, .${id} { fill: url(#${below}) }</style><pattern id="${id}">${`<path class="a ${id}"/>`.repeat(times)}</pattern>`
      : `<pattern id="${id}">${inside}</pattern>`,
};

function repeat(way: string, times: number, levels: number): string {
  const write = REPEATS[way] ?? (() => "");
  const names = Array.from({ length: levels + 1 }, (_, level) => `a${level}`);
  const parts = names.map((id, level) => write(SQUARE, id, names[level - 1] ?? null, times));
  return draw(`<defs>${parts.join("")}</defs><use xlink:href="#a${levels}"/><path fill="url(#a${levels})"/>`);
}

describe("a picture whose parts are drawn again and again", () => {
  it.each(Object.keys(REPEATS))("by %s is shown where they are few, and never where they are many", (way) => {
    expect(isShown(repeat(way, 2, 1))).toBe(true);
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 9 }), fc.integer({ min: 1, max: 40 }), (times, levels) => {
        fc.pre(times ** levels > 10_000);
        expect(isShown(repeat(way, times, levels))).toBe(false);
      }),
      { numRuns: 30 },
    );
  });

  it("in a circle, or over five thousand names, is not shown", () => {
    expect(isShown(draw('<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>'))).toBe(false);
    expect(isShown(draw(`<g id="a">${'<use href="#a"/>'.repeat(1_000)}</g>`))).toBe(false);
    expect(isShown(repeat("use", 1, 5_000))).toBe(false);
  });
});

describe("a picture that holds a page up", () => {
  it.each([
    ["is many parts", draw("<g/>".repeat(20_000))],
    ["is deep", draw(`${"<g>".repeat(300)}${"</g>".repeat(300)}`)],
    ["is drawn at each corner of a path", draw('<marker id="m"/><path marker-mid="url(#m)"/>')],
    ["has a line of a million parts", draw('<path stroke-dasharray="0.0001"/>')],
    ["has such a line by its style", draw('<path style="stroke-dasharray:.0001"/>')],
    ["has such a line by a sheet", draw("<style>path{stroke-dasharray/**/:/**/.0001}</style>")],
    ["moves", draw('<path><animate attributeName="x" dur="1s"/></path>')],
    ["moves by its style", draw("<style>@keyframes a{to{x:1}}</style>")],
    ["is a chain of effects", draw(`<path style="filter:${"blur(9px) ".repeat(99)}"/>`)],
    ["has a filter of many steps", draw(`<filter id="f">${"<feOffset/>".repeat(1_000)}</filter>`)],
    ["makes noise", draw('<filter id="f"><feTurbulence numOctaves="200"/></filter>')],
    ["holds a page", draw("<foreignObject><p/></foreignObject>")],
    ["holds a page by a prefix", draw('<x:foreignObject xmlns:x="http://www.w3.org/2000/svg"/>')],
    ["holds another drawing", draw('<image href="data:image/svg+xml,%3Csvg/%3E"/>')],
    ["holds another drawing by its style", draw("<g style=\"mask:url('data:image/svg+xml,x')\"/>")],
    ["holds another drawing by a set", draw("<style>g{mask:image-set('data:image/svg+xml,x' 1x)}</style>")],
    ["takes its style from elsewhere", `<?xml-stylesheet href="data:text/css,"?>${draw("")}`],
    ["is another text to a browser", `<?xml version="1.0" encoding="iso-2022-jp"?>${draw("")}`],
    ["imports its style", draw("<style>@import 'data:text/css,';</style>")],
    ["links its style", draw('<link xmlns="http://www.w3.org/1999/xhtml" rel="stylesheet" href="data:text/css,"/>')],
    ["hides a name by a variable", draw('<g style="--a:url(#b)"><path fill="var(--a)"/></g>')],
    ["hides a name by an escape", draw('<path fill="u\\72l(#a)"/>')],
    ["hides a name by a percent sign", draw('<use href="#%61"/>')],
    ["hides a refused word behind an entity", draw('<path style="stroke-dash&#97;rray:.1"/>')],
  ])("because it %s is not shown", (_, svg) => {
    expect(isShown(svg)).toBe(false);
  });

  it.each([
    "&nope;",
    "& ",
    "<g>",
    "</g>",
    "<g a=b/>",
    '<g a="<"/>',
    "<![CDATA[",
    "<!--",
    "<svg/>]]><",
    "<g/",
    "&#x110000;",
  ])("or is no XML (%s) is not shown", (inside) => {
    expect(isShown(draw(inside))).toBe(false);
  });

  it("is found out at once, however it is written", () => {
    for (const part of ["<", "url(", "url( ", "{", "}", "/*", "&", "\"'", " a='", "<g ", "<!--", "<style>"]) {
      const long = part.repeat(Math.floor(240_000 / part.length));
      expect([part, isShown(draw(long)) && /[<&]/.test(part)]).toEqual([part, false]);
      isShown(draw(`<style>${long}</style>`));
      isShown(draw(`<path style="${long.replaceAll('"', "")}"/>`));
    }
  });
});

describe("pictures as tools write them", () => {
  it.each([
    ["with gradients used again and again", draw(`<linearGradient id="a"/>${'<path fill="url(#a)"/>'.repeat(2_000)}`)],
    [
      "of Illustrator",
      `<?xml version="1.0" encoding="utf-8"?>\n<!-- Generator: x --><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">\n${draw(`<metadata><?xpacket begin="x"?></metadata><style type="text/css"><![CDATA[.st0{clip-path:url(#SVGID_2_);} .st1{fill:url(#g);enable-background:new;font-family:'Arial'}]]></style><g><defs><rect id="SVGID_1_" width="9" height="9"/></defs><clipPath id="SVGID_2_"><use xlink:href="#SVGID_1_" style="overflow:visible;"/></clipPath><g class="st0">${SQUARE.repeat(300)}</g></g>`)}`,
    ],
    [
      "of Sketch",
      draw(
        `<title>R&amp;D &#8211; &#x2014;</title><defs><path id="path-1"/></defs><g><mask id="mask-2" fill="white"><use xlink:href="#path-1"/></mask><use fill="#D8D8D8" xlink:href="#path-1"/><g mask="url(#mask-2)">${SQUARE.repeat(100)}</g></g>`,
      ),
    ],
    [
      "of Figma",
      draw(
        `<g clip-path="url(#clip0)" filter="url(#f)"><rect fill="url(#pattern0)"/></g><defs><filter id="f"><feFlood/><feGaussianBlur stdDeviation="2"/></filter><pattern id="pattern0"><use xlink:href="#image0"/></pattern><clipPath id="clip0"><rect/></clipPath><image id="image0" xlink:href="${toDataAddress("image/png", PICTURES.png)}"/></defs>`,
      ),
    ],
    [
      "of Inkscape",
      draw(
        '<sodipodi:namedview inkscape:export-filename="C:\\a.png"/><metadata><rdf:RDF><cc:Work rdf:about=""/></rdf:RDF></metadata><radialGradient id="b" xlink:href="#a"/><path style="fill:url(#b);stroke-dasharray: none; stroke-dasharray: 0"/>',
      ),
    ],
  ])("%s are shown", (_, svg) => {
    expect(isShown(svg)).toBe(true);
  });
});
