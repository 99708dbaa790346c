/** Defaults of hook inputs, which may hold macros as those of installation questions do (docs/decisions.md, section 2.1). Pure. */
import type { Json } from "../json/json.ts";
import { readDefault } from "../plan/answers.ts";
import { hasOptionMacro } from "../plan/resolve-options.ts";
import type { Hook, HookInput, QuestionOption } from "../script/dictionary.ts";

/** A resolved default of an input, and its options where they hold macros. */
export interface InputDefault {
  /** undefined: it can't be resolved. */
  readonly value: Json | undefined;
  readonly options?: readonly QuestionOption[];
  /** A random string went into it: a secret. */
  readonly generated: boolean;
}

/** By hook id and input id; inputs without a macro in their default and options are not in it. */
export type InputDefaults = Readonly<Record<string, Readonly<Record<string, InputDefault>>>>;

/** Whether the default or an option of an input may hold a macro. */
export function hasMacro(input: HookInput): boolean {
  if (input.type !== "question") return false;
  return (JSON.stringify(input.question.default) ?? "").includes("$") || hasOptionMacro(input.question);
}

/**
 * A hook that offers what the defaults and options of its inputs came to, never a macro. A required yes or no without a
 * default offers no.
 */
export function offerDefaults(hook: Hook, defaults: InputDefaults): Hook {
  const found = Object.hasOwn(defaults, hook.id) ? defaults[hook.id] : undefined;
  const inputs = hook.inputs.map((input): HookInput => {
    if (input.type !== "question") return input;
    const resolved = found !== undefined && Object.hasOwn(found, input.id) ? found[input.id] : undefined;
    const { default: _, ...question } = input.question;
    const offered = resolved === undefined ? readDefault(input.question) : resolved.value;
    const options = resolved?.options ?? question.options;
    return {
      ...input,
      question: { ...question, ...(options && { options }), ...(offered !== undefined && { default: offered }) },
    };
  });
  return { ...hook, inputs };
}

/** The inputs of a hook whose default holds a random string, by their ids. */
export function listGeneratedInputs({ id }: Hook, defaults: InputDefaults): readonly string[] {
  const found = Object.hasOwn(defaults, id) ? defaults[id] : undefined;
  return Object.entries(found ?? {}).flatMap(([input, { generated }]) => (generated ? [input] : []));
}
