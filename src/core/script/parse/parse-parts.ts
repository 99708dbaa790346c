/** Parts that several carriers of a script have: conditions, the source of a hook or widget, questions. */

import type { JsonObject } from "../../json/json.ts";
import type { Condition, Question, ScriptSource } from "../dictionary.ts";
import { APP_CONDITIONS, CONDITION_ROLES, QUESTION_TYPES } from "../script-words.ts";
import { dropUndefined, getOwn, isTrueAt, matchMember, readObjects, readText } from "./read-fields.ts";

/** Conditions of a hook or widget; of a type that names no app, `app` is not kept. */
export function readConditions(carrier: JsonObject): readonly Condition[] {
  return readObjects(carrier, "conditions").map((condition) => {
    const type = readText(condition, "type") ?? "";
    const namesApp = matchMember(APP_CONDITIONS, type) !== undefined;
    return dropUndefined({
      role: matchMember(CONDITION_ROLES, readText(condition, "role")) ?? "visibility",
      type,
      app: namesApp ? readText(condition, "app") : undefined,
      range: readText(condition, "range"),
      capability: readText(condition, "capability"),
      script: readText(condition, "script"),
      entrypoint: readText(condition, "entrypoint"),
    });
  });
}

/** Where the TypeScript of a hook or widget stands. */
export function readSource(carrier: JsonObject): ScriptSource {
  const path = readText(carrier, "script");
  if (path !== undefined) return { kind: "file", path: path.replace(/^(\.\/)+/, "") };
  return { kind: "inline", content: readText(carrier, "scriptContent") ?? "" };
}

/** Reads an installation question, or the question of a hook input, which has the same fields less two. */
export function readQuestion(question: JsonObject): Question {
  const options = getOwn(question, "options");
  return dropUndefined({
    question: readText(question, "question") ?? "",
    description: readText(question, "description"),
    placeholder: readText(question, "placeholder"),
    type: matchMember(QUESTION_TYPES, readText(question, "type")) ?? "text",
    key: readText(question, "key") ?? "",
    options:
      options === undefined
        ? undefined
        : readObjects(question, "options").map((option) => ({
            text: readText(option, "text") ?? "",
            value: getOwn(option, "value") ?? "",
          })),
    required: isTrueAt(question, "required"),
    default: getOwn(question, "default"),
    installonly: isTrueAt(question, "installonly"),
    group: readText(question, "group"),
  });
}
