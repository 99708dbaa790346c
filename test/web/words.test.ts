import { describe, expect, it } from "vitest";
import { de } from "../../src/web/ui/words/de.ts";
import { en } from "../../src/web/ui/words/en.ts";
import { listPhrases } from "./support/list-phrases.ts";

/** Words that are the same in both languages. */
const SHARED = [
  "App",
  "Apps",
  "Widgets",
  "Token",
  "Options",
  "Start",
  "Version 2",
  "Port 2",
  "Hardware 2",
  "In 2: 2",
  "optional",
  "Import",
];

describe("the German words", () => {
  const german = listPhrases(de);
  const english = [...listPhrases(en)].filter(([path]) => path !== ".language");

  it("are German, each of them", () => {
    const same = english.filter(([path, phrase]) => german.get(path) === phrase && /\p{L}{2}/u.test(phrase));
    expect(same.filter(([, phrase]) => !SHARED.includes(phrase))).toEqual([]);
  });

  it("have plurals of their own", () => {
    expect([de.log.lines(1), de.log.lines(2), de.log.lines(1234)]).toEqual(["1 Zeile", "2 Zeilen", "1.234 Zeilen"]);
    expect([en.log.lines(1), en.log.lines(2), en.log.lines(1234)]).toEqual(["1 line", "2 lines", "1,234 lines"]);
  });
});
