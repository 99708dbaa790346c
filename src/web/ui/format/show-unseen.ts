/** Texts that others wrote, with whatever can't be seen in them, or turns their direction, made visible. Pure. */

/** Characters that show nothing or turn the direction of the text; those that choose the look of an emoji may stand. */
const UNSEEN = /(?!\p{Variation_Selector})[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Makes every such character visible: those of ASCII by their pictures, as the engine does, the others as `<U+202E>`. */
export function showUnseen(text: string): string {
  return text.replace(UNSEEN, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code === 0x7f) return "\u2421";
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
  });
}

/** The same for a line of a program, whose tabs stay. */
export function showLine(line: string): string {
  return line.split("\t").map(showUnseen).join("\t");
}
