import { z } from "zod";
import type { JsonPath } from "../json/json.ts";
import { SCRIPT_SCHEMAS } from "../script/script-schema.ts";
import type { Dialect } from "./field-issue.ts";

type AnySchema = z.core.$ZodType;

/** The keys an object at that place of a script may have, from the schema; of a union those of every branch. */
export function listKnownKeys(dialect: Dialect, path: JsonPath): readonly string[] {
  let schemas: readonly AnySchema[] = [SCRIPT_SCHEMAS[dialect]];
  for (const step of path) schemas = schemas.flatMap((schema) => stepInto(schema, step));
  return [
    ...new Set(
      schemas
        .flatMap(listBranches)
        .flatMap((schema) => (schema instanceof z.ZodObject ? Object.keys(schema.shape) : [])),
    ),
  ];
}

function stepInto(schema: AnySchema, step: string | number): readonly AnySchema[] {
  return listBranches(schema).flatMap((branch) => {
    if (branch instanceof z.ZodArray && typeof step === "number") return [branch.element];
    if (!(branch instanceof z.ZodObject) || typeof step !== "string" || !Object.hasOwn(branch.shape, step)) return [];
    return [branch.shape[step]];
  });
}

function listBranches(schema: AnySchema): readonly AnySchema[] {
  if (schema instanceof z.ZodExactOptional) return listBranches(schema.unwrap());
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(listBranches);
  return [schema];
}
