import { z } from "zod";
import { isJsonObject, type Json, type JsonObject } from "../../core/json/json.ts";
import { createCallError, createUnexpectedError } from "./rpc-error.ts";

const OPERATORS: Readonly<Record<string, (field: Json | undefined, value: Json) => boolean>> = {
  "=": (field, value) => isSame(field, value),
  "!=": (field, value) => !isSame(field, value),
  ">": (field, value) => compare(field, value) > 0,
  ">=": (field, value) => compare(field, value) >= 0,
  "<": (field, value) => compare(field, value) < 0,
  "<=": (field, value) => compare(field, value) <= 0,
  "~": (field, value) => typeof field === "string" && new RegExp(String(value)).test(field),
  in: (field, value) => Array.isArray(value) && value.some((one: Json) => isSame(field, one)),
  nin: (field, value) => Array.isArray(value) && !value.some((one: Json) => isSame(field, one)),
  rin: (field, value) => contains(field, value),
  rnin: (field, value) => !contains(field, value),
  "^": (field, value) => typeof field === "string" && field.startsWith(String(value)),
  "!^": (field, value) => typeof field === "string" && !field.startsWith(String(value)),
  $: (field, value) => typeof field === "string" && field.endsWith(String(value)),
  "!$": (field, value) => typeof field === "string" && !field.endsWith(String(value)),
};

/** Filters as sent: checked by `runQuery`, because a wrong operator is a call error of the host, not an argument error. */
export const Filters = z.array(z.array(z.json())).default([]);

/** Options of every query call but `extra`, which differs per call. */
export const QUERY_OPTIONS = {
  order_by: z.array(z.string()).default([]),
  select: z.array(z.union([z.string(), z.array(z.string())])).default([]),
  count: z.boolean().default(false),
  get: z.boolean().default(false),
  offset: z.int().min(0).default(0),
  limit: z.int().min(0).default(0),
  force_sql_filters: z.boolean().default(false),
};

/** Options of a query call without `extra` members of its own. */
export const QueryOptions = z
  .strictObject({ ...QUERY_OPTIONS, extra: z.record(z.string(), z.json()).default({}) })
  .prefault({});

interface Query {
  readonly order_by: readonly string[];
  readonly select: readonly (string | readonly string[])[];
  readonly count: boolean;
  readonly get: boolean;
  readonly offset: number;
  readonly limit: number;
}

/** Filters, orders and cuts a list the way every query call of the host does (docs/host-api.md, section 9). */
export function runQuery(items: readonly JsonObject[], filters: readonly Json[], options: Query): Json {
  let found = items.filter((item) => filters.every((filter) => matches(item, filter)));
  for (const order of options.order_by.toReversed()) {
    const descending = order.startsWith("-");
    const path = descending ? order.slice(1) : order;
    found = found.toSorted((a, b) => (descending ? -1 : 1) * compare(readField(a, path), readField(b, path) ?? null));
  }
  if (options.count) return found.length;
  if (options.get) {
    const first = found[0];
    if (first === undefined) throw createCallError("ENOENT", "MatchNotFound()");
    return select(first, options.select);
  }
  const end = options.limit === 0 ? undefined : options.offset + options.limit;
  return found.slice(options.offset, end).map((item) => select(item, options.select));
}

function matches(item: JsonObject, filter: Json): boolean {
  if (!Array.isArray(filter)) throw createUnexpectedError("ValueError", "Invalid filter: expected a list");
  if (filter[0] === "OR" && Array.isArray(filter[1])) {
    return filter[1].some((branch: Json) =>
      Array.isArray(branch) && Array.isArray(branch[0])
        ? branch.every((one: Json) => matches(item, one))
        : matches(item, branch),
    );
  }
  const [path, operator, value] = filter;
  if (typeof path !== "string" || typeof operator !== "string" || value === undefined) {
    throw createUnexpectedError("ValueError", `Invalid filter ${JSON.stringify(filter)}`);
  }
  const ignoreCase = operator.startsWith("C") && OPERATORS[operator.slice(1)] !== undefined;
  const test = OPERATORS[ignoreCase ? operator.slice(1) : operator];
  if (test === undefined) throw createUnexpectedError("ValueError", `Invalid operation: ${operator}`);
  const field = readField(item, path);
  return ignoreCase ? test(lowerText(field), lowerText(value) ?? null) : test(field, value);
}

function readField(item: Json | undefined, path: string): Json | undefined {
  let value: Json | undefined = item;
  for (const key of path.split(".")) value = isJsonObject(value) ? value[key] : undefined;
  return value;
}

function select(item: JsonObject, fields: Query["select"]): JsonObject {
  if (fields.length === 0) return item;
  const picked: Record<string, Json> = {};
  for (const field of fields) {
    const [path, name] = typeof field === "string" ? [field, field] : [field[0] ?? "", field[1] ?? field[0] ?? ""];
    const value = readField(item, path);
    if (value !== undefined) picked[name] = value;
  }
  return picked;
}

function isSame(field: Json | undefined, value: Json): boolean {
  if (typeof value !== "object" || value === null) return (field ?? null) === value;
  return JSON.stringify(field ?? null) === JSON.stringify(value);
}

function contains(field: Json | undefined, value: Json): boolean {
  if (typeof field === "string") return typeof value === "string" && field.includes(value);
  return Array.isArray(field) && field.some((one: Json) => isSame(one, value));
}

function compare(field: Json | undefined, value: Json | undefined): number {
  if (typeof field === "number" && typeof value === "number") return field - value;
  const [left, right] = [JSON.stringify(field ?? null), JSON.stringify(value ?? null)];
  return left < right ? -1 : left > right ? 1 : 0;
}

function lowerText(value: Json | undefined): Json | undefined {
  if (typeof value === "string") return value.toLowerCase();
  return Array.isArray(value) ? value.map((one: Json) => lowerText(one) ?? null) : value;
}
