/** The kind of a picture by its content: what an author or a server calls it counts for nothing. */

/** The kinds that are shown. */
export const ICON_TYPES = ["image/svg+xml", "image/png", "image/webp", "image/jpeg"] as const;

export type IconType = (typeof ICON_TYPES)[number];

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const JPEG = [0xff, 0xd8, 0xff];
const RIFF = [0x52, 0x49, 0x46, 0x46];
const WEBP = [0x57, 0x45, 0x42, 0x50];

/** The kind of a picture; null where it is none of them. */
export function findIconType(bytes: Uint8Array): IconType | null {
  const has = (at: number, wanted: readonly number[]) => wanted.every((byte, index) => bytes[at + index] === byte);
  if (has(0, PNG)) return "image/png";
  if (has(0, JPEG)) return "image/jpeg";
  if (has(0, RIFF) && has(8, WEBP)) return "image/webp";
  return isSvg(bytes) ? "image/svg+xml" : null;
}

/** What may stand before the root element, each with its end. A document type has no declarations of its own (see below). */
const PROLOG = [
  ["<?", "?>"],
  ["<!--", "-->"],
  ["<!DOCTYPE", ">"],
] as const;

/** UTF-8 whose root element is `svg`. Declarations are refused: an entity that holds others a thousandfold is made of them. */
function isSvg(bytes: Uint8Array): boolean {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return false;
  }
  let at = skipSpace(text, 0);
  for (;;) {
    const part = PROLOG.find(([begin]) => text.startsWith(begin, at));
    if (part === undefined) return /^<svg[\s/>]/.test(text.slice(at, at + 5));
    const [begin, finish] = part;
    const end = text.indexOf(finish, at + begin.length);
    if (end === -1 || (begin === "<!DOCTYPE" && text.slice(at, end).includes("["))) return false;
    at = skipSpace(text, end + finish.length);
  }
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && " \t\r\n".includes(text.charAt(at))) at += 1;
  return at;
}
