/** German. */
import type { Words } from "../words.ts";
import { countIn } from "./word-types.ts";

const count = countIn("de");

export const de: Words = {
  language: "de",
  common: {
    cancel: "Abbrechen",
    close: "Schließen",
    back: "Zurück",
    next: "Weiter",
    loading: "Wird geladen",
    tryAgain: "Erneut versuchen",
    more: "Mehr anzeigen",
  },
  options: {
    available: count({ one: "# Option verfügbar", other: "# Optionen verfügbar" }),
  },
};
