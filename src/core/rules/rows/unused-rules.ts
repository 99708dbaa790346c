/** Rows about what a script declares and nothing of it uses. What can't be told from the texts is taken for a use. */
import { isJsonObject, type JsonObject } from "../../json/json.ts";
import { listTexts } from "../../json/list-texts.ts";
import { findMacroPlaces } from "../../macros/places.ts";
import { getOwn, isTrueAt, readList, readObject, readText } from "../../script/parse/read-fields.ts";
import { makeQuestion, makeScript } from "../example.ts";
import { findRepeats } from "../repeats.ts";
import { quote, type SubjectRule } from "../row.ts";
import type { SupportedScript } from "./script-rules.ts";

/** Of a script with more nothing is said: each is looked for in every text of the values. */
const MOST_DIRECTORIES = 50;
/** Most characters of a directory's path that is looked for. */
const MOST_PATH = 1_000;
/** Most questions told of: too many problems refuse a script, which what nobody uses must not. */
const MOST_QUESTIONS = 20;

export const UNUSED_RULES = {
  QUESTION_UNUSED: {
    title: "Nothing in the script uses the answer to a question",
    hint: 'use $QUESTION(key) in "app_values", a directory or another default, or remove the question',
    see: 'docs/install-scripts.md, "Questions"',
    severity: "info",
    find: ({ script }) => {
      if (!readsValues(script)) return [];
      const used = findUsedKeys(findMacroPlaces(script).map(({ text }) => text));
      const keys = readList(script, "installation_questions").map((item) =>
        isJsonObject(item) ? readText(item, "key") : undefined,
      );
      const repeated = new Set(findRepeats(keys).map(({ index }) => keys[index]));
      const unused = readList(script, "installation_questions").flatMap((question, index) => {
        const key = isJsonObject(question) ? readText(question, "key") : undefined;
        if (!isJsonObject(question) || key === undefined || used.has(key)) return [];
        // Of an answer asked once the row about its recovery says it, of a key given twice the row about keys.
        if (isTrueAt(question, "installonly") || repeated.has(key)) return [];
        const path = ["installation_questions", index, "key"];
        return [{ path, message: `nothing uses the answer to the question ${quote(key)}` }];
      });
      return unused.slice(0, MOST_QUESTIONS);
    },
    bad: makeQuestion({}, { app_values: {} }),
    good: makeQuestion(),
  },
  DIRECTORY_UNUSED: {
    title: "Nothing in the app values mounts a declared directory",
    hint: "mount it with $HOST_PATH or $MOUNTED_HOST_PATH, share it, or remove the entry",
    see: 'docs/install-scripts.md, "DirectoryEntry"',
    severity: "info",
    find: ({ script }) => {
      if (!readsValues(script) || readList(script, "ensure_directories_exists").length > MOST_DIRECTORIES) return [];
      const texts = listTexts(getOwn(script, "app_values") ?? null).map(withoutSpaces);
      const mounted = [...texts, ...findMacroPlaces(script).flatMap(readUsesOfDefault)];
      return readList(script, "ensure_directories_exists").flatMap((entry, index) => {
        if (!isJsonObject(entry) || isTrueAt(entry, "network_share")) return [];
        const written = readText(entry, "path");
        const path =
          written === undefined || written.length > MOST_PATH ? "" : withoutSpaces(written).replace(/\/+$/, "");
        if (!/^\$LOCATION\([A-Za-z]+\)\/[^$]+$/.test(path) || isMounted(path, mounted)) return [];
        const message = `nothing in "app_values" mounts the directory ${quote(written)}`;
        return [{ path: ["ensure_directories_exists", index, "path"], message }];
      });
    },
    bad: makeScript({
      requirements: { locations: ["Media"] },
      ensure_directories_exists: [{ path: "$LOCATION(Media)/example" }],
    }),
    good: makeScript({
      requirements: { locations: ["Media"] },
      ensure_directories_exists: [{ path: "$LOCATION(Media)/example" }],
      app_values: { storage: "$HOST_PATH($LOCATION(Media)/example)" },
    }),
  },
} as const satisfies Record<string, SubjectRule<SupportedScript>>;

/** Values of another form are a fault of their own. */
function readsValues(script: JsonObject): boolean {
  return readObject(script, "app_values") !== undefined;
}

/** Keys in anything that looks like `QUESTION(key)`, whole or not: what is wrong with it other rows say. */
function findUsedKeys(texts: readonly string[]): ReadonlySet<string> {
  return new Set(
    texts.flatMap((text) => [...text.matchAll(/QUESTION\(\s*["'`]?([^"'`(),]+)/gi)].map(([, key = ""]) => key.trim())),
  );
}

/** A mount of the path, of something in it, or of a folder it lies in. */
function isMounted(path: string, texts: readonly string[]): boolean {
  const [root = "", ...steps] = path.split("/");
  const above = steps.map((_, index) => [root, ...steps.slice(0, index)].join("/"));
  return texts.some((text) => text.includes(path) || above.some((folder) => endsAt(text, folder)));
}

function endsAt(text: string, folder: string): boolean {
  for (let at = text.indexOf(folder); at >= 0; at = text.indexOf(folder, at + 1)) {
    const after = at + folder.length;
    const end = text.charAt(text.charAt(after) === "/" ? after + 1 : after);
    if (end === "" || "),\"'`:".includes(end)) return true;
  }
  return false;
}

function readUsesOfDefault({
  path,
  text,
}: {
  readonly path: readonly (string | number)[];
  readonly text: string;
}): string[] {
  return path[0] === "installation_questions" ? [withoutSpaces(text)] : [];
}

function withoutSpaces(text: string): string {
  return text.replaceAll(/\s+/g, "");
}
