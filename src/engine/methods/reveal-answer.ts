import { EngineError } from "../../core/codes/problems.ts";
import type { RevealedAnswer } from "../api.ts";
import type { MethodDeps } from "./deps.ts";
import { draftPlan, keptChoices } from "./plan-app.ts";
import { liveConfig } from "./preview.ts";
import { usableApp } from "./request.ts";

/** Shows one stored password and logs that it did. Throws `ANSWER_UNKNOWN` where the script asks for no such password. */
export async function revealAnswer(deps: MethodDeps, appId: string, key: string): Promise<RevealedAnswer> {
  const { dictionary } = usableApp(deps, appId);
  if (!dictionary.questions.some((question) => question.key === key && question.type === "password")) {
    throw new EngineError("ANSWER_UNKNOWN", `"${appId}" asks for no password with the key "${key}"`, { appId });
  }
  const [facts, live] = [await deps.host.facts(), await liveConfig(deps, appId)];
  const { storedPasswords } = draftPlan(deps, {
    dictionary,
    request: {},
    facts,
    mode: "options",
    kept: keptChoices(deps, appId),
    ...(live !== null && { live }),
  });
  const value = Object.hasOwn(storedPasswords, key) ? storedPasswords[key] : undefined;
  deps.logger.warn({ appId, key, isSet: value !== undefined }, "a stored password was revealed");
  return { key, value: value ?? null };
}
