/** Which words of a page are the page's own: none of them may stand in an element. */
import type { Page, Response } from "playwright-core";
import { nameState } from "../../../src/web/elements/machine/chart.ts";
import { charts } from "../support/drawn-machines.ts";

/** Has the page speak German with a mark around each word of the file, as an embedder's own words would be. */
export async function markWords(page: Page): Promise<void> {
  // As a text: an import in a function would be made into one of the test's own.
  await page.evaluate(`import("/assets/elements.js").then(({ useWords, de }) => {
    const mark = (part) => {
      if (typeof part === "string") return "⟦" + part + "⟧";
      if (typeof part === "function") return (...given) => "⟦" + part(...given) + "⟧";
      return Object.fromEntries(Object.entries(part).map(([name, inside]) => [name, mark(inside)]));
    };
    useWords({ ...mark(de), language: "de" });
    dispatchEvent(new PopStateEvent("popstate"));
  })`);
}

/** Collects what the engine says: its titles, reasons and failures, and what authors wrote come as they are. */
export function hearEngine(page: Page): () => Promise<ReadonlySet<string>> {
  const bodies: Promise<unknown>[] = [];
  page.on("response", (response) => {
    if (isJson(response)) bodies.push(response.json().catch(() => undefined));
  });
  return async () => new Set([...listStrings(await Promise.all(bodies)), ...MACHINES].map(plain));
}

/** The texts that are neither of the words file, nor the engine's, nor a time, a length of time or a size as German writes it. */
export function listStray(texts: readonly string[], said: ReadonlySet<string>): readonly string[] {
  const isSaid = (text: string) => text === "Slipway" || !/\p{L}/u.test(text) || said.has(text) || MEASURE.test(text);
  const parts = (text: string) => text.split(/: | · | › |, | \(|\)|\[|\]/).map((part) => part.trim());
  return texts.map(plain).filter((text) => !/[⟦⟧]/.test(text) && !isSaid(text) && !parts(text).every(isSaid));
}

/** "vor 3 Sek.", "jetzt", "9,5 Sek.", "12 ms", "0 Byte" */
const MEASURE = /^(?:jetzt|(?:vor )?[\d.,]+ (?:ms|Sek\.|Min\.|Std\.|Byte|[kMGT]B)(?: [\d.,]+ Sek\.)?)$/;

/** A machine speaks its own language: descriptions, events, and its states as people read them. */
const MACHINES = [...listStrings([...charts.values()])].flatMap((text) => [text, ...text.split(/[. ]/).map(nameState)]);

function plain(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ");
}

function isJson(response: Response): boolean {
  return response.headers()["content-type"]?.includes("json") === true;
}

function* listStrings(value: unknown): Generator<string> {
  if (typeof value === "string") yield value;
  else if (typeof value === "boolean") yield String(value);
  else if (typeof value === "object" && value !== null)
    for (const inside of Object.values(value)) yield* listStrings(inside);
}
