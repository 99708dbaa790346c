/** Dialogs on the real page, opened as another page would: as elements with attributes. */
import type { Page } from "playwright-core";
import type { Screen } from "./screen.ts";
import type { ServedPage } from "./served-page.ts";

/** What dialogs told the page, in order. */
export interface Told {
  readonly name: string;
  readonly taskId?: string;
}

declare global {
  /** What dialogs told the page. */
  interface Window {
    told: Told[];
  }
}

/** Opens a dialog from a button that has the focus, on a page of its own. */
export async function openDialog(
  served: Pick<ServedPage, "open">,
  element: string,
  attributes: Readonly<Record<string, string>>,
): Promise<Screen> {
  const screen = await served.open("/");
  await openAnother(screen.page, element, attributes);
  return screen;
}

/** Opens a dialog on a page that is open. */
export async function openAnother(
  page: Page,
  element: string,
  attributes: Readonly<Record<string, string>>,
): Promise<void> {
  // As a text: an import in a function would be made into one of the test's own.
  await page.evaluate('import("/assets/elements.js").then(() => undefined)');
  await page.evaluate(
    ({ element: name, attributes: given }) => {
      window.told = [];
      const opener = document.querySelector<HTMLButtonElement>("#opener") ?? document.createElement("button");
      if (!opener.isConnected) {
        const place = document.createElement("nav");
        place.ariaLabel = "Dialogs";
        opener.id = "opener";
        opener.textContent = "Open";
        place.append(opener);
        document.body.append(place);
      }
      opener.focus();
      const dialog = document.createElement(name);
      for (const [attribute, value] of Object.entries(given)) dialog.setAttribute(attribute, value);
      for (const event of ["slip-started", "slip-answered", "slip-open-task", "slip-closed"]) {
        dialog.addEventListener(event, (told) => {
          const taskId = told instanceof CustomEvent ? told.detail.taskId : undefined;
          window.told.push({ name: event, ...(taskId !== undefined && { taskId }) });
          if (event === "slip-closed") dialog.remove();
        });
      }
      document.body.append(dialog);
    },
    { element, attributes },
  );
}

/** Waits until a dialog has told something; gives the id of the task it is about. */
export async function waitTold(page: Page, name: string): Promise<string | undefined> {
  await page.waitForFunction((wanted) => window.told.some((told) => told.name === wanted), name);
  return (await page.evaluate(() => window.told)).find((told) => told.name === name)?.taskId;
}

/** The name of what has the keyboard, through every shadow root. */
export function nameFocused(page: Page): Promise<string> {
  return page.evaluate(() => {
    let focused = document.activeElement;
    while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
    const labels = focused instanceof HTMLInputElement ? [...(focused.labels ?? [])] : [];
    return labels[0]?.textContent?.trim() ?? focused?.textContent?.trim() ?? "";
  });
}

/** All that stands in a page: texts, attributes and what is in its fields, through every shadow root. */
export function readEverything(page: Page): Promise<string> {
  return page.evaluate(() => {
    const found: string[] = [];
    const roots: (Document | ShadowRoot)[] = [document];
    for (let root = roots.pop(); root !== undefined; root = roots.pop()) {
      for (const element of root.querySelectorAll("*")) {
        for (const { name, value } of element.attributes) found.push(`${name}=${value}`);
        for (const child of element.childNodes) if (child instanceof Text) found.push(child.data);
        if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) found.push(element.value);
        if (element.shadowRoot !== null) roots.push(element.shadowRoot);
      }
    }
    return found.join("\n");
  });
}
