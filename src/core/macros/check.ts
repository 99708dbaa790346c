/** Checks macros, as far as they can be without a host and answers, for `slipway validate`. */

import { isJsonObject, type JsonObject, type JsonPath } from "../json/json.ts";
import { checkDirectoryPath, checkSnapshotId, isWrittenOut } from "../plan/directory-path.ts";
import type { Diagnostic } from "../rules/diagnostic.ts";
import { DiagnosticList } from "../rules/diagnostic-list.ts";
import { quote, quoteAll } from "../rules/row.ts";
import { isTrueAt, readList, readObject, readText, readTexts } from "../script/parse/read-fields.ts";
import { checkCall, type Declared } from "./check-call.ts";
import { findCircleNodes } from "./circles.ts";
import { BARE_MACROS, CALLED_MACROS } from "./names.ts";
import { parseTemplate } from "./parse.ts";
import { findMacroPlaces, type MacroPlace } from "./places.ts";
import { type Call, findOnlyCall, type Template } from "./tree.ts";

const NAMES = CALLED_MACROS.join("|");
/** A macro's name before a parenthesis: without its dollar sign, or with it but not in capitals. */
const LOOKALIKE = new RegExp(`(?<![A-Za-z0-9_$])(?:${NAMES})\\(|\\$(?!(?:${NAMES})\\()(?i:${NAMES})\\(`, "g");
const MACRO_IN_KEY = new RegExp(`\\$(?:${[...BARE_MACROS, ...CALLED_MACROS.map((name) => `${name}\\(`)].join("|")})`);

/** Diagnostics of every macro of a raw script, in the order of the script; errors are the script's own. */
export function checkMacros(script: JsonObject): DiagnosticList {
  const diagnostics = new DiagnosticList();
  const questions = readList(script, "installation_questions").filter(isJsonObject);
  const keys = new Set(questions.flatMap((question) => readText(question, "key") ?? []));
  const declared: Declared = {
    questions: keys,
    listed: quoteAll(keys),
    locations: new Set(readTexts(readObject(script, "requirements") ?? {}, "locations")),
  };
  const recoverable = new Set<string>();
  /** Keys of the questions a default uses, by the index of its question. */
  const uses = new Map<number, Set<string>>();
  for (const place of findMacroPlaces(script)) {
    if (place.key) {
      diagnostics.addAll(checkKey(place));
      continue;
    }
    const template = parseTemplate(place.text);
    diagnostics.addAll(listFaults(template, place.path));
    addLookalikes(place, diagnostics);
    for (const call of template.calls) {
      if (!hangsOnFault(call, template)) diagnostics.addAll(checkCall(call, place.path, declared));
    }
    const [area, index] = place.path;
    if (area === "installation_questions" && typeof index === "number") {
      const used = uses.get(index) ?? new Set();
      uses.set(index, used);
      for (const call of template.calls) if (call.name === "QUESTION") used.add(call.key);
    }
    if (area === "ensure_directories_exists" && place.path[2] === "path")
      diagnostics.addAll(checkDirectory(template, place.path));
    const whole = findOnlyCall(template.root);
    if (area === "app_values" && whole?.name === "QUESTION") recoverable.add(whole.key);
  }
  diagnostics.addAll(checkSnapshotIds(script));
  diagnostics.addAll(findLostAnswers(script, recoverable));
  diagnostics.addAll(findCircles(script, uses));
  return diagnostics;
}

/** Written-out snapshot ids that are no part of a snapshot's name; those with macros are judged by the plan. */
function checkSnapshotIds(script: JsonObject): readonly Diagnostic[] {
  return readList(script, "ensure_directories_exists").flatMap((entry, index): readonly Diagnostic[] => {
    const snapshot = isJsonObject(entry) ? readObject(entry, "snapshot") : undefined;
    const id = snapshot === undefined ? undefined : readText(snapshot, "id");
    if (id === undefined || id === "" || parseTemplate(id).calls.length > 0) return [];
    const message = checkSnapshotId(id);
    const path = ["ensure_directories_exists", index, "snapshot", "id"];
    return message === null ? [] : [{ code: "DIRECTORY_SNAPSHOT_ID", severity: "error", message, path }];
  });
}

function findLostAnswers(script: JsonObject, recoverable: ReadonlySet<string>): readonly Diagnostic[] {
  return readList(script, "installation_questions").flatMap((question, index): readonly Diagnostic[] => {
    if (!isJsonObject(question) || !isTrueAt(question, "installonly")) return [];
    const key = readText(question, "key");
    if (key === undefined || recoverable.has(key)) return [];
    const message = `the installonly question "${key}" stands nowhere in "app_values" as the whole string "$QUESTION(${key})"`;
    const path = ["installation_questions", index, "key"];
    return [{ code: "MACRO_INSTALLONLY_LOST", severity: "warning", message, path }];
  });
}

/** A warning only: an answer given to one question of the circle opens it. */
function findCircles(script: JsonObject, uses: ReadonlyMap<number, ReadonlySet<string>>): readonly Diagnostic[] {
  if (uses.size === 0) return [];
  const questions = readList(script, "installation_questions");
  const keys = questions.map((item) => (isJsonObject(item) ? readText(item, "key") : undefined));
  const caught = findCircleNodes(new Map([...uses].map(([index, used]) => [keys[index] ?? "", [...used]])));
  return [...uses.keys()].flatMap((index): readonly Diagnostic[] => {
    const key = keys[index];
    if (key === undefined || !caught.has(key)) return [];
    const message = `the default of the question "${key}" leads back to its own answer`;
    return [{ code: "MACRO_CYCLE", severity: "warning", message, path: ["installation_questions", index, "default"] }];
  });
}

/** The faults of a template as diagnostics at the string's place. */
export function listFaults(template: Template, path: JsonPath): readonly Diagnostic[] {
  return template.faults.map(({ offset, length, ...fault }) => ({ ...fault, path, within: { offset, length } }));
}

/** Whether a macro stands in one that has no end: where its own arguments end is a guess then. */
function hangsOnFault({ offset }: Call, { faults }: Template): boolean {
  return faults.some((fault) => fault.code === "MACRO_UNCLOSED" && fault.offset <= offset);
}

function checkDirectory(template: Template, path: JsonPath): readonly Diagnostic[] {
  if (template.faults.some((fault) => fault.severity === "error")) return [];
  if (isWrittenOut(template)) {
    const written = quote(template.source);
    const message = `the directory ${written} is written out; it has to lie strictly below a location of the host`;
    return [{ code: "MACRO_LITERAL_PATH", severity: "warning", message, path }];
  }
  const message = checkDirectoryPath(template);
  return message === null ? [] : [{ code: "DIRECTORY_OUTSIDE", severity: "error", message, path }];
}

function checkKey({ text, path }: MacroPlace): readonly Diagnostic[] {
  const match = MACRO_IN_KEY.exec(text);
  if (match === null) return [];
  const message = `the macro in the key ${quote(text)} is not replaced`;
  return [{ code: "MACRO_IN_KEY", severity: "warning", message, path, key: true }];
}

function addLookalikes({ text, path }: MacroPlace, diagnostics: DiagnosticList): void {
  for (const match of text.matchAll(LOOKALIKE)) {
    const name = match[0].slice(0, -1);
    const reason = name.startsWith("$") ? "is not in capitals" : "has no dollar sign";
    const message = `"${name}(" looks like a macro but ${reason}; it is kept as text`;
    const within = { offset: match.index, length: name.length };
    diagnostics.add({ code: "MACRO_LOOKALIKE", severity: "warning", message, path, within });
  }
}
