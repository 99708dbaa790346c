/** Pictures within a text: those of widgets. Pure. */
import { readDataAddress } from "./data-address.ts";
import { measureSvg } from "./draw-cost.ts";
import { measurePicture } from "./measure-picture.ts";

/** The pixels the picture of a `data:` address unpacks to; null where it is none a browser shows in no time. */
export function measureData(address: string): number | null {
  const read = readDataAddress(address);
  if (read === null) return null;
  const { type, bytes } = read;
  // A browser tells other pictures by what they hold, and so do we.
  if (!/svg|xml/i.test(type)) return measurePicture(bytes)?.pixels ?? null;
  return /charset\s*=(?!\s*"?(?:utf-?8|us-ascii)\b)/i.test(type) ? null : measureSvg(bytes);
}
