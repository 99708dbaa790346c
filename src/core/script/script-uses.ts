import { isJsonObject, type Json, type JsonObject, type JsonPath } from "../json/json.ts";
import { isInsideCatalog } from "./catalog-path.ts";
import type { ScriptSource } from "./dictionary.ts";
import { readDialect, readsWidgets } from "./parse/normalize.ts";
import { readSource } from "./parse/parse-parts.ts";
import { getOwn, readList, readNumber, readObject, readObjects, readText, readTexts } from "./parse/read-fields.ts";
import { HOOK_TIMEOUT, WIDGET_TIMEOUT } from "./script-words.ts";

/** One TypeScript source a script names, with what its checks need to know of its hook or widget. */
export interface ScriptUse {
  /** Of the hook or widget. */
  readonly carrier: JsonPath;
  /** Of its `script` or `scriptContent`. */
  readonly place: JsonPath;
  readonly id: string;
  readonly source: ScriptSource;
  readonly entrypoint: string;
  /** Seconds. */
  readonly timeout: number;
  /** Inputs `getInput` can find: own ones and those carried over from `requiresHooks`; null for a widget, which has none. */
  readonly inputs: ReadonlySet<string> | null;
}

/** Every TypeScript source named by the hooks and widgets that are read, also by those that will be dropped. */
export function listScriptUses(script: Json | undefined): readonly ScriptUse[] {
  if (!isJsonObject(script)) return [];
  const dialect = readDialect(script);
  const hooks = dialect === 5 || dialect === 6 ? readList(script, "hooks") : [];
  const ids = listNamesByHook(hooks, readId);
  const carried = listNamesByHook(hooks, (input) => [...readId(input), ...readKey(input)]);
  const uses: ScriptUse[] = [];
  for (const [index, hook] of hooks.entries()) {
    if (!isJsonObject(hook)) continue;
    const required = dialect === 6 ? readTexts(hook, "requiresHooks") : [];
    const ownIds = ids.get(readText(hook, "id") ?? "") ?? [];
    const available = [...ownIds, ...required.flatMap((id) => carried.get(id) ?? [])];
    uses.push(...readUse(hook, ["hooks", index], HOOK_TIMEOUT.default, new Set(available)));
  }
  if (!readsWidgets(script)) return uses;
  for (const [index, widget] of readList(script, "widgets").entries()) {
    if (isJsonObject(widget)) uses.push(...readUse(widget, ["widgets", index], WIDGET_TIMEOUT.default, null));
  }
  return uses;
}

function readUse(
  carrier: JsonObject,
  path: JsonPath,
  timeout: number,
  inputs: ReadonlySet<string> | null,
): readonly ScriptUse[] {
  const entrypoint = readText(carrier, "entrypoint");
  const file = getOwn(carrier, "script") !== undefined;
  const text = readText(carrier, file ? "script" : "scriptContent");
  // Other rules have said it where there is no entrypoint, no single source, or no path inside the catalog.
  const both = file && getOwn(carrier, "scriptContent") !== undefined;
  if (entrypoint === undefined || entrypoint === "" || text === undefined || both || (file && !isScriptPath(text)))
    return [];
  return [
    {
      carrier: path,
      place: [...path, file ? "script" : "scriptContent"],
      id: readText(carrier, "id") ?? "",
      source: readSource(carrier),
      entrypoint,
      timeout: readNumber(carrier, "timeout") ?? timeout,
      inputs,
    },
  ];
}

function isScriptPath(path: string): boolean {
  return path.endsWith(".ts") && isInsideCatalog(path);
}

/** Names the inputs of each hook are read by: their ids, those carried over by the keys of their questions too. */
function listNamesByHook(
  hooks: readonly Json[],
  namesOf: (input: JsonObject) => readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const objects = hooks.filter((hook) => isJsonObject(hook));
  return new Map(objects.map((hook) => [readText(hook, "id") ?? "", readObjects(hook, "inputs").flatMap(namesOf)]));
}

function readId(input: JsonObject): readonly string[] {
  return [readText(input, "id") ?? []].flat();
}

function readKey(input: JsonObject): readonly string[] {
  return [readText(readObject(input, "question") ?? {}, "key") ?? []].flat();
}
