/**
 * Install script to dictionary: text -> value -> findings of the rule table -> normal form.
 * Every judgement is a row of `rules/`; this file only carries out what severity and carrier say.
 */
import { explain } from "./codes.ts";
import type { Dictionary } from "./dictionary.ts";
import { isJsonObject, type Json } from "./json.ts";
import { readJson, withoutByteOrderMark } from "./json-source.ts";
import { spanAt } from "./json-source-spans.ts";
import { readDictionary } from "./parse-dictionary-normal.ts";
import { toProblems } from "./parse-dictionary-problems.ts";
import { numberAt } from "./parse-dictionary-read.ts";
import type { Problem } from "./problems.ts";
import { judge } from "./rules/coded.ts";
import { examine } from "./rules/examine.ts";
import type { CodedFinding } from "./rules/finding.ts";
import { TEXT_RULES } from "./rules/text-rules.ts";

const judgeText = judge(TEXT_RULES);

export interface ParseRequest {
  /** Base name of the file, e.g. `jellyfin` for `jellyfin.json` and `jellyfin@2.json`. */
  readonly appId: string;
  readonly text: string;
  /** Findings of checks outside the text (script files), which drop their hook or widget like any other. */
  readonly extra?: readonly CodedFinding[];
}

export interface ParsedScript {
  /** null when the script itself is refused. */
  readonly dictionary: Dictionary | null;
  /** What the text holds; undefined when it is no JSON. */
  readonly value: Json | undefined;
  /** The `version` written, also an unsupported one. */
  readonly version: number | null;
  /** Sorted by position. */
  readonly problems: readonly Problem[];
}

/** Parses one install script. Faults are problems, it never throws. */
export function parseDictionary({ appId, text: raw, extra = [] }: ParseRequest): ParsedScript {
  const text = withoutByteOrderMark(raw);
  const source = readJson(text);
  if (!source.ok) {
    const problems = source.faults.map(({ kind, message, offset, length }): Problem => {
      const code = kind === "depth" ? "SCRIPT_TOO_DEEP" : "SCRIPT_JSON_SYNTAX";
      return { code, severity: "error", message, path: [], ...spanAt(text, offset, length), hint: explain(code).hint };
    });
    return { dictionary: null, value: undefined, version: null, problems };
  }
  const { value, repeatsKeys } = source;
  const { findings: ofValue, kept } = examine(appId, value, extra);
  const findings = repeatsKeys ? [...ofValue, ...judgeText(text)] : ofValue;
  const problems = findings.length === 0 ? [] : toProblems(text, findings);
  const dictionary = kept !== null && isJsonObject(value) ? readDictionary(appId, value, kept) : null;
  return { dictionary, value, version: isJsonObject(value) ? (numberAt(value, "version") ?? null) : null, problems };
}
