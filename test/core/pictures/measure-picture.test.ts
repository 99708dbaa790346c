/** How many pixels a picture unpacks to, by its own headers, which an author may have written to deceive. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MOST_PIXELS, measurePicture } from "../../../src/core/pictures/measure-picture.ts";
import { MOVING_PICTURES, PICTURES, writePng } from "../../support/pictures.ts";

/** The same picture with other bytes at a place. */
function put(picture: Buffer, at: number, hex: string): Buffer {
  const changed = Buffer.from(picture);
  changed.set(Buffer.from(hex, "hex"), at);
  return changed;
}

const { jpeg, webp, gif, png } = PICTURES;
const SOF = jpeg.indexOf(Buffer.from("ffc0", "hex"));
const SCAN = Buffer.from("ffda", "hex");

describe("the pixels of a picture", () => {
  it.each(Object.entries(PICTURES))("are told of a %s", (name, bytes) => {
    expect(measurePicture(bytes)).toEqual({ type: `image/${name.split(" ").at(-1)}`, pixels: 35 });
  });

  it.each(Object.entries(MOVING_PICTURES))("are not told of a %s that moves", (_, bytes) => {
    expect(measurePicture(bytes)).toBeNull();
  });

  it("are 4 megapixels at most, whatever its sides", () => {
    expect(measurePicture(writePng(2_048, 2_048))?.pixels).toBe(MOST_PIXELS);
    expect(measurePicture(writePng(2_048, 2_049))).toBeNull();
    expect(measurePicture(put(png, 16, "ffffffff00000001"))).toBeNull();
  });

  it.each([
    ["a JPEG of 65,535 lines", put(jpeg, SOF + 5, "ffff0fff")],
    ["a JPEG that tells its lines at the end", put(jpeg, SOF + 5, "0000")],
    ["a JPEG with something between its segments", put(jpeg, 20, "00")],
    ["a JPEG whose segment has no length", put(jpeg, 4, "0000")],
    ["a JPEG of a thousand scans", Buffer.concat([jpeg, ...Array.from({ length: 1_000 }, () => SCAN)])],
    ["a WebP of 16,383 lines", put(webp, 26, "ff3fff3f")],
    ["a WebP without its start code", put(webp, 23, "000000")],
    ["a lossless WebP of 16,384 lines", put(PICTURES["lossless webp"], 21, "ffffffff")],
    ["an extended WebP of 16,777,216 columns", put(PICTURES["extended webp"], 24, "ffffff")],
    ["an extended WebP whose frame is another", put(PICTURES["extended webp"], 62, "ff3fff3f")],
    ["a WebP that moves and does not say so", put(MOVING_PICTURES.webp, 20, "00")],
    ["a GIF of 65,535 lines", put(gif, 6, "ffffffff")],
    ["a GIF whose frame is larger than its screen", put(gif, gif.indexOf(0x2c) + 5, "ffffffff")],
    ["a PNG without its header first", put(png, 12, "74455874")],
    ["a PNG without a line", put(png, 20, "00000000")],
    ["a PNG whose header has another length", put(png, 8, "0000000e")],
    ["a bitmap", Buffer.from("424d46000000000000003600000028000000", "hex")],
    ["an AVIF", Buffer.from("0000001c667479706176696600000000", "hex")],
  ])("are not told of %s", (_, bytes) => {
    expect(measurePicture(bytes)).toBeNull();
  });

  it("are told at once of whatever bytes, and nothing is thrown", () => {
    const real = fc.constantFrom(...Object.values(PICTURES), ...Object.values(MOVING_PICTURES));
    const changes = fc.array(fc.tuple(fc.nat(600), fc.nat(255)), { maxLength: 12 });
    fc.assert(
      fc.property(real, changes, fc.nat(600), fc.boolean(), (picture, changed, length, isCut) => {
        const bytes = Uint8Array.from(isCut ? picture.subarray(0, length) : picture);
        for (const [at, byte] of changed) if (at < bytes.length) bytes[at] = byte;
        const found = measurePicture(bytes);
        if (found === null) return;
        expect(Number.isInteger(found.pixels) && found.pixels > 0 && found.pixels <= MOST_PIXELS).toBe(true);
      }),
      { numRuns: 5_000 },
    );
  });

  it.each(["89504e470d0a1a0a", "ffd8ffe0", "474946383961", "524946460000000057454250"])(
    "of many small parts after %s end",
    (magic) => {
      for (const part of ["00", "ff", "0000000041414141", "2c", "21ff00", "ffe00002", "41414141000000000000"]) {
        const many = Buffer.alloc(262_144, part, "hex");
        expect(measurePicture(Buffer.concat([Buffer.from(magic, "hex"), many]))).toBeNull();
      }
    },
  );
});
