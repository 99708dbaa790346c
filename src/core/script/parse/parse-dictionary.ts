/**
 * Install script to dictionary: text -> value -> diagnostics of the rule table -> normal form.
 * Every judgement is a row of `rules/`; this file only carries out what severity and carrier say.
 */
import { explain } from "../../codes/codes.ts";
import type { Problem } from "../../codes/problems.ts";
import { isJsonObject, type Json } from "../../json/json.ts";
import { type JsonSource, readJson, withoutByteOrderMark } from "../../json/json-source.ts";
import { findRepeatedKeys } from "../../json/repeated-keys.ts";
import { locateSpans } from "../../json/text-spans.ts";
import { DiagnosticList } from "../../rules/diagnostic-list.ts";
import { checkLimits } from "../../rules/rows/limit-rules.ts";
import { reportRepeatedKey } from "../../rules/rows/text-rules.ts";
import { validate } from "../../rules/validate.ts";
import type { Dictionary } from "../dictionary.ts";
import { exceedsBytes, MAX_SCRIPT_BYTES } from "../script-limits.ts";
import { cleanShownTexts } from "../shown-texts.ts";
import { readDictionary } from "./normalize.ts";
import { listProblems, sayHowManyMore, toProblems } from "./place-problems.ts";
import { readNumber } from "./read-fields.ts";

export interface ParseRequest {
  /** Base name of the file, e.g. `jellyfin` for `jellyfin.json` and `jellyfin@2.json`. */
  readonly appId: string;
  readonly text: string;
  /** Diagnostics of checks outside the text (script files), which drop their hook or widget like any other. */
  readonly extra?: DiagnosticList;
}

export interface ParsedScript {
  /** null when the script itself is refused. */
  readonly dictionary: Dictionary | null;
  /** The text's value; undefined when it is not JSON. */
  readonly value: Json | undefined;
  /** The `version` written, also an unsupported one. */
  readonly version: number | null;
  /** Sorted by position. */
  readonly problems: readonly Problem[];
}

/** Parses one install script. Faults are problems, it never throws. */
export function parseDictionary({ appId, text: raw, extra = new DiagnosticList() }: ParseRequest): ParsedScript {
  if (exceedsBytes(raw, MAX_SCRIPT_BYTES)) return refuse([createTooLargeProblem(raw)]);
  const text = withoutByteOrderMark(raw);
  const source = readJson(text);
  if (!source.ok) return refuse(toSyntaxProblems(text, source));
  const { value, repeatsKeys } = source;
  const version = isJsonObject(value) ? (readNumber(value, "version") ?? null) : null;
  const beyond = checkLimits(value);
  if (beyond.kept.length > 0) return { ...refuse(listProblems(text, beyond)), version };
  const { diagnostics, kept } = validate(appId, value, extra);
  if (repeatsKeys) for (const path of findRepeatedKeys(text)) diagnostics.add(reportRepeatedKey(path));
  const problems = diagnostics.kept.length === 0 ? [] : listProblems(text, diagnostics);
  const usable = kept !== null && diagnostics.rest === 0 && isJsonObject(value);
  return { dictionary: usable ? readDictionary(appId, cleanShownTexts(value), kept) : null, value, version, problems };
}

/** A script of which nothing is read. */
function refuse(problems: readonly Problem[]): ParsedScript {
  return { dictionary: null, value: undefined, version: null, problems };
}

function createTooLargeProblem(text: string): Problem {
  const [code, limit] = ["SCRIPT_TOO_LARGE", MAX_SCRIPT_BYTES] as const;
  const message = `the file has more than ${limit} bytes (${text.length} characters), the most an install script may have`;
  return { code, severity: "error", message, path: [], line: 1, column: 1, length: 1, hint: explain(code).hint };
}

function toSyntaxProblems(text: string, { faults, rest }: Extract<JsonSource, { ok: false }>): readonly Problem[] {
  const spans = locateSpans(text, faults);
  const problems = faults.map(({ kind, message }, index): Problem => {
    const code = kind === "depth" ? "SCRIPT_TOO_DEEP" : "SCRIPT_JSON_SYNTAX";
    const span = spans[index] ?? { line: 1, column: 1, length: 1 };
    return { code, severity: "error", message, path: [], ...span, hint: explain(code).hint };
  });
  return rest === 0 ? problems : [...problems, ...toProblems("", [sayHowManyMore(rest)])];
}
