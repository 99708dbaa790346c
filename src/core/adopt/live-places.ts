/** The texts of a script's `app_values` that questions go into, each with what an installed app has in its place. */
import type { Json, JsonObject, JsonPath } from "../json/json.ts";
import { evaluate } from "../macros/evaluate.ts";
import { parseTemplate } from "../macros/parse.ts";
import { listMacroStrings } from "../macros/places.ts";
import { findOnlyCall, type Template } from "../macros/tree.ts";
import type { HostFacts } from "../plan/host-facts.ts";
import { createHostScope } from "../plan/host-scope.ts";
import { PlanBudget } from "../plan/plan-budget.ts";
import { readLiveValue } from "../plan/values/live-configuration.ts";
import type { Dictionary } from "../script/dictionary.ts";

export interface LivePlace {
  readonly path: JsonPath;
  readonly template: Template;
  /** Keys of the questions that go into it, each once. */
  readonly questions: readonly string[];
  /** It is the answer of its question and nothing else. */
  readonly isAlone: boolean;
  /** undefined: the app has nothing there, or nobody can tell which item of a list it is. */
  readonly live: Json | undefined;
}

/** Every text of a script's values that questions go into, in the order of the script; a generated string is another one each time. */
export function listLivePlaces({ appValues }: Pick<Dictionary, "appValues">, live: JsonObject): readonly LivePlace[] {
  return listMacroStrings(appValues, []).flatMap(({ text, path, key }): readonly LivePlace[] => {
    if (key) return [];
    const template = parseTemplate(text);
    const questions = new Set(template.calls.flatMap((call) => (call.name === "QUESTION" ? [call.key] : [])));
    const isTelling = template.calls.every(({ name }) => name !== "RANDOM_STRING" && name !== "INVALID");
    if (questions.size === 0 || !isTelling) return [];
    const isAlone = findOnlyCall(template.root)?.name === "QUESTION";
    return [{ path, template, questions: [...questions], isAlone, live: readLiveValue(appValues, live, path) }];
  });
}

/** What a place would hold with certain answers; undefined where that can't be told. */
export type Evaluate = (place: LivePlace, answer: (key: string) => Json | undefined) => Json | undefined;

/** Evaluates places with the facts of a host, within the budget of one plan. */
export function createEvaluate(facts: HostFacts): Evaluate {
  const budget = new PlanBudget();
  return ({ template }, answer) => {
    if (budget.overdrawn) return undefined;
    return evaluate(template, createHostScope(facts, budget, answer));
  };
}
