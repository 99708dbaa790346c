/** Texts of others, in which nothing is unseen. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { showLine, showUnseen } from "../../src/web/ui/format/show-unseen.ts";

const codes = fc.oneof(...[0x2fff, 0xffff, 0x10ffff].map((max) => fc.integer({ min: 0, max })));
const texts = fc.array(codes).map((all) => String.fromCodePoint(...all));
const UNSEEN = /[\p{Bidi_Control}\p{Cc}\p{Cf}]/u;

test("names show what can't be seen or would turn the text", () => {
  expect(showUnseen("a\u202egnp.exe\n\u200b")).toBe("a<U+202E>gnp.exe\u240a<U+200B>");
  expect(showUnseen("so\u00adft \u3164\u{e0061}\u2028")).toBe("so<U+00AD>ft <U+3164><U+E0061><U+2028>");
  fc.assert(fc.property(texts, (text) => !UNSEEN.test(showUnseen(text))));
});

test("lines of a log show what would steer a terminal by its picture, and keep their tabs", () => {
  expect(showLine("\u001b[31mred\u001b[0m\r\ta\u007f\u202eb\u009b")).toBe(
    "\u241b[31mred\u241b[0m\u240d\ta\u2421<U+202E>b<U+009B>",
  );
  expect(showLine("\u26a0\ufe0f low")).toBe("\u26a0\ufe0f low");
  fc.assert(fc.property(texts, (text) => !UNSEEN.test(showLine(text).replaceAll("\t", ""))));
});
