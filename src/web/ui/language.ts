/** The language a person chose, kept by the browser; before that, the one the browser asks for. */

import { en } from "./words/en.ts";
import { useWords } from "./words.ts";

/** Every language of the page, by its own name. */
export const LANGUAGES = [
  { language: "en", name: "English" },
  { language: "de", name: "Deutsch" },
] as const;

const KEY = "slipway-language";

/** Has the page speak a language from now on, also after it is loaded again. */
export async function chooseLanguage(language: string): Promise<void> {
  await speak(language);
  try {
    localStorage.setItem(KEY, language);
  } catch {
    // A browser that keeps nothing asks again.
  }
}

/** Has the page speak the language that was chosen, or the one the browser asks for. */
export async function speakChosen(): Promise<void> {
  await speak(readChosen() ?? navigator.languages.map((tag) => tag.split("-", 1)[0]).find(isKnown) ?? "en");
}

async function speak(language: string): Promise<void> {
  useWords(language === "de" ? (await import("./words/de.ts")).de : en);
  document.documentElement.lang = language === "de" ? "de" : "en";
}

function isKnown(language: string | undefined): language is string {
  return LANGUAGES.some((known) => known.language === language);
}

function readChosen(): string | undefined {
  try {
    const chosen = localStorage.getItem(KEY) ?? undefined;
    return isKnown(chosen) ? chosen : undefined;
  } catch {
    return undefined;
  }
}
