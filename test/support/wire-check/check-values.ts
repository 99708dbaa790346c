/** Holds parameters, results and events against the schemas of a release; each schema is compiled once, when needed. */
import { createRequire } from "node:module";
import type { ErrorObject, ValidateFunction } from "ajv";
import type * as Ajv from "ajv/dist/2020.js";
import { isJsonObject, type Json, type JsonObject } from "../../../src/core/json/json.ts";
import { loadMethods, type MethodSchemas, type SchemaRelease } from "./host-schemas.ts";

/** What is wrong with a value: where, and the value there. */
export interface Finding {
  readonly path: string;
  readonly problem: string;
  readonly value: Json;
}

/** Findings of one value: every branch of a union has its own. */
const MOST_FINDINGS = 6;

/** Loaded with the first frame: most test files have no stand-in. */
let ajv: Ajv.Ajv2020 | undefined;
const compiled = new Map<string, ValidateFunction>();

/** Each test process compiles anew, so what makes the code smaller or faster costs more than it saves. */
function createAjv(): Ajv.Ajv2020 {
  const { Ajv2020 }: typeof Ajv = createRequire(import.meta.url)("ajv/dist/2020.js");
  const quick = { validateSchema: false, meta: false, inlineRefs: false, code: { optimize: false } } as const;
  return new Ajv2020({
    ...quick,
    strict: false,
    allErrors: true,
    verbose: true,
    validateFormats: false,
    logger: false,
  });
}

/** The findings about the positional parameters of a call; undefined where the release has no model of them. */
export function checkParams(
  release: SchemaRelease,
  method: string,
  params: readonly Json[],
): readonly Finding[] | undefined {
  const accepts = loadMethods(release).get(method)?.accepts;
  if (accepts === undefined) return undefined;
  const names = listNames(accepts, method);
  if (params.length > names.length)
    return [{ path: "params", problem: `at most ${names.length} are accepted`, value: params }];
  const named = Object.fromEntries(params.map((value, at) => [names[at] ?? "", value]));
  return validate(`${release} ${method} accepts`, () => accepts, named);
}

/** The names of a method's positional parameters; undefined if the release has no model of them. */
export function listParameters(release: SchemaRelease, method: string): readonly string[] | undefined {
  const accepts = loadMethods(release).get(method)?.accepts;
  return accepts && listNames(accepts, method);
}

/** The models keep the order of the required parameters; the optional ones follow in alphabetical order. */
function listNames(accepts: JsonObject, method: string): readonly string[] {
  if (method === "filesystem.getacl") return ["path", "simplified", "resolve_ids"];
  const required = Array.isArray(accepts["required"]) ? accepts["required"].map(String) : [];
  return [...required, ...Object.keys(readObject(accepts["properties"])).filter((name) => !required.includes(name))];
}

/** The findings about a result; undefined where the release has no model of it. */
export function checkResult(
  release: SchemaRelease,
  method: string,
  params: readonly Json[],
  result: Json,
): readonly Finding[] | undefined {
  const schemas = loadMethods(release).get(method);
  if (schemas === undefined) return undefined;
  // A job call answers with the job's id, unless the connection waits for its end.
  if ((schemas.job || method === "core.job_wait") && typeof result === "number") return [];
  if (schemas.item !== undefined) return checkRows(release, method, schemas, params, result);
  const { returns } = schemas;
  return returns && validate(`${release} ${method} returns`, () => returns, { result: toPlain(result) });
}

/** The findings about the fields of an event of a query's collection; undefined where there is no model. */
export function checkRow(release: SchemaRelease, method: string, row: Json): readonly Finding[] | undefined {
  const item = loadMethods(release).get(method)?.item;
  return item && validate(`${release} ${method} item`, () => item, toPlain(row));
}

function checkRows(
  release: SchemaRelease,
  method: string,
  { item = {} }: MethodSchemas,
  params: readonly Json[],
  result: Json,
): readonly Finding[] {
  const options = readObject(params[1]);
  if (options["count"] === true)
    return typeof result === "number" ? [] : [{ path: "result", problem: "is no count", value: result }];
  const select = options["select"];
  const partial = Array.isArray(select) && select.length > 0;
  const key = `${release} ${method} ${partial ? "selected" : "item"}`;
  const one = (row: Json) => validate(key, () => (partial ? toPartial(item) : item), toPlain(row));
  if (options["get"] === true) return one(result);
  if (!Array.isArray(result)) return [{ path: "result", problem: "is no list", value: result }];
  return result.flatMap((row: Json, at) => one(row).map((found) => ({ ...found, path: `${at}${found.path}` })));
}

function validate(key: string, schema: () => JsonObject, value: Json): readonly Finding[] {
  let check = compiled.get(key);
  if (check === undefined) {
    ajv ??= createAjv();
    check = ajv.compile(schema());
    compiled.set(key, check);
  }
  return check(value) === true ? [] : (check.errors ?? []).slice(0, MOST_FINDINGS).map(toFinding);
}

function toFinding({ instancePath, message, params, data }: ErrorObject): Finding {
  return { path: instancePath, problem: `${message ?? ""} ${JSON.stringify(params)}`, value: data as Json };
}

/** Rows of `select` have the selected members alone, under the names asked for. */
function toPartial(schema: JsonObject): JsonObject {
  const { required: _required, additionalProperties: _additional, ...rest } = schema;
  return rest;
}

/** Extended JSON as the models see it: times as text, sets as lists. */
function toPlain(value: Json): Json {
  if (Array.isArray(value)) return value.map((one: Json) => toPlain(one));
  if (!isJsonObject(value)) return value;
  if (typeof value["$date"] === "number") return new Date(value["$date"]).toISOString();
  if (Array.isArray(value["$set"])) return value["$set"].map((one: Json) => toPlain(one));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, toPlain(one)]));
}

function readObject(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
