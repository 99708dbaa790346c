/** Options of select questions, whose values may hold macros as defaults may (docs/decisions.md, section 2.1). Pure. */
import type { Json } from "../json/json.ts";
import { evaluate } from "../macros/evaluate.ts";
import { parseTemplate } from "../macros/parse.ts";
import type { Question } from "../script/dictionary.ts";
import type { HostFacts } from "./host-facts.ts";
import { createHostScope } from "./host-scope.ts";
import { PlanBudget } from "./plan-budget.ts";

type Optioned = Pick<Question, "options">;

/** Whether a value of an option may hold a macro. */
export function hasOptionMacro({ options = [] }: Optioned): boolean {
  return options.some(({ value }) => JSON.stringify(value).includes("$"));
}

/** A question with the values of its options resolved; one that can't be is no option. */
export function resolveOptions<Asked extends Optioned>(
  question: Asked,
  resolve: (value: Json, at: number) => Json | undefined,
): Asked {
  if (question.options === undefined || !hasOptionMacro(question)) return question;
  const options = question.options.flatMap(({ text, value }, at) => {
    const resolved = resolve(value, at);
    return resolved === undefined ? [] : [{ text, value: resolved }];
  });
  return { ...question, options };
}

/** Questions as a host asks them whose answers are not known: an option made of an answer or a random string is left out. */
export function resolveHostOptions(questions: readonly Question[], facts: HostFacts): readonly Question[] {
  const scope = createHostScope(facts, new PlanBudget(), () => undefined);
  const resolve = (value: Json): Json | undefined => {
    if (typeof value !== "string") return value;
    const template = parseTemplate(value);
    if (template.faults.some(({ severity }) => severity === "error")) return undefined;
    if (template.calls.some(({ name }) => name === "RANDOM_STRING" || name === "QUESTION")) return undefined;
    return evaluate(template, scope);
  };
  return questions.map((question) => resolveOptions(question, resolve));
}
