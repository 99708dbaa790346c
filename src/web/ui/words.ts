/** The language of the elements: English, until a page chooses another. */
import { en } from "./words/en.ts";

/** Every word the elements say. Texts of the engine itself (titles, failures) come as it wrote them. */
export type Words = typeof en;

let chosen: Words = en;
const listeners = new Set<() => void>();

/** The words as chosen; elements read them each time they render. */
export function words(): Words {
  return chosen;
}

/** Has every element of the page speak these words, at once. */
export function useWords(next: Words): void {
  chosen = next;
  for (const listener of listeners) listener();
}

/** Calls when other words are chosen, until the signal aborts. */
export function onWords(listener: () => void, signal: AbortSignal): void {
  listeners.add(listener);
  signal.addEventListener("abort", () => listeners.delete(listener), { once: true });
}
