import { EngineError } from "../../../core/codes/problems.ts";
import type { RevealedAnswer } from "../../api.ts";
import { readKeptChoices } from "../../vault/kept-choices.ts";
import type { MethodDeps } from "../deps.ts";
import { askLiveConfig } from "../live-config.ts";
import { draftPlan } from "../plan-app.ts";
import { requireUsableApp } from "../request/request.ts";

/**
 * Shows one answer the form withholds and logs that it did. Throws `ANSWER_UNKNOWN` where the form withholds none of that
 * key; a password that is not stored is null.
 */
export async function revealAnswer(deps: MethodDeps, appId: string, key: string): Promise<RevealedAnswer> {
  const { dictionary } = requireUsableApp(deps, appId);
  const facts = (await deps.answers.facts()).value;
  const live = await askLiveConfig(deps, appId);
  const { withheld } = draftPlan(deps, {
    dictionary,
    request: {},
    facts,
    mode: "options",
    kept: readKeptChoices(deps, appId),
    ...(live !== null && { live: live.value }),
  });
  const value = Object.hasOwn(withheld, key) ? withheld[key] : undefined;
  const isPassword = dictionary.questions.some((question) => question.key === key && question.type === "password");
  if (value === undefined && !isPassword) {
    throw new EngineError("ANSWER_UNKNOWN", `no answer of "${appId}" with the key "${key}" is withheld`, { appId });
  }
  deps.logger.warn({ appId, key, isSet: value !== undefined }, "a stored password was revealed");
  return { key, value: value ?? null };
}
