/** Texts of others, in which nothing is unseen. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { showLine, showUnseen } from "../../src/web/ui/show-unseen.ts";

const texts = fc.array(fc.integer({ min: 0, max: 0x2fff })).map((codes) => String.fromCharCode(...codes));

test("names show what can't be seen or would turn the text", () => {
  expect(showUnseen("a\u202egnp.exe\n\u200b")).toBe("a<U+202E>gnp.exe\u240a<U+200B>");
  fc.assert(fc.property(texts, (text) => !/\p{Bidi_Control}|\p{Cc}/u.test(showUnseen(text))));
});

test("lines of a log show what would steer a terminal by its picture, and keep their tabs", () => {
  expect(showLine("\u001b[31mred\u001b[0m\r\ta\u007f\u202eb\u009b")).toBe(
    "\u241b[31mred\u241b[0m\u240d\ta\u2421<U+202E>b<U+009B>",
  );
  fc.assert(fc.property(texts, (text) => !/\p{Bidi_Control}|(?!\t)\p{Cc}/u.test(showLine(text))));
});
