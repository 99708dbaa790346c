/** A journal as a file: what was written is read again, to the byte, or not at all. */
import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readJournalFile, writeJournalFile } from "../../../sandbox/journal/journal-file.ts";
import { sealRows } from "../../../sandbox/journal/row.ts";

const bytes = fc.uint8Array({ maxLength: 40 }).map((values) => Buffer.from(values));
const row = fc.record({
  text: fc.string({ unit: "binary" }),
  bytes,
  bodies: fc.array(
    bytes.map((body) => ({ sha256: createHash("sha256").update(body).digest("hex"), bytes: body })),
    { maxLength: 2 },
  ),
});
const journal = fc.array(row, { maxLength: 5 }).map(sealRows);
const meta = fc.dictionary(
  fc.stringMatching(/^[a-z]+$/),
  fc.string().chain((text) => fc.constantFrom(text, [text], 1, null)),
);

test("any journal is read as it was written", () => {
  fc.assert(
    fc.property(journal, meta, (stored, beside) => {
      expect(readJournalFile(writeJournalFile(stored, beside))).toEqual({ ...stored, meta: { ...beside } });
    }),
  );
});

test("one byte more, less or other anywhere is damage", () => {
  const text = fc.tuple(journal, meta).map(([stored, beside]) => Buffer.from(writeJournalFile(stored, beside)));
  const change = fc.constantFrom("more", "less", "other");
  fc.assert(
    fc.property(text, fc.nat(), change, fc.integer({ min: 1, max: 255 }), (file, at, how, by) => {
      const place = at % file.byteLength;
      const other = ((file[place] ?? 0) + by) % 256;
      const changed = Buffer.concat([
        file.subarray(0, place),
        Buffer.from(how === "less" ? [] : [other]),
        file.subarray(how === "more" ? place : place + 1),
      ]);
      // text that is not UTF-8 is another text
      expect(readJournalFile(changed.toString())).toHaveProperty("damage");
    }),
    { numRuns: 1_000 },
  );
});

const [first, ...others] = writeJournalFile(sealRows([{ text: "{}", bytes: Buffer.from("body"), bodies: [] }]))
  .trimEnd()
  .split("\n");

function endFile(before: string): string {
  const sha256 = createHash("sha256").update(before).digest("hex");
  return `${before}${JSON.stringify({ head: "", sha256 })}\n`;
}

test.each([
  ["an empty file", "", "line 1 does not begin"],
  ["only its beginning", `${first}\n`, "its last line is missing"],
  ["another format", '{"format":"slipway-journal/2","meta":{}}\n', "line 1 does not begin a journal of the format"],
  ["a missing row", `${first}\n${others.at(-1)}\n`, "it was changed"],
  ["a missing end", `${first}\n${others[0]}\n`, "its last line is missing"],
  ["half a line", `${first}\n${others[0]}\n${others[1]?.slice(0, -3)}`, "its last line is missing"],
  ["text that is not JSON", "journal\n", "line 1 does not begin"],
  ["nothing but line ends", "\n".repeat(1_000_000), "line 1 does not begin"],
  ["line ends in place of rows", endFile(`${first}\n\n\n`), "line 2 is no row of a journal"],
])("%s is said", (_, text, damage) => {
  expect(readJournalFile(text)).toEqual({ damage: expect.stringContaining(damage) });
});

test("a row of another form is said by its line", () => {
  const digest = "0".repeat(64);
  const fits = { seq: 0, text: "{}", bytes: "", bodies: [], digest };
  const wrong = [
    { ...fits, seq: -1 },
    { ...fits, text: null },
    { ...fits, bytes: "not base64" },
    { ...fits, bodies: [{ sha256: digest, bytes: "YQ" }] },
    { ...fits, digest: "" },
    { ...fits, more: 1 },
  ];
  expect(readJournalFile(endFile(`${first}\n${JSON.stringify(fits)}\n`))).toHaveProperty("rows");
  for (const line of wrong) {
    const text = endFile(`${first}\n${JSON.stringify(fits)}\n${JSON.stringify(line)}\n`);
    expect(readJournalFile(text)).toEqual({ damage: "line 3 is no row of a journal" });
  }
});
