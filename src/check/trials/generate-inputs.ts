import { hasMacro } from "../../core/hooks/input-defaults.ts";
import type { Json } from "../../core/json/json.ts";
import { checkGivenAnswer } from "../../core/plan/answers.ts";
import type { Hook, HookInput } from "../../core/script/dictionary.ts";
import type { Random } from "../../standin/random.ts";
import { generateAnswer } from "./generate-answers.ts";

/** Inputs of a hook by id: their defaults, and generated ones where there is none; a sign-in has brought a token. */
export function generateInputs({ inputs }: Pick<Hook, "inputs">, random: Random): Readonly<Record<string, Json>> {
  return Object.fromEntries(inputs.map((input) => [input.id, generateInput(input, random)]));
}

function generateInput(input: HookInput, random: Random): Json {
  if (input.type === "oauth") return `check-${random.hex(24)}`;
  const { question } = input;
  const offered = hasMacro(input) ? undefined : question.default;
  const isOffered = offered !== undefined && offered !== "" && checkGivenAnswer(question, offered) === null;
  return isOffered ? offered : generateAnswer(question, random);
}
