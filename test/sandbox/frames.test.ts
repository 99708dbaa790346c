import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encodeFrame, type Frame, FrameError, FrameReader } from "../../sandbox/protocol/frames.ts";

const LIMITS = { header: 100, frame: 200 };

/** Feeds bytes cut at the given places. */
function read(bytes: Buffer, cuts: readonly number[] = []): Frame[] {
  const reader = new FrameReader(LIMITS);
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return places.slice(1).flatMap((end, i) => [...reader.push(bytes.subarray(places[i] ?? 0, end))]);
}

function part(fault: () => unknown): string | undefined {
  try {
    fault();
  } catch (error) {
    return error instanceof FrameError ? error.part : String(error);
  }
  return undefined;
}

function prefix(length: number, header: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32LE(length, 0);
  bytes.writeUInt32LE(header, 4);
  return bytes;
}

describe("a stream of frames", () => {
  test("comes out as it went in, however it is cut", () => {
    const frames = fc.array(fc.tuple(fc.string({ maxLength: 20 }), fc.uint8Array({ maxLength: 80 })), { maxLength: 5 });
    fc.assert(
      fc.property(frames, fc.array(fc.nat()), (given, cuts) => {
        const bytes = Buffer.concat(given.flatMap(([header, body]) => encodeFrame(header.toWellFormed(), body)));
        const found = read(bytes, cuts);
        expect(found.map(({ header, body }) => [header, [...body]])).toEqual(
          given.map(([header, body]) => [header.toWellFormed(), [...body]]),
        );
      }),
    );
  });

  test("that arrives byte by byte is read in time proportional to its bytes", { timeout: 20_000 }, () => {
    const size = 400_000;
    const reader = new FrameReader({ header: 100, frame: size + 100 });
    const bytes = Buffer.concat(encodeFrame('{"a":1}', new Uint8Array(size).fill(7)));
    const frames: Frame[] = [];
    for (let i = 0; i < bytes.length; i++) frames.push(...reader.push(bytes.subarray(i, i + 1)));
    expect(frames.map(({ header, body }) => [header, body.length])).toEqual([['{"a":1}', size]]);
    expect(reader.held).toBe(0);
  });

  test("of any bytes ends in frames, in waiting or in a fault", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        expect([undefined, "shape", "header", "frame"]).toContain(part(() => read(Buffer.from(bytes))));
      }),
    );
  });
});

describe("a frame is refused from its first eight bytes", () => {
  test.each([
    ["a header past its limit", 150, 101, "header"],
    ["a whole past its limit", 4 + 201, 10, "frame"],
    ["4 GB", 0xffffffff, 10, "frame"],
    ["a header longer than the frame", 8, 5, "shape"],
    ["no room for its own length", 3, 0, "shape"],
  ])("for %s", (_, length, header, refused) => {
    expect(part(() => read(prefix(length, header)))).toBe(refused);
  });

  test("and one just within the limits is waited for", () => {
    const reader = new FrameReader(LIMITS);
    expect([...reader.push(prefix(4 + 200, 100))]).toEqual([]);
    expect(reader.held).toBe(8);
  });
});
