/** The kind of a picture by its content: what an author or a server calls it counts for nothing. */
import { measureSvg } from "../../../core/pictures/draw-cost.ts";
import { measurePicture } from "../../../core/pictures/measure-picture.ts";

/** The kinds that are shown. */
export const ICON_TYPES = ["image/svg+xml", "image/png", "image/webp", "image/jpeg"] as const;

export type IconType = (typeof ICON_TYPES)[number];

/** The kind of a picture; null where it is none of them, or one that holds up whoever shows it. */
export function findIconType(bytes: Uint8Array): IconType | null {
  const type = measurePicture(bytes)?.type ?? (measureSvg(bytes) === null ? null : "image/svg+xml");
  return type === "image/gif" ? null : type;
}
