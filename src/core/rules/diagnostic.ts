import type { Code } from "../codes/code.ts";
import type { Severity } from "../codes/problems.ts";
import type { JsonPath } from "../json/json.ts";
import type { Place } from "../json/json-source-spans.ts";

/** A fault as a rule reports it, before its row names code and severity; where it stands in the text is found last. */
export interface UncodedDiagnostic extends Place {
  /** One sentence without a full stop. */
  readonly message: string;
  /** In place of the hint of the rule's row. */
  readonly hint?: string;
  readonly related?: readonly RelatedDiagnostic[];
}

/** A second place of the same diagnostic. */
interface RelatedDiagnostic extends Place {
  readonly message: string;
}

/** A diagnostic with the code and severity of the row that made it. */
export interface Diagnostic extends UncodedDiagnostic {
  readonly code: Code;
  readonly severity: Severity;
  /** Known position in another file, in place of one in the install script. */
  readonly elsewhere?: {
    readonly file: string;
    readonly line: number;
    readonly column: number;
    readonly length: number;
  };
}

/** The part of a script a diagnostic belongs to: an error drops it. */
export type Carrier = { readonly kind: "script" } | { readonly kind: "hook" | "widget"; readonly index: number };

/** The carrier of a place in a script. */
export function findCarrier(path: JsonPath): Carrier {
  const [list, index] = path;
  if (typeof index !== "number") return { kind: "script" };
  if (list === "hooks") return { kind: "hook", index };
  if (list === "widgets") return { kind: "widget", index };
  return { kind: "script" };
}
