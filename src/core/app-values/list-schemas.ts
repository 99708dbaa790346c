/** A JSON document of schemas: an object or list of `{app, train, version, questions}`. */
import { isJsonObject, type Json } from "../json/json.ts";
import { readText } from "../script/parse/read-fields.ts";

/** One entry of such a document, its questions not read yet. */
export interface SchemaEntry {
  readonly app: string;
  readonly train: string;
  readonly value: Json;
}

/** The entries of a document in its order; what names no app and no train is left out. */
export function listSchemaEntries(value: Json): readonly SchemaEntry[] {
  const items = isJsonObject(value) && !("questions" in value) ? Object.values(value) : [value].flat();
  return items.flatMap((item: Json) => {
    const app = isJsonObject(item) ? readText(item, "app") : undefined;
    const train = isJsonObject(item) ? readText(item, "train") : undefined;
    return app === undefined || train === undefined ? [] : [{ app, train, value: item }];
  });
}
