/** WebP: chunks of RIFF, with a name and a length each. */
import { type PictureSize, readBig, readLittle, readText } from "./picture-bytes.ts";

/** null for what is no WebP, moves, or tells several sizes. */
export function measureWebp(bytes: Uint8Array): PictureSize | null {
  if (readText(bytes, 0, 4) !== "RIFF" || readText(bytes, 8, 4) !== "WEBP") return null;
  let found: PictureSize | null = null;
  for (let at = 12; at < bytes.length; ) {
    const name = readText(bytes, at, 4);
    if (name === "ANIM" || name === "ANMF") return null;
    if (name.startsWith("VP8")) {
      const size = measureChunk(name, bytes, at + 8);
      // The canvas of an extended one is as large as its only frame.
      if (size === null || (found !== null && !isSame(size, found))) return null;
      found = size;
    }
    const length = readLittle(bytes, at + 4, 4);
    // Chunks begin at even places.
    at += 8 + length + (length % 2);
  }
  return found;
}

function isSame(one: PictureSize, other: PictureSize): boolean {
  return one.width === other.width && one.height === other.height;
}

function measureChunk(name: string, bytes: Uint8Array, at: number): PictureSize | null {
  switch (name) {
    case "VP8 ":
      // The upper two bits of each side scale what is shown, not what is unpacked.
      if (readBig(bytes, at + 3, 3) !== 0x9d_01_2a) return null;
      return { width: readLittle(bytes, at + 6, 2) % 0x40_00, height: readLittle(bytes, at + 8, 2) % 0x40_00 };
    case "VP8L": {
      const sides = readLittle(bytes, at + 1, 4) % 0x1000_0000;
      return bytes[at] === 0x2f ? { width: (sides % 0x40_00) + 1, height: Math.floor(sides / 0x40_00) + 1 } : null;
    }
    case "VP8X":
      // The second bit says that it moves.
      if (((bytes[at] ?? 0) & 2) !== 0) return null;
      return { width: readLittle(bytes, at + 4, 3) + 1, height: readLittle(bytes, at + 7, 3) + 1 };
    default:
      return null;
  }
}
