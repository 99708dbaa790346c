/** PNG: chunks with a length, a name and a sum. */
import { type PictureSize, readBig, readText } from "./picture-bytes.ts";

/** null for what is no PNG, or one that moves (`acTL`). */
export function measurePng(bytes: Uint8Array): PictureSize | null {
  const isPng = readText(bytes, 0, 8) === "\x89PNG\r\n\x1a\n" && readBig(bytes, 8, 4) === 13;
  if (!isPng || readText(bytes, 12, 4) !== "IHDR") return null;
  // The walk ends past the end, where there is no length.
  for (let at = 8; at < bytes.length; at += 12 + readBig(bytes, at, 4)) {
    if (readText(bytes, at + 4, 4) === "acTL") return null;
  }
  return { width: readBig(bytes, 16, 4), height: readBig(bytes, 20, 4) };
}
