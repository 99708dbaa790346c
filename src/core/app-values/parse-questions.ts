/** Reads questions as catalogs write them (`questions.yaml`) and as the host answers them. */
import { isJsonObject, type Json, type JsonObject } from "../json/json.ts";
import {
  dropUndefined,
  getOwn,
  isTrueAt,
  matchMember,
  readList,
  readNumber,
  readObject,
  readText,
  readTexts,
} from "../script/parse/read-fields.ts";
import { type AppSchema, type ShowIf, VALUE_TYPES, type ValueQuestion } from "./question.ts";

/** Deepest nesting of questions; real apps have up to 10 levels. */
const MAX_LEVELS = 64;

/** A fault of a schema: the question it is in and what is wrong there. */
export interface SchemaFault {
  /** Keys from the root, joined by dots. */
  readonly question: string;
  readonly message: string;
}

export interface ParsedQuestions {
  readonly questions: readonly ValueQuestion[];
  readonly faults: readonly SchemaFault[];
}

/** Reads a list of questions. A question that can't be read is left out and named in `faults`. */
export function parseQuestions(value: Json | undefined): ParsedQuestions {
  const faults: SchemaFault[] = [];
  if (!Array.isArray(value)) return { questions: [], faults: [{ question: "", message: "the questions are no list" }] };
  return { questions: parseAll(value, [], faults), faults };
}

function parseAll(list: readonly Json[], above: readonly string[], faults: SchemaFault[]): readonly ValueQuestion[] {
  return list.flatMap((item) => {
    const parsed = parseQuestion(item, above);
    if (!("message" in parsed)) return [toQuestion(parsed, above, faults)];
    faults.push(parsed);
    return [];
  });
}

interface Written {
  readonly key: string;
  readonly type: ValueQuestion["type"];
  readonly schema: JsonObject;
}

function parseQuestion(item: Json, above: readonly string[]): Written | SchemaFault {
  const key = isJsonObject(item) ? readText(item, "variable") : undefined;
  const schema = isJsonObject(item) ? readObject(item, "schema") : undefined;
  const question = [...above, key ?? "?"].join(".");
  if (key === undefined || schema === undefined) return { question, message: 'it has no "variable" or no "schema"' };
  if (above.length >= MAX_LEVELS) return { question, message: `it is nested deeper than ${MAX_LEVELS} levels` };
  const type = matchMember(VALUE_TYPES, readText(schema, "type"));
  const written = JSON.stringify(getOwn(schema, "type") ?? null);
  return type === undefined ? { question, message: `the type ${written} is not known` } : { key, type, schema };
}

function toQuestion({ key, type, schema }: Written, above: readonly string[], faults: SchemaFault[]): ValueQuestion {
  const parts = type === "dict" ? readList(schema, "attrs") : type === "list" ? readList(schema, "items") : [];
  const choices = getOwn(schema, "enum");
  return {
    key,
    type,
    refs: readTexts(schema, "$ref"),
    required: isTrueAt(schema, "required"),
    nullable: isTrueAt(schema, "null"),
    immutable: isTrueAt(schema, "immutable"),
    choices: Array.isArray(choices) ? choices.map(toChoice) : null,
    showIf: readList(schema, "show_if").flatMap(toShowIf),
    parts: parseAll(parts, [...above, key], faults),
    ...dropUndefined({
      default: getOwn(schema, "default"),
      min: readNumber(schema, "min"),
      max: readNumber(schema, "max"),
      minLength: readNumber(schema, "min_length"),
      maxLength: readNumber(schema, "max_length"),
      validChars: readText(schema, "valid_chars"),
    }),
  };
}

/** Catalogs and the host write `{value, description}`. */
function toChoice(choice: Json): Json {
  return isJsonObject(choice) ? (getOwn(choice, "value") ?? null) : choice;
}

function toShowIf(condition: Json): readonly ShowIf[] {
  if (!Array.isArray(condition)) return [];
  const [key, operator, value = null]: readonly Json[] = condition;
  if (typeof key !== "string" || (operator !== "=" && operator !== "!=")) return [];
  return [{ key, negated: operator === "!=", value }];
}

/** Reads `{app, train, version, questions}`; null if it is no such object. */
export function parseAppSchema(
  value: Json,
): { readonly schema: AppSchema; readonly faults: readonly SchemaFault[] } | null {
  if (!isJsonObject(value)) return null;
  const [app, train, version] = [readText(value, "app"), readText(value, "train"), readText(value, "version")];
  if (app === undefined || train === undefined || version === undefined) return null;
  const { questions, faults } = parseQuestions(getOwn(value, "questions"));
  return { schema: { app, train, version, questions }, faults };
}
