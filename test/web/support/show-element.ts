/** One element by itself, as an embedder's page has it. */
import type { Screen } from "./screen.ts";
import type { ServedPage } from "./served-page.ts";

/** Opens a browser on the element alone, with its properties, in place of the page. */
export async function showElement(
  served: ServedPage,
  tag: `slip-${string}`,
  properties: Readonly<Record<string, unknown>> = {},
): Promise<Screen> {
  const screen = await served.open("/");
  // As a text: an import in a function would be made into one of the test's own.
  await screen.page.evaluate('import("/assets/elements.js").then(() => undefined)');
  await screen.page.evaluate(
    ([name, values]) => {
      const main = document.createElement("main");
      main.append(Object.assign(document.createElement(name), values));
      document.body.replaceChildren(main);
    },
    [tag, properties] as const,
  );
  return screen;
}

/** Nodes of a document, those below every shadow root among them. */
export function countNodes({ page }: Screen): Promise<number> {
  return page.evaluate(() => {
    const count = (root: Node): number => {
      let nodes = 0;
      for (const node of [root, ...root.childNodes]) {
        if (node === root) continue;
        nodes += 1 + count(node) + (node instanceof Element && node.shadowRoot ? count(node.shadowRoot) : 0);
      }
      return nodes;
    };
    return count(document);
  });
}
