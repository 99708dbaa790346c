/** What a person gets to read or hear of a page as it stands. */
import type { Page } from "playwright-core";

/** Every text, name, title and placeholder that is shown or spoken, through every shadow root. */
export function readTexts(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const found = new Set<string>();
    const read = (node: Node): void => {
      if (node instanceof Text) found.add(node.data.trim().replaceAll(/\s+/g, " "));
      if (node instanceof Element) {
        if (node.matches("style, [aria-hidden=true]") || !node.checkVisibility()) return;
        for (const name of ["aria-label", "aria-valuetext", "title", "placeholder", "alt"]) {
          found.add(node.getAttribute(name)?.trim() ?? "");
        }
        for (const child of node.shadowRoot?.childNodes ?? []) read(child);
      }
      for (const child of node.childNodes) read(child);
    };
    read(document.body);
    found.add(document.title);
    return [...found].filter((text) => /\p{L}/u.test(text));
  });
}
