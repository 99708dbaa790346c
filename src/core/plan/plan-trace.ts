/** Where each resolved value came from, for `slipway plan --explain`. */
import type { JsonPath } from "../json/json.ts";
import type { Call } from "../macros/tree.ts";
import type { RandomStrings } from "./random-strings.ts";
import type { AnswerSource, ResolvedAnswers } from "./resolve-answers.ts";
import type { Place } from "./values/resolve-values.ts";

/** Which macros made a value, and where each got it from. */
export interface TraceEntry {
  /** Area and place of the resolved value, e.g. `["app_values", "network", "port"]`. */
  readonly path: JsonPath;
  readonly macros: readonly TracedMacro[];
}

export interface TracedMacro {
  /** As written. */
  readonly macro: string;
  readonly from: "host" | "script" | "generated" | "kept" | "live" | `answer:${AnswerSource}`;
  /** Question key. */
  readonly key?: string;
}

/** A branch an `$IF` took. */
export interface TakenBranch {
  /** Its place in the script; a question stands in it by its key. */
  readonly path: JsonPath;
  /** Where the `$IF` begins in the text of its place, in UTF-16 units. */
  readonly offset: number;
  /** Whether it was the first: its condition holds. */
  readonly holds: boolean;
}

/** Collects macros by the place of the value they made. */
export class Trace {
  /** Macros evaluated so far. */
  uses = 0;
  readonly #byPlace = new Map<string, { readonly path: JsonPath; readonly macros: TracedMacro[] }>();

  add({ resolved }: Place, macro: TracedMacro): void {
    this.uses += 1;
    const key = JSON.stringify(resolved);
    const entry = this.#byPlace.get(key);
    if (entry === undefined) this.#byPlace.set(key, { path: resolved, macros: [macro] });
    else entry.macros.push(macro);
  }

  entries(): readonly TraceEntry[] {
    return [...this.#byPlace.values()];
  }
}

/** A macro with its source. */
export function traceMacro(
  call: Call,
  macro: string,
  answers: ResolvedAnswers,
  randoms: RandomStrings,
  { script }: Place,
): TracedMacro {
  switch (call.name) {
    case "QUESTION":
      return { macro, from: `answer:${answers.answer(call.key).source}`, key: call.key };
    case "RANDOM_STRING":
      return { macro, from: randoms.origin(script) };
    case "IF":
    case "HOST_PATH":
    case "MOUNTED_HOST_PATH":
    case "INVALID":
      return { macro, from: "script" };
    default:
      return { macro, from: "host" };
  }
}
