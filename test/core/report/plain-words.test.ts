/** Texts of others as people read them: nothing in them acts on the words around, and every language stays as it is written. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createMask, MASKED } from "../../../src/core/report/mask.ts";
import { toPlainLine, toPlainLines, toPlainMasked } from "../../../src/core/report/plain-words.ts";

const DECEIVING = [
  ..."\u0000\u0007\u0008\u000b\u000c\u001b\u007f\u0085\u009b",
  ..."\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u206a\u206f\ufff9\ufffb",
];

describe("a text as people read it", () => {
  it.each(DECEIVING.map((character) => [character.charCodeAt(0).toString(16), character]))(
    "has no U+%s",
    (_, found) => {
      expect([toPlainLine(`a${found}b`), toPlainLines(`a${found}b`)]).toEqual(["ab", "ab"]);
    },
  );

  it.each([
    ["emoji", "\u{1f469}\u200d\u{1f4bb} \u2764\ufe0f \u{1f3f4}\u{e0067}\u{e0062}\u{e007f}"],
    ["Persian", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"],
    ["Hindi", "\u0915\u094d\u200d\u0937 \u0915\u094d\u200c\u0937"],
    ["Hebrew", "\u05e9\u05dc\u05d5\u05dd 1.2 C++\u200f"],
    ["a word that may be parted", "Donau\u00addampf"],
  ])("keeps %s as it is written", (_, text) => {
    expect([toPlainLine(text), toPlainLines(text)]).toEqual([text, text]);
  });

  it("keeps its lines where it has several, and is one where it has one", () => {
    expect(toPlainLines("a\tb\r\nc\rd\u2028e")).toBe("a\tb\nc\nd\ne");
    expect(toPlainLine("a\tb\r\nc\rd\u2028e")).toBe("a b c d e");
  });

  it("changes nothing the second time", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.oneof(fc.constantFrom(...DECEIVING), fc.string({ unit: "binary" })) }),
        (text) => {
          for (const clean of [toPlainLine, toPlainLines]) expect(clean(clean(text))).toBe(clean(text));
          expect(DECEIVING.some((character) => toPlainLines(text).includes(character))).toBe(false);
        },
      ),
    );
  });

  it("shows no secret that such characters stood in", () => {
    const mask = createMask(["hunter22"]);
    expect(toPlainMasked("is hun\u202eter22", mask)).toBe(`is ${MASKED}`);
    expect(toPlainMasked("is hunter22\u202e", mask)).toBe(`is ${MASKED}`);
  });
});
