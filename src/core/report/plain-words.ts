/** Texts for people as others wrote them, without what deceives a reader: nothing of it is to be seen, and all of it acts. */

/**
 * Control characters, and those that turn the direction of the text around them, also of the words beside it. What joins or
 * parts letters and emoji (U+200C, U+200D, U+FE0F), and marks that turn nothing but stand for a letter of their direction
 * (U+061C, U+200E, U+200F), are part of how a language is written, and stay.
 */
const DECEIVING = /[\p{Cc}\u2028-\u202e\u2066-\u206f\ufff9-\ufffb]/gu;

/** The text of several lines, as line feeds; tabs stay too. */
export function toPlainLines(text: string): string {
  return text
    .replace(/\r\n?|[\u2028\u2029]/g, "\n")
    .replace(DECEIVING, (found) => (found === "\n" || found === "\t" ? found : ""));
}

/** The text of one line; what breaks or tabulates it becomes a space. */
export function toPlainLine(text: string): string {
  return text.replace(/\r\n|[\t\n\r\u2028\u2029]/g, " ").replace(DECEIVING, "");
}

/** The text of several lines, masked; again where characters left out of it may have stood within a secret. */
export function toPlainMasked(text: string, mask: (text: string) => string): string {
  const masked = mask(text);
  const plain = toPlainLines(masked);
  return plain === masked ? masked : mask(plain);
}
