/** Parses a URL: asks the child, unless the text can stand for nothing but itself. */
import { parseUrl as askForUrl } from "./bridge.ts";

/** An origin, and behind it a path and a query of characters that every parser leaves as they are. */
const PLAIN = /^(https?:\/\/[^/?#]+)(?:\/(?!\.)[\w~.-]*)+(?:\?[\w~.&=-]*)?$/;

/** Origins that are written as the parser writes them: a script sends many requests to few. */
const origins = new Set<string>();

/** The text of a URL as the parser writes it; null where there is none. `ask` parses what isn't known. */
export function parseUrl(text: string, base?: string, ask = askForUrl): string | null {
  const origin = base === undefined ? PLAIN.exec(text)?.[1] : undefined;
  if (origin !== undefined && origins.has(origin)) return text;
  const href = ask(text, base);
  if (origin !== undefined && href === text) origins.add(origin);
  return href;
}
