/** What drawing an SVG costs, and what a picture within it adds. */
import { readDataAddress } from "./data-address.ts";
import { measurePicture } from "./measure-picture.ts";
import type { SvgElement } from "./read-svg.ts";

/** Elements drawn and pixels of pictures, each as often as it is drawn. */
export interface Cost {
  readonly drawn: number;
  readonly pixels: number;
}

export const ENDLESS: Cost = { drawn: Number.POSITIVE_INFINITY, pixels: Number.POSITIVE_INFINITY };
export const NOTHING: Cost = { drawn: 0, pixels: 0 };

/** `weight` is how much a drawn element of the other counts; its pictures are unpacked once for each time. */
export function addCost(one: Cost, other: Cost, weight = 1): Cost {
  return { drawn: one.drawn + weight * other.drawn, pixels: one.pixels + other.pixels };
}

/** Pixels of an `<image>`, 0 of another element; without end where they can't be told, or it is of no kind that is shown. */
export function measureEmbedded({ name, attributes }: SvgElement): number {
  if (name !== "image") return 0;
  let pixels = 0;
  for (const [attribute, value] of attributes) {
    if (attribute !== "href" || !value.startsWith("data:")) continue;
    const measured = measurePicture(readDataAddress(value)?.bytes ?? new Uint8Array());
    pixels += measured === null || measured.type === "image/gif" ? Number.POSITIVE_INFINITY : measured.pixels;
  }
  return pixels;
}
