/** Text of scripts, catalogs, hosts and tasks on its way to a terminal. */

/**
 * Characters that may deceive a terminal or its reader: control characters but line feed and tab, those of the upper
 * range, and characters that turn the direction of text.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const UNSAFE = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Makes every such character visible: those of ASCII as their pictures (`␛`), the others as `<U+202E>`. */
export function showControlCharacters(text: string): string {
  return text.replace(UNSAFE, (character) => {
    const code = character.charCodeAt(0);
    if (code === 0x7f) return "␡";
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
  });
}

/** Whether a text is one line that deceives nobody, and whole characters. */
export function isPlainLine(text: string): boolean {
  return text.isWellFormed() && !/[\n\t]/.test(text) && showControlCharacters(text) === text;
}

/** The same JSON without such a character: escaped, so that a reader gets what was written. */
export function escapeControlCharacters(json: string): string {
  return json.replace(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
