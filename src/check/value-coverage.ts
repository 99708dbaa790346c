import type { AppSchemas } from "../adapters/app-schemas/found-schema.ts";
import { GENERIC_SCHEMA } from "../core/app-values/generic-app.ts";
import { listUnknownKeys } from "../core/app-values/unknown-keys.ts";
import type { Dictionary } from "../core/script/dictionary.ts";
import type { Coverage } from "./coverage.ts";

/** How many of a script's values the schema of its app has a question for. */
export async function coverValues(dictionary: Dictionary, schemas: AppSchemas): Promise<Coverage> {
  const found = await schemas.find(dictionary.appId);
  const schema = dictionary.custom ? GENERIC_SCHEMA : found.kind === "schema" ? found.schema : null;
  if (schema === null) return { of: "values", reached: 0, all: 0, missed: [`no schema of "${dictionary.appId}"`] };
  const { all, unknown } = listUnknownKeys(dictionary, schema);
  return { of: "values", reached: all - unknown.length, all, missed: unknown };
}
