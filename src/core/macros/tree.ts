/**
 * The tree of a string with macros. Made once by `parse.ts`, evaluated by `evaluate.ts`; what a macro yields is data
 * and never becomes a tree again (docs/decisions.md, section 2.1).
 */
import type { Code } from "../codes/code.ts";
import type { Severity } from "../codes/problems.ts";
import type { BareMacro } from "./names.ts";

/** Where something stands in the decoded string, in UTF-16 units. */
export interface StringSpan {
  readonly offset: number;
  readonly length: number;
}

/** A fault of one string, without the string's own place. */
export interface MacroFault extends StringSpan {
  readonly code: Code;
  readonly severity: Severity;
  readonly message: string;
  readonly hint?: string;
}

/** A string read into its macros. */
export interface Template {
  readonly source: string;
  readonly root: Sequence;
  /** Every macro of the string, inner ones too, by offset. */
  readonly calls: readonly Call[];
  readonly faults: readonly MacroFault[];
}

/** Texts and macros in a row: one macro alone keeps its type, anything else yields text (docs/decisions.md, section 2.2). */
export interface Sequence {
  readonly kind: "sequence";
  readonly parts: readonly (string | Call)[];
}

/** A branch of an `$IF`: a sequence, or JSON with sequences for its strings. */
export type Branch =
  | Sequence
  | { readonly kind: "array"; readonly items: readonly Branch[] }
  | { readonly kind: "object"; readonly entries: readonly (readonly [key: string, value: Branch])[] }
  | { readonly kind: "scalar"; readonly value: number | boolean | null };

export type Condition =
  | { readonly kind: "truthy"; readonly operand: Sequence }
  | { readonly kind: "equal"; readonly negated: boolean; readonly left: Sequence; readonly right: Sequence }
  | { readonly kind: "not"; readonly condition: Condition }
  | { readonly kind: "all" | "any"; readonly conditions: readonly Condition[] };

/** A macro with its arguments, by name. `INVALID` stands for one whose fault is in the template's faults. */
export type Macro =
  | { readonly name: BareMacro | "GPU_CONFIG" | "INVALID" }
  | { readonly name: "LOCATION"; readonly location: string }
  | { readonly name: "QUESTION"; readonly key: string }
  | { readonly name: "RANDOM_STRING"; readonly characters: number }
  | { readonly name: "MEMORY"; readonly percent: Sequence; readonly minimum: Sequence }
  | { readonly name: "HOST_PATH"; readonly path: Sequence }
  | { readonly name: "MOUNTED_HOST_PATH"; readonly path: Sequence; readonly mountPoint: Sequence }
  | { readonly name: "APP_INSTALLED"; readonly app: Sequence }
  | {
      readonly name: "IF";
      readonly condition: Condition;
      readonly whenTrue: Branch;
      readonly whenFalse: Branch | null;
    };

/** One use of a macro in a string. */
export type Call = Macro & StringSpan;

/** The text of a sequence without macros, else null. */
export function readLiteralText(sequence: Sequence): string | null {
  const [part] = sequence.parts;
  if (sequence.parts.length === 1) return typeof part === "string" ? part : null;
  return sequence.parts.every((part) => typeof part === "string") ? sequence.parts.join("") : null;
}

/** The macro a sequence is from end to end, else null. */
export function findOnlyCall(sequence: Sequence): Call | null {
  const [part] = sequence.parts;
  return sequence.parts.length === 1 && typeof part === "object" ? part : null;
}
