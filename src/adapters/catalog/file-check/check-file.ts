/** The check of one file of a catalog, wherever it is done: in a turn of the engine's thread, or in a process of its own. */
import { withoutByteOrderMark } from "../../../core/json/json-source.ts";
import { readCatalogIndex } from "../catalog-index.ts";
import { type CheckedScript, parseScriptFile } from "../catalog-script.ts";
import type { ScriptCheck, TakeTurn } from "./script-check.ts";

/** A question about a file; an install script's text may have any form. */
export type CheckRequest =
  | { readonly kind: "script"; readonly appId: string; readonly text: string }
  | { readonly kind: "index"; readonly text: string }
  | { readonly kind: "whole"; readonly text: string };

/** A checked script as JSON text: the dictionary and the declaration differ in their hooks and widgets only. */
export interface ScriptAnswer extends Pick<CheckedScript, "declared" | "problems" | "readsFiles" | "unread"> {
  /** Those of the dictionary; null where there is none, absent where it is the declaration. */
  readonly usable?: Pick<NonNullable<CheckedScript["dictionary"]>, "hooks" | "widgets" | "dropped"> | null;
}

/**
 * Checks one file. The answer is JSON text: it holds on to nothing of the file's text, and its length tells what it takes
 * to keep it. Every piece of the work takes a turn.
 */
export async function checkFile(request: CheckRequest, check: ScriptCheck, inTurn: TakeTurn): Promise<string> {
  if (request.kind === "whole") return inTurn(() => JSON.stringify(isWhole(request.text)));
  if (request.kind === "index") return inTurn(() => JSON.stringify(readCatalogIndex(request.text)));
  const { dictionary, declared, problems, readsFiles, unread } = await parseScriptFile(request, check, inTurn);
  const common = { declared, problems, readsFiles, unread };
  if (dictionary === declared) return inTurn(() => JSON.stringify(common satisfies ScriptAnswer));
  const usable = dictionary === null ? null : pickParts(dictionary);
  return inTurn(() => JSON.stringify({ ...common, usable } satisfies ScriptAnswer));
}

function pickParts({
  hooks,
  widgets,
  dropped,
}: NonNullable<CheckedScript["dictionary"]>): NonNullable<ScriptAnswer["usable"]> {
  return { hooks, widgets, ...(dropped !== undefined && { dropped }) };
}

/** Whether a text is JSON to its end, and not a file half written. */
function isWhole(text: string): boolean {
  try {
    JSON.parse(withoutByteOrderMark(text));
    return true;
  } catch {
    return false;
  }
}
