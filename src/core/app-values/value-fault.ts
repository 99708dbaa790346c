/** What the host has to say about one value of an app, and what it keeps to itself. */
import type { Json, JsonPath } from "../json/json.ts";
import type { ShowIf, ValueQuestion } from "./question.ts";

/** Kinds of faults for which the host refuses values. */
export const REFUSALS = ["missing", "type", "form", "length", "range", "choice", "immutable", "certificate"] as const;

/**
 * Kinds the host takes without a word: `unknown`: no question has the key; `coerced`: it keeps another value than sent;
 * `hidden`: a condition hides the question, so the value has no effect; `host`: whether it fits depends on the host.
 */
export const NOTES = ["unknown", "coerced", "hidden", "host"] as const;

export type FaultKind = (typeof REFUSALS)[number] | (typeof NOTES)[number];

/** One thing about one value. */
export interface ValueFault {
  readonly kind: FaultKind;
  /** From the root of the values. Of a missing or unknown key it ends with that key. */
  readonly path: JsonPath;
  /** null if the key is unknown. */
  readonly question: ValueQuestion | null;
  /** The words of the host; what it takes without a word has none. */
  readonly reason: string;
  /** The value sent; absent if it is missing or an answer nobody has given yet. */
  readonly value?: Json;
  /** With `coerced`: what the host keeps. */
  readonly kept?: Json;
  /** With `unknown`: the keys there are. */
  readonly known?: readonly string[];
  /** With `hidden`. */
  readonly hiddenBy?: ShowIf;
  /** Keys of questions of the install script whose answers, not given yet, are part of the value. */
  readonly answers?: readonly string[];
  /** With `answers`: what kind of answer they are. */
  readonly answered?: "text" | "number";
}

/** Whether the host refuses the values for it. */
export function isRefusal({ kind }: Pick<ValueFault, "kind">): boolean {
  return REFUSALS.some((refusal) => refusal === kind);
}
