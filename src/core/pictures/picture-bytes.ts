/** Reading the bytes of pictures, which may end anywhere. */

/** As a header says it, in pixels. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** A number of some bytes, the greatest first; NaN past the end. */
export function readBig(bytes: Uint8Array, at: number, length: number): number {
  let number = 0;
  for (let index = at; index < at + length; index += 1) number = number * 256 + (bytes[index] ?? Number.NaN);
  return number;
}

/** A number of some bytes, the smallest first; NaN past the end. */
export function readLittle(bytes: Uint8Array, at: number, length: number): number {
  let number = 0;
  for (let index = at + length - 1; index >= at; index -= 1) number = number * 256 + (bytes[index] ?? Number.NaN);
  return number;
}

/** Some bytes as characters; fewer past the end. */
export function readText(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length));
}
