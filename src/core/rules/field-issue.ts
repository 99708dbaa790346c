/** The schema's diagnostics in the words of the rule table: what is wrong with which field, and what would be allowed. */
import type { z } from "zod";
import { isJsonObject, type Json, type JsonObject, type JsonPath } from "../json/json.ts";
import { getOwn } from "../script/parse/read-fields.ts";
import type { SCRIPT_SCHEMAS } from "../script/script-schema.ts";
import { ConditionRole } from "../script/script-schema-condition.ts";

export interface FieldIssue {
  /**
   * `missing`: no such key; `type`: another JSON type; `word`: not one of a closed set; `key`: a key the table does not
   * have; `form`: the right type, but not of the form asked for; `low`, `high`: beyond a limit.
   */
  readonly kind: "missing" | "type" | "word" | "key" | "form" | "low" | "high";
  /** From the root; of the missing or unknown key itself. */
  readonly path: JsonPath;
  /** The path as a pattern, e.g. `hooks.*.events.*`. */
  readonly field: string;
  readonly value: Json | undefined;
  /** The object or array that holds the field. */
  readonly holder: Json | undefined;
  /** Of a closed set. */
  readonly words: readonly Json[];
  /** The allowed values, for the end of a sentence. */
  readonly allowed: string;
  readonly dialect: Dialect;
}

export type Dialect = keyof typeof SCRIPT_SCHEMAS;

type SchemaIssue = z.core.$ZodIssue;

/** Flattens the issues of a failed parse. */
export function* toFieldIssues(
  script: JsonObject,
  dialect: Dialect,
  issues: readonly SchemaIssue[],
): Generator<FieldIssue> {
  for (const issue of issues) yield* toIssues(script, dialect, issue, []);
}

function toIssues(script: JsonObject, dialect: Dialect, issue: SchemaIssue, above: JsonPath): FieldIssue[] {
  const path = [...above, ...issue.path.filter((step) => typeof step !== "symbol")];
  if (issue.code === "unrecognized_keys") {
    const holder = readValue(script, path);
    return issue.keys.map((key) =>
      describe({ kind: "key", words: [], allowed: "", dialect }, [...path, key], holder, script),
    );
  }
  if (issue.code === "invalid_union" && issue.errors.length > 0) {
    return chooseBranch(readValue(script, path), issue.errors).flatMap((inner) =>
      toIssues(script, dialect, inner, path),
    );
  }
  const holder = readValue(script, path.slice(0, -1));
  const value = readValue(script, path);
  const others = issue.code === "invalid_union" ? findOthersBeside(script, dialect, path, holder) : [];
  const judged: Judged = value === undefined ? { ...classifyIssue(issue), kind: "missing" } : classifyIssue(issue);
  return [...others, describe({ ...judged, dialect }, path, holder, script)];
}

/** Of a condition whose type chooses no branch of the union the role is judged all the same. */
function findOthersBeside(
  script: JsonObject,
  dialect: Dialect,
  path: JsonPath,
  holder: Json | undefined,
): readonly FieldIssue[] {
  if (path.at(-1) !== "type" || path.at(-3) !== "conditions") return [];
  const { error } = ConditionRole.safeParse(holder);
  return error?.issues.flatMap((issue) => toIssues(script, dialect, issue, path.slice(0, -1))) ?? [];
}

/** Of a union's branches the one whose JSON type fits the value; all complain, but the others only about the type. */
function chooseBranch(value: Json | undefined, branches: readonly (readonly SchemaIssue[])[]): readonly SchemaIssue[] {
  const fitsType = (branch: readonly SchemaIssue[]) =>
    !branch.some(({ code, path }) => code === "invalid_type" && path.length === 0);
  const isText = (branch: readonly SchemaIssue[]) =>
    branch.some(({ code, path }) => code === "invalid_value" && path.length === 0) === (typeof value === "string");
  return branches.find((branch) => fitsType(branch) && isText(branch)) ?? branches[0] ?? [];
}

type Judged = Pick<FieldIssue, "kind" | "words" | "allowed">;

function classifyIssue(issue: SchemaIssue): Judged {
  switch (issue.code) {
    case "invalid_type":
      return { kind: "type", words: [], allowed: TYPE_WORDS[issue.expected] ?? issue.expected };
    case "invalid_value": {
      const words = issue.values.filter((value) => typeof value === "string" || typeof value === "number");
      return { kind: "word", words, allowed: listWords(words) };
    }
    case "invalid_union": {
      const words = "options" in issue && Array.isArray(issue.options) ? issue.options : [];
      const texts = words.filter((word) => typeof word === "string");
      return { kind: "word", words: texts, allowed: listWords(texts) };
    }
    case "too_small":
      return { kind: "low", words: [], allowed: issue.message };
    case "too_big":
      return { kind: "high", words: [], allowed: issue.message };
    default:
      return { kind: "form", words: [], allowed: issue.message };
  }
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "an array",
  object: "an object",
  record: "an object",
};

/** `"a", "b" or "c"`. */
function listWords(words: readonly Json[]): string {
  const quoted = words.map((word) => JSON.stringify(word));
  const last = quoted.pop() ?? "";
  return quoted.length === 0 ? last : `${quoted.join(", ")} or ${last}`;
}

function describe(
  judged: Judged & { readonly dialect: Dialect },
  path: JsonPath,
  holder: Json | undefined,
  script: JsonObject,
): FieldIssue {
  const field = path.map((step) => (typeof step === "number" ? "*" : step)).join(".");
  return { ...judged, path, field, value: readValue(script, path), holder };
}

/** The value at a path, or undefined. */
function readValue(root: Json, path: JsonPath): Json | undefined {
  let value: Json | undefined = root;
  for (const step of path) {
    if (Array.isArray(value)) value = typeof step === "number" ? value[step] : undefined;
    else value = isJsonObject(value) ? getOwn(value, String(step)) : undefined;
  }
  return value;
}
