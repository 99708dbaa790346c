/** Texts for people as others wrote them, without what deceives a reader: nothing of it is to be seen, and all of it acts. */

/**
 * Control characters, and those that turn the direction of the text around them, also of the words beside it. What joins
 * letters or emoji (U+200C, U+200D, U+FE0F) is part of how a language is written, and stays.
 */
const DECEIVING = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** The text of several lines, as line feeds; tabs stay too. */
export function toPlainLines(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(DECEIVING, (found) => (found === "\n" || found === "\t" ? found : ""));
}

/** The text of one line; what breaks or tabulates it becomes a space. */
export function toPlainLine(text: string): string {
  return text.replace(/\r\n|[\t\n\r]/g, " ").replace(DECEIVING, "");
}

/** The text of several lines, masked; again where characters left out of it may have stood within a secret. */
export function toPlainMasked(text: string, mask: (text: string) => string): string {
  const masked = mask(text);
  const plain = toPlainLines(masked);
  return plain === masked ? masked : mask(plain);
}
