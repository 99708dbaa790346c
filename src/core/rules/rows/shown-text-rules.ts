/** The row about texts that deceive who reads them. */
import { toPlainLine, toPlainLines } from "../../report/plain-words.ts";
import { listDeceivingTexts, plainEnds } from "../../script/shown-texts.ts";
import { makeScript } from "../example.ts";
import type { SubjectRule } from "../row.ts";
import type { SupportedScript } from "./script-rules.ts";

/** Most texts told of: too many problems refuse a script, which a character must not. */
const MOST_TEXTS = 20;

export const SHOWN_TEXT_RULES = {
  SCRIPT_TEXT_DECEIVES: {
    title: "A text for people holds a control character, or one that turns the direction of text",
    hint: "remove it: it is left out wherever the text is shown",
    see: 'docs/install-scripts.md, "Texts that people read"; docs/decisions.md, section 1',
    // An author may have pasted it unseen: what the text says is kept.
    severity: "warning",
    find: ({ script }) =>
      listDeceivingTexts(script, MOST_TEXTS).map(({ path, written, isLine }) => ({
        path,
        message: `the text holds ${nameFirst(written, isLine)}, which is left out where people read it`,
      })),
    bad: makeScript({ script: { version: "1.0.0", changeLog: "Turns \u202etxet around" } }),
    good: makeScript({ script: { version: "1.0.0", changeLog: "Turns nothing around\nin two lines" } }),
  },
} as const satisfies Record<string, SubjectRule<SupportedScript>>;

/** The first character that is left out, `U+202E`. */
function nameFirst(text: string, isLine: boolean): string {
  const clean = isLine ? toPlainLine : toPlainLines;
  const first =
    [...plainEnds(text, isLine ? "line" : "lines")].find((character) => clean(character) !== character) ?? "";
  return `U+${(first.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
