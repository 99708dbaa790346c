/** The answers of an installed app: those its options dialog knows, and those only its configuration may tell. */
import type { Json, JsonObject } from "../../core/json/json.ts";
import { isAsked } from "../../core/plan/form.ts";
import type { HostFacts } from "../../core/plan/host-facts.ts";
import { resolvePlan } from "../../core/plan/resolve-plan.ts";
import type { Dictionary } from "../../core/script/dictionary.ts";
import type { Engine } from "../../engine/api.ts";
import type { AnswerSet } from "../trials/generate-answers.ts";

/** Every answer the options dialog offers, passwords too. */
export async function readAnswers(engine: Engine, appId: string): Promise<AnswerSet> {
  const { steps } = await engine.form(appId, "options");
  const questions = steps.flatMap(({ sections }) => sections.flatMap((section) => section.questions));
  const answers: Record<string, Json> = {};
  for (const { key, default: offered, isSet } of questions) {
    const answer = isSet ? (await engine.revealAnswer(appId, key)).value : offered;
    if (answer !== undefined && answer !== null) answers[key] = answer;
  }
  return answers;
}

/** The `installonly` answers an engine that knows nothing of the app finds in its configuration; others are given. */
export function recoverInstallonly(
  dictionary: Dictionary,
  facts: HostFacts,
  live: JsonObject,
  given: AnswerSet,
): AnswerSet {
  const asked = dictionary.questions.filter((question) => isAsked(question, "options"));
  const answers = Object.fromEntries(
    asked.flatMap(({ key }) => (given[key] === undefined ? [] : [[key, given[key]] as const])),
  );
  const { plan } = resolvePlan({
    dictionary,
    request: { answers },
    facts,
    mode: "options",
    stored: { live },
    random: (length) => "R".repeat(length),
  });
  return plan?.answers ?? {};
}
