/** The kind of a picture by its content: what an author or a server calls it counts for nothing. */
import { isQuicklyDrawn } from "../../../core/pictures/draw-cost.ts";

/** The kinds that are shown. */
export const ICON_TYPES = ["image/svg+xml", "image/png", "image/webp", "image/jpeg"] as const;

export type IconType = (typeof ICON_TYPES)[number];

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const JPEG = [0xff, 0xd8, 0xff];
const RIFF = [0x52, 0x49, 0x46, 0x46];
const WEBP = [0x57, 0x45, 0x42, 0x50];

/** The kind of a picture; null where it is none of them, or one that holds up whoever shows it. */
export function findIconType(bytes: Uint8Array): IconType | null {
  const has = (at: number, wanted: readonly number[]) => wanted.every((byte, index) => bytes[at + index] === byte);
  if (has(0, PNG)) return "image/png";
  if (has(0, JPEG)) return "image/jpeg";
  if (has(0, RIFF) && has(8, WEBP)) return "image/webp";
  return isQuicklyDrawn(bytes) ? "image/svg+xml" : null;
}
