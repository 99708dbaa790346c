/** Differences an update or upgrade makes to an app's answers, for a person to read before it is sent. */
import { isEqual } from "../../json/is-equal.ts";
import type { Json } from "../../json/json.ts";
import { createMask, maskJson } from "../../report/mask.ts";
import type { Question } from "../../script/dictionary.ts";
import { isUnanswered } from "../answers.ts";
import { isAsked } from "../form.ts";
import type { PlanMode } from "../plan.ts";
import type { ResolvedAnswers } from "../resolve-answers.ts";

/** One answer that would be another than the app has now. */
export interface AnswerDifference {
  /** Key of the question. */
  readonly key: string;
  /** Its words; the key where the script asks it no more. */
  readonly question: string;
  /** `removed`: the script does not ask it any more. */
  readonly kind: "added" | "changed" | "removed";
  /** Secrets masked; absent where there was none, of a password, and of an answer that fits its question no more. */
  readonly before?: Json;
  /** Secrets masked; absent where there is none, and of a password. */
  readonly after?: Json;
}

interface Answered {
  readonly questions: readonly Question[];
  readonly answers: ResolvedAnswers;
  readonly mode: PlanMode;
  /** Answers an earlier task kept. */
  readonly stored: Readonly<Record<string, Json>>;
  readonly secrets: readonly string[];
}

/** The differences in the order of the questions asked in the mode, then the answers nobody asks for any more. */
export function listAnswerDifferences({
  questions,
  answers,
  mode,
  stored,
  secrets,
}: Answered): readonly AnswerDifference[] {
  const mask = createMask(secrets);
  const show = (value: Json) => maskJson(value, mask);
  const asked = questions
    .filter((question) => isAsked(question, mode))
    .flatMap(({ key, question, type }): readonly AnswerDifference[] => {
      const offered = answers.offered(key);
      const before = offered.source === "live" || offered.source === "stored" ? offered.value : undefined;
      const { value, source } = answers.answer(key);
      const after = source === "none" || isUnanswered(value) ? undefined : value;
      const had = before !== undefined || !isUnanswered(Object.hasOwn(stored, key) ? stored[key] : undefined);
      if (had ? before !== undefined && isEqual(before, after) : isNothing(after)) return [];
      const isShown = type !== "password";
      return [
        {
          key,
          question,
          kind: had ? "changed" : "added",
          ...(isShown && before !== undefined && { before: show(before) }),
          ...(isShown && after !== undefined && { after: show(after) }),
        },
      ];
    });
  const declared = new Set(questions.map(({ key }) => key));
  // Nobody knows whether it was a password: its value is not shown.
  const removed = Object.keys(stored).filter((key) => !declared.has(key) && !isUnanswered(stored[key]));
  return [...asked, ...removed.map((key) => ({ key, question: key, kind: "removed" as const }))];
}

/** No answer yields the same as an empty one. */
function isNothing(value: Json | undefined): boolean {
  return value === undefined || value === "";
}
