/** Checks one macro against what its script declares. */
import type { JsonPath } from "../json/json.ts";
import type { Diagnostic } from "../rules/diagnostic.ts";
import { quote } from "../rules/row.ts";
import { type Call, readLiteralText, type Sequence } from "./tree.ts";

/** What a script declares that macros name. */
export interface Declared {
  readonly questions: ReadonlySet<string>;
  readonly locations: ReadonlySet<string>;
  /** The questions, for messages. */
  readonly listed: string;
}

/** Faults of one macro that stands at a path. */
export function checkCall(call: Call, path: JsonPath, declared: Declared): readonly Diagnostic[] {
  const within = { offset: call.offset, length: call.length };
  switch (call.name) {
    case "QUESTION": {
      if (declared.questions.has(call.key)) return [];
      const message = `no question declares the key ${quote(call.key)}; declared are ${declared.listed}`;
      return [{ code: "MACRO_QUESTION_UNDECLARED", severity: "error", message, path, within }];
    }
    case "LOCATION": {
      if (declared.locations.has(call.location)) return [];
      const message = `the location ${quote(call.location)} is not listed in "requirements.locations"`;
      return [{ code: "MACRO_LOCATION_UNDECLARED", severity: "error", message, path, within }];
    }
    case "HOST_PATH":
    case "MOUNTED_HOST_PATH":
      return checkHostPath(call.path, path, within);
    default:
      return [];
  }
}

function checkHostPath(
  hostPath: Sequence,
  path: JsonPath,
  within: { readonly offset: number; readonly length: number },
): readonly Diagnostic[] {
  const literal = readLiteralText(hostPath);
  if (literal === null) return [];
  const message = `the path ${quote(literal)} is written out and may lie outside every location`;
  return [{ code: "MACRO_LITERAL_PATH", severity: "warning", message, path, within }];
}
