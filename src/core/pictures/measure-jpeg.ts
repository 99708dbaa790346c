/** JPEG: segments, each after a marker of 0xFF and its kind. */
import { type PictureSize, readBig } from "./picture-bytes.ts";

/** Most scans: a progressive picture has some ten, and goes through all of its pixels in each. */
const MOST_SCANS = 64;

/** null for what is no JPEG, has no size before its first scan, or very many scans. */
export function measureJpeg(bytes: Uint8Array): PictureSize | null {
  if (readBig(bytes, 0, 2) !== 0xff_d8) return null;
  let at = 2;
  while (bytes[at] === 0xff) {
    // More of them may fill the space before a segment.
    while (bytes[at + 1] === 0xff) at += 1;
    const kind = bytes[at + 1] ?? 0;
    const length = readBig(bytes, at + 2, 2);
    if (isFrame(kind)) {
      return hasFewScans(bytes) ? { width: readBig(bytes, at + 7, 2), height: readBig(bytes, at + 5, 2) } : null;
    }
    // Those below, and up to the end marker, have no length.
    if (kind < 0xc0 || (kind >= 0xd0 && kind <= 0xda) || !(length >= 2)) return null;
    at += 2 + length;
  }
  return null;
}

/** SOF0 to SOF15, without the three tables that have numbers among theirs. */
function isFrame(kind: number): boolean {
  return kind >= 0xc0 && kind <= 0xcf && kind !== 0xc4 && kind !== 0xc8 && kind !== 0xcc;
}

/** In a scan 0xFF is never followed by this kind: no fewer than there are are counted. */
function hasFewScans(bytes: Uint8Array): boolean {
  let scans = 0;
  for (let at = bytes.indexOf(0xff); at !== -1; at = bytes.indexOf(0xff, at + 1))
    if (bytes[at + 1] === 0xda) scans += 1;
  return scans <= MOST_SCANS;
}
