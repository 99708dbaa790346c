/**
 * How many pixels a picture unpacks to, by its own headers: 31 KB may be a GB in the page that shows it. What moves is
 * unpacked picture after picture, for as long as it is shown. Pure.
 */
import { measureGif } from "./measure-gif.ts";
import { measureJpeg } from "./measure-jpeg.ts";
import { measurePng } from "./measure-png.ts";
import { measureWebp } from "./measure-webp.ts";

/** Most pixels of one picture: four million, in binary. */
export const MOST_PIXELS = 4 * 1024 * 1024;

export interface Measured {
  readonly type: "image/png" | "image/jpeg" | "image/webp" | "image/gif";
  readonly pixels: number;
}

const KINDS = [
  ["image/png", measurePng],
  ["image/jpeg", measureJpeg],
  ["image/webp", measureWebp],
  ["image/gif", measureGif],
] as const;

/** A picture's kind and pixels; null where they can't be told, it moves, or it has more than `MOST_PIXELS`. */
export function measurePicture(bytes: Uint8Array): Measured | null {
  for (const [type, measure] of KINDS) {
    const size = measure(bytes);
    const pixels = size === null ? 0 : size.width * size.height;
    if (pixels > 0 && pixels <= MOST_PIXELS) return { type, pixels };
  }
  return null;
}
