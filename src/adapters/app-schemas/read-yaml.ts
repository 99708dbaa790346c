/** Reads one YAML document of a catalog, which anyone may have written. */
import { parse, type Tags } from "yaml";
import { isJson, isJsonObject, type JsonObject } from "../../core/json/json.ts";
import { readMessage } from "../../core/json/read-message.ts";

/** Uses of anchors in one document: an alias of aliases grows without bound. */
const MOST_ALIASES = 100;
/** Deepest nesting; real questions have up to 40 levels. */
const MOST_LEVELS = 200;

/** The dialect of the host, YAML 1.1: `yes` is true there. Comparing all keys of a mapping takes quadratic time. */
const OPTIONS = {
  version: "1.1",
  maxAliasCount: MOST_ALIASES,
  uniqueKeys: false,
  logLevel: "error",
  prettyErrors: true,
  customTags: (tags: Tags) => tags.filter((tag) => typeof tag === "string" || tag.tag !== TIMESTAMP),
} as const;
/** A date stays the text it is. */
const TIMESTAMP = "tag:yaml.org,2002:timestamp";

/** An object of JSON values, or why the text is none. Never throws: text nested too deep is refused by the parser's own stack limit. */
export function readYaml(
  text: string,
): { readonly ok: true; readonly value: JsonObject } | { readonly ok: false; readonly reason: string } {
  let value: unknown;
  try {
    value = parse(text, OPTIONS);
  } catch (error) {
    return { ok: false, reason: readMessage(error).split("\n")[0] ?? "" };
  }
  if (!isJson(value, MOST_LEVELS)) return { ok: false, reason: "it holds what JSON can't, or is nested too deep" };
  return isJsonObject(value) ? { ok: true, value } : { ok: false, reason: "it is no mapping" };
}
