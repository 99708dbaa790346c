import { hasMacro, type InputDefault, type InputDefaults } from "../hooks/input-defaults.ts";
import type { Diagnostic } from "../rules/diagnostic.ts";
import type { Dictionary, Hook, HookInput } from "../script/dictionary.ts";
import { checkAnswer } from "./answers.ts";
import { fitDefault } from "./fit-default.ts";
import type { PlanMacros } from "./plan-macros.ts";

/** Resolves the defaults of every hook's inputs; a random string is kept by hook, input and key. */
export function resolveInputDefaults(
  { hooks }: Dictionary,
  macros: Pick<PlanMacros, "resolveDefault">,
  report: (diagnostic: Diagnostic) => void,
): InputDefaults {
  const resolve = (hook: Hook, input: HookInput): readonly (readonly [string, InputDefault])[] => {
    if (input.type !== "question" || !hasMacro(input)) return [];
    const { question } = input;
    const path = ["hooks", hook.id, "inputs", input.id, question.key, "default"];
    const resolved = macros.resolveDefault(question.default ?? null, path);
    const value = resolved.value === undefined ? undefined : fitDefault(question, resolved.value);
    const fault = value === undefined ? null : checkAnswer({ ...question, required: false }, value);
    if (fault !== null) report({ code: fault.code, severity: "error", message: fault.message, path });
    return [[input.id, { value: fault === null ? value : undefined, generated: resolved.random }]];
  };
  const found = hooks.map((hook) => [hook.id, hook.inputs.flatMap((input) => resolve(hook, input))] as const);
  return Object.fromEntries(
    found.filter(([, inputs]) => inputs.length > 0).map(([id, inputs]) => [id, Object.fromEntries(inputs)]),
  );
}
