import { hasMacro, type InputDefault, type InputDefaults } from "../hooks/input-defaults.ts";
import type { Diagnostic } from "../rules/diagnostic.ts";
import type { Dictionary, Hook, HookInput } from "../script/dictionary.ts";
import { checkAnswer, isUnanswered, readDefault } from "./answers.ts";
import { fitDefault } from "./fit-default.ts";
import type { PlanMacros } from "./plan-macros.ts";
import { resolveOptions } from "./resolve-options.ts";

/** Resolves the defaults and options of every hook's inputs; a random string is kept by hook, input and key. */
export function resolveInputDefaults(
  { hooks }: Dictionary,
  macros: Pick<PlanMacros, "resolveDefault">,
  report: (diagnostic: Diagnostic) => void,
): InputDefaults {
  const resolve = (hook: Hook, input: HookInput): readonly (readonly [string, InputDefault])[] => {
    if (input.type !== "question" || !hasMacro(input)) return [];
    const place = ["hooks", hook.id, "inputs", input.id, input.question.key];
    const question = resolveOptions(
      input.question,
      (value, at) => macros.resolveDefault(value, [...place, "options", at, "value"]).value,
    );
    const { options } = question;
    const path = [...place, "default"];
    const offered = readDefault(question);
    if (isUnanswered(offered)) return [[input.id, { value: undefined, ...(options && { options }), generated: false }]];
    const resolved = macros.resolveDefault(offered, path);
    const value = resolved.value === undefined ? undefined : fitDefault(question, resolved.value);
    const fault = value === undefined ? null : checkAnswer({ ...question, required: false }, value);
    if (fault !== null) report({ code: fault.code, severity: "error", message: fault.message, path });
    return [
      [
        input.id,
        { value: fault === null ? value : undefined, ...(options && { options }), generated: resolved.random },
      ],
    ];
  };
  const found = hooks.map((hook) => [hook.id, hook.inputs.flatMap((input) => resolve(hook, input))] as const);
  return Object.fromEntries(
    found.filter(([, inputs]) => inputs.length > 0).map(([id, inputs]) => [id, Object.fromEntries(inputs)]),
  );
}
