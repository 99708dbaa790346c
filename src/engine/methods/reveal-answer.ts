import { EngineError } from "../../core/codes/problems.ts";
import type { RevealedAnswer } from "../api.ts";
import type { MethodScene } from "./deps.ts";
import { draftPlan, keptChoices } from "./plan-app.ts";
import { liveConfig } from "./preview.ts";
import { usableApp } from "./request.ts";

/** Shows one stored password and logs that it did. Throws `ANSWER_UNKNOWN` where the script asks for no such password. */
export async function revealAnswer(scene: MethodScene, appId: string, key: string): Promise<RevealedAnswer> {
  const { dictionary } = usableApp(scene, appId);
  if (!dictionary.questions.some((question) => question.key === key && question.type === "password")) {
    throw new EngineError("ANSWER_UNKNOWN", `"${appId}" asks for no password with the key "${key}"`, { appId });
  }
  const [facts, live] = [await scene.host.facts(), await liveConfig(scene, appId)];
  const { storedPasswords } = draftPlan(scene, {
    dictionary,
    request: {},
    facts,
    mode: "options",
    kept: keptChoices(scene, appId),
    ...(live !== null && { live }),
  });
  const value = Object.hasOwn(storedPasswords, key) ? storedPasswords[key] : undefined;
  scene.logger.warn({ appId, key, isSet: value !== undefined }, "a stored password was revealed");
  return { key, value: value ?? null };
}
