/** How much a script may declare of each kind. Where it is more nothing else is looked at: rules go through all of it. */
import { isJsonObject, type Json, type JsonObject, type JsonPath } from "../../json/json.ts";
import { getOwn, readList, readText } from "../../script/parse/read-fields.ts";
import { MOST_DECLARED } from "../../script/script-limits.ts";
import type { Diagnostic } from "../diagnostic.ts";

type Kind = keyof typeof MOST_DECLARED;

/** Where each kind is declared, and its name in a message. */
const KINDS: readonly { readonly kind: Kind; readonly list: string; readonly name: string }[] = [
  { kind: "questions", list: "installation_questions", name: "questions" },
  { kind: "hooks", list: "hooks", name: "hooks" },
  { kind: "consents", list: "hooks", name: "consents" },
  { kind: "links", list: "hooks", name: "conditions of hooks" },
  { kind: "secrets", list: "app_values", name: "passwords and generated strings" },
  { kind: "directories", list: "ensure_directories_exists", name: "directories" },
];

/** The kinds of which a script declares too many; `generated`: its texts' `$RANDOM_STRING`. */
export function checkCounts(script: Json, generated: number): readonly Diagnostic[] {
  if (!isJsonObject(script)) return [];
  const counts = countDeclared(script, generated);
  return KINDS.flatMap(({ kind, list, name }): readonly Diagnostic[] => {
    const [count, most] = [counts[kind], MOST_DECLARED[kind]];
    if (count <= most) return [];
    const path: JsonPath = getOwn(script, list) === undefined ? [] : [list];
    const message = `the script declares ${count} ${name}; allowed are ${most}`;
    return [{ code: "SCRIPT_TOO_MANY_DECLARED", severity: "error", message, path }];
  });
}

function countDeclared(script: JsonObject, generated: number): Readonly<Record<Kind, number>> {
  const questions = readList(script, "installation_questions");
  const hooks = readList(script, "hooks").filter(isJsonObject);
  const isPassword = (question: Json) => isJsonObject(question) && readText(question, "type") === "password";
  return {
    questions: questions.length,
    hooks: readList(script, "hooks").length,
    consents: hooks.filter((hook) => getOwn(hook, "userOptional") !== undefined).length,
    links: hooks.reduce((count, hook) => count + readList(hook, "conditions").length, 0),
    secrets: questions.filter(isPassword).length + generated,
    directories: readList(script, "ensure_directories_exists").length,
  };
}
