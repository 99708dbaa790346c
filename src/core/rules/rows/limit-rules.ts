/** How much a script's values may be. What is beyond leaves no sense to the other rules: nothing else is looked at. */
import { isJsonObject, type Json, type JsonPath } from "../../json/json.ts";
import { exceedsBytes, MAX_SOURCE_BYTES, MAX_TEXT_BYTES, MAX_VALUES } from "../../script/script-limits.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { DiagnosticList } from "../diagnostic-list.ts";
import { quote } from "../row.ts";
import { checkCounts } from "./count-rules.ts";

/** How a text that is generated begins; few texts have it. */
const GENERATED = "$RANDOM_STRING(";

/** The texts, keys, numbers and counts beyond a limit. `script` is at most as deep as `json-source.ts` lets it. */
export function checkLimits(script: Json): DiagnosticList {
  const diagnostics = new DiagnosticList();
  let values = 0;
  let generated = 0;
  visit(script, [], (value, path, key) => {
    if (!key && !isFree(path)) values += 1;
    if (typeof value === "string" && value.includes(GENERATED) && !isInlineSource(path))
      generated += value.split(GENERATED).length - 1;
    const fault = checkLimit(value, path, key);
    if (fault !== null) diagnostics.add({ severity: "error", ...fault, path: [...path], ...(key && { key }) });
  });
  if (values > MAX_VALUES) {
    const message = `the script has ${values} values outside "app_values"; allowed are ${MAX_VALUES}`;
    diagnostics.add({ code: "SCRIPT_TOO_MANY_VALUES", severity: "error", message, path: [] });
  }
  diagnostics.addAll(checkCounts(script, generated));
  return diagnostics;
}

/** Whether a place belongs to the author's own values, which no table of the specification describes. */
function isFree([area, , field]: JsonPath): boolean {
  return area === "app_values" || (area === "installation_questions" && field === "default");
}

/** Told of every value and every key. */
type Judge = (value: Json, path: JsonPath, key: boolean) => void;

/** `path` is changed in place. */
function visit(value: Json, path: (string | number)[], judge: Judge): void {
  if (Array.isArray(value)) {
    judge(value, path, false);
    for (let index = 0; index < value.length; index += 1) {
      path.push(index);
      visit(value[index], path, judge);
      path.pop();
    }
  } else if (isJsonObject(value)) {
    judge(value, path, false);
    for (const key in value) {
      path.push(key);
      judge(key, path, true);
      visit(value[key] ?? null, path, judge);
      path.pop();
    }
  } else judge(value, path, false);
}

function checkLimit(value: Json, path: JsonPath, key: boolean): Pick<Diagnostic, "code" | "message"> | null {
  if (typeof value === "number" && !Number.isFinite(value)) {
    return { code: "SCRIPT_NUMBER_TOO_LARGE", message: "the number is too large to be kept" };
  }
  if (typeof value !== "string" || !exceedsBytes(value, MAX_TEXT_BYTES)) return null;
  const limit = !key && isInlineSource(path) ? MAX_SOURCE_BYTES : MAX_TEXT_BYTES;
  if (!exceedsBytes(value, limit)) return null;
  const what = key ? "key" : "text";
  return { code: "SCRIPT_TEXT_TOO_LONG", message: `the ${what} ${quote(value)} has more than ${limit / 1024} KB` };
}

/** `hooks.*.scriptContent` and `widgets.*.scriptContent`. */
function isInlineSource([list, index, field, ...below]: JsonPath): boolean {
  const inCarrier = (list === "hooks" || list === "widgets") && typeof index === "number";
  return inCarrier && field === "scriptContent" && below.length === 0;
}
