/** Rows about the icon a custom app names in the catalog. An adapter looks for the file, these rows judge what it found. */

import { isJsonObject, type Json } from "../../json/json.ts";
import { isInsideCatalog } from "../../script/catalog-path.ts";
import { readDialect } from "../../script/parse/normalize.ts";
import { readObject, readText } from "../../script/parse/read-fields.ts";
import type { UncodedDiagnostic } from "../diagnostic.ts";
import { makeScript } from "../example.ts";
import { quote, reportWhen, type SubjectRule } from "../row.ts";
import { runRules } from "../run-rules.ts";

/** A relative icon path, and whether a file stands there. */
export interface IconSubject {
  readonly icon: string;
  readonly present: boolean;
}

export const ICON_RULES = {
  SCRIPT_ICON_MISSING: {
    title: "The icon is the path of a file that is not in the catalog",
    hint: "add the file to the catalog, or correct the path",
    see: 'docs/install-scripts.md, "Metadata"; docs/decisions.md, section 1',
    // A catalog may be delivered without its images: that keeps no app from working.
    severity: "info",
    find: ({ icon, present }) =>
      reportWhen(!present, () => ({
        path: ["metadata", "icon"],
        message: `there is no file ${quote(icon)} in the catalog`,
      })),
    bad: makeScript({ metadata: makeMetadata("example/missing.svg") }),
    good: makeScript({ metadata: makeMetadata("https://example.com/icon.svg") }),
  },
} as const satisfies Record<string, SubjectRule<IconSubject>>;

/** Judges an icon that is a path in the catalog. */
export const checkIcon = runRules<IconSubject, UncodedDiagnostic>(ICON_RULES);

/** The icon of a script that is read, where it is a path inside the catalog. */
export function readIconPath(script: Json | undefined): string | undefined {
  if (!isJsonObject(script) || readDialect(script) === null) return undefined;
  const icon = readText(readObject(script, "metadata") ?? {}, "icon");
  return icon !== undefined && !/^[a-z][a-z0-9+.-]*:/i.test(icon) && isInsideCatalog(icon) ? icon : undefined;
}

function makeMetadata(icon: string): Record<string, unknown> {
  return { name: "Example", description: "An example", icon, version: "1.0.0" };
}
