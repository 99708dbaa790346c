/** German. */
import type { Words } from "../words.ts";
import { countIn } from "./word-types.ts";

const count = countIn("de");
const clock = new Intl.DateTimeFormat("de", { timeStyle: "medium" });

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
    notLoaded: "Dieser Teil der Seite konnte nicht geladen werden.",
  },
  log: {
    copied: "Kopiert",
    copy: "Kopieren",
    download: "Herunterladen",
    lines: count({ one: "# Zeile", other: "# Zeilen" }),
    none: "Das Skript hat nichts geschrieben.",
    notCopied: "Der Browser ließ das Kopieren nicht zu: Markieren Sie die Zeilen.",
    older: "Ältere Zeilen zeigen",
    title: "Zeilen des Skripts",
  },
  machine: {
    atEnd: "Nichts: Das ist sein Ende.",
    backToTask: "Zurück zur Aufgabe",
    byPerson: "Ein Mensch",
    drawing: "Zeichnung des Automaten",
    earlier: "Früherer Schritt",
    faults: {
      empty: () => "Die Datei ist leer. Wählen Sie eine Aufzeichnung, wie npm run record sie schreibt.",
      notAStep: (line) => `Zeile ${line} ist kein Schritt einer Aufzeichnung: Ereignis mit Typ und Zustand fehlen.`,
      notJson: (line) => `Zeile ${line} ist kein JSON. Eine Aufzeichnung hat ein JSON-Objekt je Zeile.`,
      otherMachine: () => "Die Zustände der Datei sind nicht die des Automaten, den ihr Name nennt.",
      tooLarge: () => "Die Datei ist größer als 4 MB: zu groß für eine Aufzeichnung.",
      tooLong: () => "Die Datei hat mehr als 5.000 Schritte: zu viele für eine Aufzeichnung.",
      unknownStates: () => "Kein Automat dieser Version hat alle Zustände der Datei.",
      unreadable: () => "Die Datei ist nicht lesbar. Wählen Sie sie noch einmal.",
    },
    fit: "Einpassen",
    larger: "Größer",
    later: "Späterer Schritt",
    moment: "Schritt seines Verlaufs",
    named: (machine, version) => (version === undefined ? machine : `${machine}, Version ${version}`),
    newest: "Neuester",
    next: "Was als Nächstes geschehen kann",
    notBegun: "Es hat noch nicht begonnen.",
    notTaken: (reason) => `Nicht angenommen: ${reason}`,
    now: "jetzt",
    open: "Aufzeichnung öffnen",
    picture: (machine, state) =>
      `Der Automat ${machine}${state === "" ? "" : `, jetzt in ${state}`}. Sein Weg steht in der Liste darunter.`,
    present: "Gegenwärtiger Zustand",
    recorded: (name) => `Aufzeichnung ${name}`,
    since: (at) => `Seit ${clock.format(new Date(at))}`,
    smaller: "Kleiner",
    stayed: "Geblieben",
    stays: count({ one: "# Ereignis, bei dem er bleibt", other: "# Ereignisse, bei denen er bleibt" }),
    step: (index, of) => `Schritt ${index} von ${of}`,
    time: (at) => clock.format(new Date(at)),
    unknownMachine: (machine) => `Diese Seite hat keine Zeichnung eines Automaten „${machine}“.`,
    unknownStates: "Zustände unbekannt",
    whole: count({ one: "Der ganze Weg: # Schritt", other: "Der ganze Weg: # Schritte" }),
    within: (state, text) => `In ${state}: ${text}`,
  },
  options: {
    available: count({ one: "# Option verfügbar", other: "# Optionen verfügbar" }),
  },
};
