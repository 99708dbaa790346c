/** The secrets of an app that the engine keeps, those it had before too: old names on the host may hold them. */
import { isJsonObject, type JsonObject } from "../../core/json/json.ts";
import { listTexts } from "../../core/json/list-texts.ts";
import type { Question } from "../../core/script/dictionary.ts";
import type { Store } from "../ports/store.ts";
import { readTexts } from "./kept-choices.ts";
import { readChoices, readRestorePoints } from "./restore-points.ts";

/** Every password and generated string of an app, as it is set up now and as it was at what it can be rolled back to. */
export function listAppSecrets(
  store: Pick<Store, "setting">,
  appId: string,
  questions: readonly Pick<Question, "key" | "type">[],
): readonly string[] {
  const passwords = questions.filter(({ type }) => type === "password").map(({ key }) => key);
  const kept = [readChoices(store, appId), ...readRestorePoints(store, appId).map(({ choices }) => choices)];
  return [...new Set(kept.flatMap((choices) => listSecrets(choices, passwords)))].filter((text) => text !== "");
}

function listSecrets({ answers, randoms }: JsonObject, passwords: readonly string[]): readonly string[] {
  const given = isJsonObject(answers) ? passwords.flatMap((key) => listTexts(answers[key] ?? null)) : [];
  return [...given, ...Object.values(readTexts(randoms ?? null))];
}
