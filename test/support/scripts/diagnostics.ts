import { type ParsedScript, parseDictionary } from "../../../src/core/script/parse/parse-dictionary.ts";
import { rawScript } from "./scripts.ts";

/** What a script's problems point at, one text each: `error HOOK_RERUN_MISSING "connect"`. */
export function diagnosticsOf(changes: Record<string, unknown>, appId = "example"): readonly string[] {
  return pointedAt(JSON.stringify(rawScript(changes), null, 2), appId);
}

/** The same for a text. */
export function pointedAt(text: string, appId = "example"): readonly string[] {
  const lines = text.split("\n");
  return parse(text, appId).problems.map(({ severity, code, line, column, length }) => {
    return `${severity} ${code} ${lines[line - 1]?.slice(column - 1, column - 1 + length)}`;
  });
}

/** Parses a sound script with changes. */
export function parseWith(changes: Record<string, unknown>, appId = "example"): ParsedScript {
  return parse(JSON.stringify(rawScript(changes), null, 2), appId);
}

function parse(text: string, appId: string): ParsedScript {
  return parseDictionary({ appId, text });
}
