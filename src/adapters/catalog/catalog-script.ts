import { isJsonObject } from "../../core/json/json.ts";
import { readIconPath } from "../../core/rules/rows/icon-rules.ts";
import type { Dictionary } from "../../core/script/dictionary.ts";
import { readDialect, readScriptVersion } from "../../core/script/parse/normalize.ts";
import { type ParsedScript, type ParseRequest, parseDictionary } from "../../core/script/parse/parse-dictionary.ts";
import { readObject } from "../../core/script/parse/read-fields.ts";
import { listScriptUses } from "../../core/script/script-uses.ts";
import { AT_ONCE, type ScriptCheck } from "./file-check/script-check.ts";

/** An install script with its TypeScript checked. */
export interface CheckedScript extends ParsedScript {
  /** As the text alone declares it. */
  readonly declared: Dictionary | null;
  /** Whether the result depends on other files than the install script. */
  readonly readsFiles: boolean;
  /** The script's own version where it is of a version that is not read; else null. */
  readonly unread: string | null;
}

/** Parses an install script and checks its TypeScript: a fault there drops its hook or widget like any other. Each parse takes a turn. */
export async function parseScriptFile(
  request: Omit<ParseRequest, "extra">,
  check: ScriptCheck,
  inTurn = AT_ONCE,
): Promise<CheckedScript> {
  const parsed = await inTurn(() => parseDictionary(request));
  const extra = await check(parsed.value);
  const namesScripts = listScriptUses(parsed.value).some(({ source }) => source.kind === "file");
  const readsFiles = namesScripts || readIconPath(parsed.value) !== undefined;
  const common = { declared: parsed.dictionary, readsFiles, unread: findUnreadVersion(parsed) };
  if (extra.kept.length === 0) return { ...parsed, ...common };
  // Parsed again only with diagnostics: a dropped hook has consequences for others (requiresHooks, buttons).
  return { ...(await inTurn(() => parseDictionary({ ...request, extra }))), ...common };
}

function findUnreadVersion({ value, version }: ParsedScript): string | null {
  if (version === null || !isJsonObject(value) || readDialect(value) !== null) return null;
  return readScriptVersion(readObject(value, "script") ?? {}).version;
}
