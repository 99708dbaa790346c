/** Rows about what hooks and widgets have in common: their source and their conditions. */

import { isJsonObject, type Json, type JsonObject, type JsonPath } from "../../json/json.ts";
import { isInsideCatalog } from "../../script/catalog-path.ts";
import { getOwn, readText } from "../../script/parse/read-fields.ts";
import { makeHook, makeWidget } from "../example.ts";
import { findMissingPlace, quote, reportWhen, type SubjectRule } from "../row.ts";

/** A hook or a widget. */
export interface CarrierSubject {
  readonly path: JsonPath;
  readonly carrier: JsonObject;
  /** Those that are read. */
  readonly conditions: readonly Json[];
  /** For the start of a sentence, e.g. `widget "tile"`. */
  readonly name: string;
}

const NEVER_PASSING = ["appVersion", "capabilityPresent", "script"];

export const CARRIER_RULES = {
  SCRIPT_SOURCE_BOTH: {
    title: 'Both "script" and "scriptContent" are given',
    hint: "keep exactly one of them",
    see: 'docs/install-scripts.md, "Fields that go together"',
    severity: "error",
    find: ({ carrier, path, name }) =>
      reportWhen(getOwn(carrier, "script") !== undefined && getOwn(carrier, "scriptContent") !== undefined, () => ({
        path: [...path, "scriptContent"],
        key: true,
        message: `${name} has both "script" and "scriptContent"; exactly one is allowed`,
      })),
    bad: makeHook({ script: "hook.ts", scriptContent: "" }),
    good: makeHook(),
  },
  SCRIPT_SOURCE_NONE: {
    title: 'Neither "script" nor "scriptContent" is given',
    hint: 'add "script" with a path, or "scriptContent" with TypeScript',
    see: 'docs/install-scripts.md, "Fields that go together"',
    severity: "error",
    find: ({ carrier, path, name }) =>
      reportWhen(getOwn(carrier, "script") === undefined && getOwn(carrier, "scriptContent") === undefined, () => ({
        path: findMissingPlace(path, carrier),
        message: `${name} has neither "script" nor "scriptContent"; exactly one is needed`,
      })),
    bad: makeHook({ scriptContent: undefined }),
    good: makeHook(),
  },
  SCRIPT_FILE_OUTSIDE: {
    title: "The path of a script leaves the catalog",
    hint: "write a path relative to the catalog's root, with / between its parts",
    see: 'docs/install-scripts.md, "Hook6"',
    severity: "error",
    find: ({ carrier, path, name }) => {
      const script = readText(carrier, "script");
      return reportWhen(script?.endsWith(".ts") === true && !isInsideCatalog(script), () => ({
        path: [...path, "script"],
        message: `${name} names the script ${quote(script)}, which is not a path inside the catalog`,
      }));
    },
    bad: makeWidget({ scriptContent: undefined, script: "../tile.ts" }),
    good: makeWidget(),
  },
  CONDITION_NEVER_PASSES: {
    title: "A condition of this type can't be evaluated yet and never passes",
    hint: 'use "appInstalled" or "appRunning" where the hook is needed today',
    see: 'docs/install-scripts.md, "Conditions"',
    severity: "info",
    find: ({ conditions, path }) =>
      conditions.flatMap((condition, index) => {
        const type = isJsonObject(condition) ? readText(condition, "type") : undefined;
        return reportWhen(type !== undefined && NEVER_PASSING.includes(type), () => ({
          path: [...path, "conditions", index, "type"],
          message: `a condition of type ${quote(type)} can't be evaluated yet, the gate never passes`,
        }));
      }),
    bad: makeHook({ conditions: [{ role: "availability", type: "capabilityPresent", capability: "gpu" }] }),
    good: makeHook({ conditions: [{ role: "availability", type: "appRunning", app: "example" }] }),
  },
} as const satisfies Record<string, SubjectRule<CarrierSubject>>;
