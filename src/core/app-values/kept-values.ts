/** What the host makes of values it takes: it converts them, and gives items of lists the defaults of what they lack. */
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../json/json.ts";
import { getOwn } from "../script/parse/read-fields.ts";
import { judgeValues } from "./judge-values.ts";
import type { ValueQuestion } from "./question.ts";

/** What the host keeps in the places of the values it is sent. Defaults of keys of objects that were not sent are left out. */
export function keepSentValues(questions: readonly ValueQuestion[], sent: JsonObject): JsonObject {
  return pickMembers(sent, judgeValues(questions, sent).values, pickKept);
}

/** The same without the defaults in items of lists: each value that was sent, converted. */
export function listConverted(sent: JsonObject, kept: JsonObject): JsonObject {
  return pickMembers(sent, kept, pickConverted);
}

type Pick = (sent: Json, kept: Json | undefined) => Json;

function pickMembers(sent: JsonObject, kept: JsonObject, pick: Pick): JsonObject {
  return Object.fromEntries(Object.entries(sent).map(([key, value]) => [key, pick(value, getOwn(kept, key))] as const));
}

function pickKept(sent: Json, kept: Json | undefined): Json {
  if (kept === undefined) return sent;
  return isJsonObject(sent) && isJsonObject(kept) ? pickMembers(sent, kept, pickKept) : kept;
}

function pickConverted(sent: Json, kept: Json | undefined): Json {
  if (kept === undefined) return sent;
  if (isJsonObject(sent) && isJsonObject(kept)) return pickMembers(sent, kept, pickConverted);
  return isJsonArray(sent) && isJsonArray(kept) ? sent.map((item: Json, at) => pickConverted(item, kept[at])) : kept;
}
