import { judgeValues } from "../../../src/core/app-values/judge-values.ts";
import type { ValueQuestion } from "../../../src/core/app-values/question.ts";
import { matchesValidChars } from "../../../src/core/app-values/valid-chars.ts";
import { isJsonObject, type Json, type JsonObject, type JsonPath } from "../../../src/core/json/json.ts";

/** What has to be sent beside the defaults: an example for each value that is required and has none. */
export function fillRequired(questions: readonly ValueQuestion[]): {
  readonly sent: JsonObject;
  readonly required: readonly JsonPath[];
} {
  const required: JsonPath[] = [];
  let sent: JsonObject = {};
  for (;;) {
    const missing = judgeValues(questions, sent).faults.filter(({ kind }) => kind === "missing");
    if (missing.length === 0) return { sent, required };
    for (const { path, question } of missing) {
      if (question !== null) sent = setIn(sent, path, sampleValue(question));
      required.push(path);
    }
  }
}

/** A value a question takes. */
function sampleValue(question: ValueQuestion): Json {
  const { type, choices, min = 0, parts } = question;
  if (choices !== null) return choices[0] ?? "";
  switch (type) {
    case "int":
      return Math.max(min, 1);
    case "boolean":
      return true;
    case "uri":
      return "http://192.0.2.1/";
    case "ipaddr":
      return "192.0.2.1";
    case "path":
    case "hostpath":
      return "/mnt/tank/x";
    case "dict":
      return fillRequired(parts).sent;
    case "list":
      return Array.from({ length: min }, () => (parts[0] === undefined ? "" : sampleValue(parts[0])));
    case "string":
    case "text":
      return sampleText(question);
  }
}

function sampleText({ minLength = 1, validChars = "" }: ValueQuestion): string {
  const texts = ["a".repeat(minLength), "abcdefgh", `4${"a".repeat(94)}`];
  return texts.find((text) => matchesValidChars(validChars, text)) ?? "";
}

/** A copy with another value at a path of objects. */
function setIn(object: JsonObject, path: JsonPath, value: Json): JsonObject {
  const [step, ...rest] = path;
  if (step === undefined) return object;
  const member = object[step];
  return { ...object, [step]: rest.length === 0 ? value : setIn(isJsonObject(member) ? member : {}, rest, value) };
}
