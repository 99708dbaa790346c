/** Parts that several carriers of a script have: conditions, the source of a hook or widget, questions. */

import type { JsonObject } from "../json/json.ts";
import type { Condition, Question, ScriptSource } from "./dictionary.ts";
import { dropUndefined, isTrueAt, memberOf, objectsAt, own, textAt } from "./parse-dictionary-read.ts";
import { APP_CONDITIONS, CONDITION_ROLES, QUESTION_TYPES } from "./script-words.ts";

/** Conditions of a hook or widget; of a type that names no app, `app` is not kept. */
export function readConditions(carrier: JsonObject): readonly Condition[] {
  return objectsAt(carrier, "conditions").map((condition) => {
    const type = textAt(condition, "type") ?? "";
    const namesApp = memberOf(APP_CONDITIONS, type) !== undefined;
    return dropUndefined({
      role: memberOf(CONDITION_ROLES, textAt(condition, "role")) ?? "visibility",
      type,
      app: namesApp ? textAt(condition, "app") : undefined,
      range: textAt(condition, "range"),
      capability: textAt(condition, "capability"),
      script: textAt(condition, "script"),
      entrypoint: textAt(condition, "entrypoint"),
    });
  });
}

/** Where the TypeScript of a hook or widget stands. */
export function readSource(carrier: JsonObject): ScriptSource {
  const path = textAt(carrier, "script");
  if (path !== undefined) return { kind: "file", path: path.replace(/^(\.\/)+/, "") };
  return { kind: "inline", content: textAt(carrier, "scriptContent") ?? "" };
}

/** Reads an installation question, or the question of a hook input, which has the same fields less two. */
export function readQuestion(question: JsonObject): Question {
  const options = own(question, "options");
  return dropUndefined({
    question: textAt(question, "question") ?? "",
    description: textAt(question, "description"),
    placeholder: textAt(question, "placeholder"),
    type: memberOf(QUESTION_TYPES, textAt(question, "type")) ?? "text",
    key: textAt(question, "key") ?? "",
    options:
      options === undefined
        ? undefined
        : objectsAt(question, "options").map((option) => ({
            text: textAt(option, "text") ?? "",
            value: own(option, "value") ?? "",
          })),
    required: isTrueAt(question, "required"),
    default: own(question, "default"),
    installonly: isTrueAt(question, "installonly"),
    group: textAt(question, "group"),
  });
}
