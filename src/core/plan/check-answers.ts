/** Faulty, missing and unknown answers of a request, all at once, each with its key. */
import type { Json } from "../json/json.ts";
import type { Diagnostic } from "../rules/diagnostic.ts";
import { quote, quoteAll } from "../rules/row.ts";
import type { Question } from "../script/dictionary.ts";
import { getOwn } from "../script/parse/read-fields.ts";
import { checkGivenAnswer, createRequiredFault, isUnanswered } from "./answers.ts";
import { isAsked } from "./form.ts";
import type { PlanMode } from "./plan.ts";

/** A request's answers, and who hears of their faults. */
export interface GivenAnswers {
  readonly mode: PlanMode | "upgrade";
  readonly given: Readonly<Record<string, Json>>;
  readonly report: (diagnostic: Diagnostic) => void;
}

/** Most answers to unknown questions that are named one by one. */
const MAX_UNKNOWN = 100;

/** Reports every faulty, missing and unknown answer; `offered`: the answer there would be if none was given. */
export function checkAnswers(
  sources: GivenAnswers,
  questions: readonly Question[],
  offered: (key: string) => Json | undefined,
): void {
  const { given, mode, report } = sources;
  reportUnknown(sources, new Set(questions.map(({ key }) => key)));
  for (const question of questions) {
    const path = ["answers", question.key];
    const value = getOwn(given, question.key);
    if (!isUnanswered(value)) {
      const fault = isAsked(question, mode) ? checkGivenAnswer(question, value) : createInstallonlyFault(question);
      if (fault !== null) report({ ...fault, severity: "error", path });
    } else if (isMissing(question, offered(question.key))) {
      report({ ...createMissingDiagnostic(question, mode), path });
    }
  }
}

function reportUnknown({ given, report }: GivenAnswers, keys: ReadonlySet<string>): void {
  const unknown = Object.keys(given).filter((key) => !keys.has(key));
  const declared = quoteAll(keys);
  if (unknown.length > MAX_UNKNOWN) {
    const message = `${unknown.length} answers name no question; declared are ${declared}`;
    report({ code: "ANSWER_TOO_MANY", severity: "error", message, path: ["answers"] });
    return;
  }
  for (const key of unknown) {
    const message = `no question has the key ${quote(key)}; declared are ${declared}`;
    report({ code: "ANSWER_UNKNOWN", severity: "error", message, path: ["answers", key] });
  }
}

/** A person can only be asked again for what the dialog of this mode shows. */
function createMissingDiagnostic(question: Question, mode: GivenAnswers["mode"]): Omit<Diagnostic, "path"> {
  if (isAsked(question, mode)) return { ...createRequiredFault(question), severity: "error" };
  const message = `the answer to "${question.key}" can't be recovered from the installed app`;
  return { code: "ANSWER_LOST", severity: "warning", message };
}

function createInstallonlyFault({ key }: Question): Pick<Diagnostic, "code" | "message"> {
  return { code: "ANSWER_INSTALLONLY", message: `the question "${key}" is asked at the install only` };
}

/** A default as written is the validator's to judge: here it only has to be there. */
export function isMissing({ required }: Question, offer: Json | undefined): boolean {
  return required && offer === "";
}
