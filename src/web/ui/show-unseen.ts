/** Texts that others wrote, with whatever can't be seen in them, or turns their direction, made visible. Pure. */

/** Characters that show nothing or turn the direction of the text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const UNSEEN = /[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Makes every such character visible: those of ASCII by their pictures, as the engine does, the others as `<U+202E>`. */
export function showUnseen(text: string): string {
  return text.replace(UNSEEN, (character) => {
    const code = character.charCodeAt(0);
    if (code === 0x7f) return "\u2421";
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
  });
}

/** The same for a line of a program, whose tabs stay. */
export function showLine(line: string): string {
  return line.split("\t").map(showUnseen).join("\t");
}
