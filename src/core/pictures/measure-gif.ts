/** GIF: blocks, each of parts that say how many bytes they have, up to an empty one. */
import { type PictureSize, readLittle, readText } from "./picture-bytes.ts";

const EXTENSION = 0x21;
const FRAME = 0x2c;

/** null for what is no GIF, or has another number of frames than one. */
export function measureGif(bytes: Uint8Array): PictureSize | null {
  if (!/^GIF8[79]a/.test(readText(bytes, 0, 6))) return null;
  let found: PictureSize | null = null;
  let at = 13 + measureColours(bytes[10]);
  while (bytes[at] === EXTENSION || bytes[at] === FRAME) {
    if (bytes[at] === EXTENSION) {
      at = skipParts(bytes, at + 2);
      continue;
    }
    if (found !== null) return null;
    // A browser makes room for a frame that is larger than the screen it stands on.
    found = {
      width: Math.max(readLittle(bytes, 6, 2), readLittle(bytes, at + 1, 2) + readLittle(bytes, at + 5, 2)),
      height: Math.max(readLittle(bytes, 8, 2), readLittle(bytes, at + 3, 2) + readLittle(bytes, at + 7, 2)),
    };
    at = skipParts(bytes, at + 11 + measureColours(bytes[at + 9]));
  }
  return found;
}

/** Bytes of a table of colours. */
function measureColours(flags = 0): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}

/** The place past the empty part. */
function skipParts(bytes: Uint8Array, from: number): number {
  let at = from;
  for (let length = bytes[at] ?? 0; length > 0; length = bytes[at] ?? 0) at += 1 + length;
  return at + 1;
}
