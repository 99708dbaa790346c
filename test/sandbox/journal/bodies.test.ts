/** Bodies beside the records: short ones in the row, long ones once. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { BodyPacker, BodyReader } from "../../../sandbox/journal/bodies.ts";
import { JOURNAL_LIMITS } from "../../../sandbox/limits.ts";

const { inlineBytes } = JOURNAL_LIMITS;
const rowOf = (taken: ReturnType<BodyPacker["take"]>) => ({ seq: 0, text: "", digest: "", ...taken });

test("what was put is read, whichever way it is kept and over however many rows", () => {
  const body = fc.oneof(
    fc.uint8Array({ maxLength: 50 }),
    fc.nat(3).map((value) => new Uint8Array(inlineBytes + 1 + value).fill(value)),
  );
  fc.assert(
    fc.property(fc.array(fc.array(body, { maxLength: 5 }), { maxLength: 4 }), (rows) => {
      const packer = new BodyPacker();
      const reader = new BodyReader();
      for (const bodies of rows) {
        const refs = bodies.map((bytes) => packer.put(bytes).ref);
        const row = rowOf(packer.take());
        expect(reader.take(row)).toBe(true);
        for (const [at, ref] of refs.entries()) {
          expect(Buffer.compare(reader.read(ref, row) ?? Buffer.from("missing"), bodies[at] ?? Buffer.of())).toBe(0);
        }
      }
    }),
    { numRuns: 50 },
  );
});

test("the longest that stands in the row, and the shortest that does not", () => {
  const packer = new BodyPacker();
  expect(packer.put(new Uint8Array(inlineBytes))).toEqual({ ref: { at: 0, length: inlineBytes }, added: inlineBytes });
  const long = packer.put(new Uint8Array(inlineBytes + 1));
  expect(long).toEqual({ ref: { sha256: expect.any(String), length: inlineBytes + 1 }, added: inlineBytes + 1 });
  const { bytes, bodies } = packer.take();
  expect([bytes.byteLength, bodies.length]).toEqual([inlineBytes, 1]);
});

test("a long body is kept once, also by a later life", () => {
  const body = new Uint8Array(inlineBytes + 1).fill(7);
  const first = new BodyPacker();
  const { ref } = first.put(body);
  expect(first.put(body)).toEqual({ ref, added: 0 });
  const row = rowOf(first.take());
  expect(row.bodies.length).toBe(1);
  const reader = new BodyReader();
  reader.take(row);
  const later = new BodyPacker(reader.known);
  expect(later.put(body)).toEqual({ ref, added: 0 });
  expect(later.take().bodies).toEqual([]);
});

test("a body that is not what its hash says is found, and one that is not there", () => {
  const reader = new BodyReader();
  const row = rowOf({ bytes: Buffer.from("abc"), bodies: [{ sha256: "0".repeat(64), bytes: Buffer.from("x") }] });
  expect(reader.take(row)).toBe(false);
  expect(reader.read({ at: 1, length: 2 }, row)?.toString()).toBe("bc");
  expect(reader.read({ at: 1, length: 3 }, row)).toBeNull();
  expect(reader.read({ at: 4, length: 0 }, row)).toBeNull();
  expect(reader.read({ sha256: "1".repeat(64), length: 1 }, row)).toBeNull();
});
