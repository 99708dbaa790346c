import { showControlCharacters } from "../../core/report/plain-text.ts";

/** A text of anybody as part of XML or HTML, in an element or in a quoted attribute: it opens nothing and steers nothing. */
export function showMarkup(text: string): string {
  return showControlCharacters(text)
    .toWellFormed()
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;")
    .replaceAll(/[\ufffe\uffff]/g, "\ufffd");
}
