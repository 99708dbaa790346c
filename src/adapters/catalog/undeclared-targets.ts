/** Conditions of a whole catalog that name an app none of its files declares. */
import { basename } from "node:path";
import { CATALOG_CODES } from "../../core/codes/catalog.ts";
import { isJsonObject, type Json, type JsonPath } from "../../core/json/json.ts";
import { readJson } from "../../core/json/json-source.ts";
import { findNearest } from "../../core/rules/nearest.ts";
import { quote } from "../../core/rules/row.ts";
import { compareProblems, toProblems } from "../../core/script/parse/place-problems.ts";
import { readList, readText } from "../../core/script/parse/read-fields.ts";
import { readAppId } from "./list-scripts.ts";
import type { ReadFile } from "./validate-file.ts";

/** The files of one whole catalog, each with an info for every such condition: the app may still be one of the host. */
export function noteUndeclaredTargets(files: readonly ReadFile[]): readonly ReadFile[] {
  const declared = new Set(files.map(({ file }) => readAppId(basename(file))));
  return files.map((read): ReadFile => {
    if (read.dictionary === null) return read;
    const source = readJson(read.text);
    const found = source.ok ? listTargets(source.value).filter(({ app }) => !declared.has(app)) : [];
    if (found.length === 0) return read;
    const diagnostics = found.map(({ app, path }) => {
      const nearest = findNearest(app, [...declared]);
      return {
        code: "CATALOG_TARGET_UNDECLARED",
        severity: CATALOG_CODES.CATALOG_TARGET_UNDECLARED.severity,
        message: `no install script of the catalog declares ${quote(app)}, which nobody can install from the picker`,
        path,
        ...(nearest !== undefined && { hint: `write "${nearest}" if that is meant` }),
      } as const;
    });
    return { ...read, problems: [...read.problems, ...toProblems(read.text, diagnostics)].sort(compareProblems) };
  });
}

function listTargets(script: Json | undefined): readonly { readonly app: string; readonly path: JsonPath }[] {
  if (script === undefined || !isJsonObject(script)) return [];
  return ["hooks", "widgets"].flatMap((list) =>
    readList(script, list).flatMap((carrier, index) =>
      (isJsonObject(carrier) ? readList(carrier, "conditions") : []).flatMap((condition, at) => {
        const app = isJsonObject(condition) ? readText(condition, "app") : undefined;
        return app === undefined ? [] : [{ app, path: [list, index, "conditions", at, "app"] }];
      }),
    ),
  );
}
