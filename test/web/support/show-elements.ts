/** Elements alone on the page, as another page would embed them. */
import type { Page } from "playwright-core";

export interface Shown {
  readonly tag: `slip-${string}`;
  /** Attributes. */
  readonly with?: Readonly<Record<string, string>>;
}

/** Puts elements in the place of whatever the page shows, below headings of their own. */
export async function showElements(page: Page, elements: readonly Shown[]): Promise<void> {
  await page.evaluate((shown) => {
    const heading = (level: "h1" | "h2", text: string) => {
      const made = document.createElement(level);
      made.textContent = text;
      return made;
    };
    const main = document.createElement("main");
    main.append(heading("h1", "Elements"), heading("h2", "Embedded"));
    for (const { tag, with: attributes = {} } of shown) {
      const element = document.createElement(tag);
      for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
      main.append(element);
    }
    document.body.replaceChildren(main);
  }, elements);
}

/** Hears what elements tell: the names and details of these events, oldest first, by `hear`'s own answer. */
export async function hear(page: Page, ...names: readonly string[]): Promise<() => Promise<readonly unknown[]>> {
  await page.evaluate((listened) => {
    const heard: unknown[] = [];
    Object.assign(window, { heard });
    for (const name of listened) {
      document.addEventListener(name, (event) => {
        heard.push([name, event instanceof CustomEvent ? JSON.parse(JSON.stringify(event.detail)) : undefined]);
      });
    }
  }, names);
  return () => page.evaluate(() => Reflect.get(window, "heard"));
}
