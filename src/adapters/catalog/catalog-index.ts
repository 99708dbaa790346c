/** `catalog.json`, the file of a catalog directory that lists the deprecated app ids (docs/decisions.md, section 1). */

import { explain } from "../../core/codes/codes.ts";
import type { Problem } from "../../core/codes/problems.ts";
import { isJsonObject, type Json, type JsonPath } from "../../core/json/json.ts";
import { readJson, withoutByteOrderMark } from "../../core/json/json-source.ts";
import { locateSpans } from "../../core/json/text-spans.ts";
import { toProblems } from "../../core/script/parse/place-problems.ts";
import { getOwn } from "../../core/script/parse/read-fields.ts";

/** Its name: it is no install script. */
export const INDEX_FILE = "catalog.json";

export interface CatalogIndex {
  /** null when the file is refused. */
  readonly deprecated: readonly string[] | null;
  readonly problems: readonly Problem[];
}

/** Reads the text of `catalog.json`; other keys than `deprecated` are left to others. Never throws. */
export function readCatalogIndex(raw: string): CatalogIndex {
  const text = withoutByteOrderMark(raw);
  const source = readJson(text);
  if (!source.ok) {
    const { hint } = explain("CATALOG_INDEX_INVALID");
    const spans = locateSpans(text, source.faults);
    const problems = source.faults.map(({ message }, index): Problem => {
      const at = spans[index] ?? { line: 1, column: 1, length: 1 };
      return { code: "CATALOG_INDEX_INVALID", severity: "error", message, path: [], ...at, hint };
    });
    return { deprecated: null, problems };
  }
  const { value } = source;
  if (!isJsonObject(value)) return refuse(text, [], "the catalog's index is not an object");
  const list: Json = getOwn(value, "deprecated") ?? [];
  if (!Array.isArray(list)) return refuse(text, ["deprecated"], '"deprecated" must be an array of app ids');
  const ids = list.filter((id) => typeof id === "string");
  if (ids.length === list.length) return { deprecated: ids, problems: [] };
  const index = list.findIndex((id) => typeof id !== "string");
  return refuse(text, ["deprecated", index], `entry ${index + 1} of "deprecated" must be an app id`);
}

function refuse(text: string, path: JsonPath, message: string): CatalogIndex {
  return {
    deprecated: null,
    problems: toProblems(text, [{ code: "CATALOG_INDEX_INVALID", severity: "error", message, path }]),
  };
}
