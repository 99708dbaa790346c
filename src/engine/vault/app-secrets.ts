/**
 * The secrets of an app that the engine keeps, those it had before too: the app itself, or old names on the host, may say
 * them at any time.
 */
import { isJsonObject, type Json, type JsonObject } from "../../core/json/json.ts";
import { listTexts } from "../../core/json/list-texts.ts";
import type { FormerSecrets } from "../../core/plan/resolve-request.ts";
import type { Dictionary } from "../../core/script/dictionary.ts";
import type { Store } from "../ports/store.ts";
import type { StoredApp } from "../stored-plan.ts";
import { listCollectedSecrets } from "./carried-inputs.ts";
import { INPUT_RANDOMS, PASSWORDS, readTexts } from "./kept-choices.ts";
import { readChoices, readRestorePoints } from "./restore-points.ts";

type Settings = Pick<Store, "setting">;
type Kept = Pick<Store, "setting" | "runs">;

/** The part of an app's script that tells its secrets; null where there is none. */
export type AskingScript = Pick<Dictionary, "questions" | "hooks"> | null;

/** Every password and generated string of an app, as it is set up now and as it was at what it can be rolled back to. */
export function listAppSecrets(store: Kept, appId: string, script: AskingScript): readonly string[] {
  const { passwords, generated } = readAppSecrets(store, appId, script);
  return [...new Set([...passwords, ...generated])];
}

/** The same, passwords and generated strings apart. */
export function readAppSecrets(store: Kept, appId: string, script: AskingScript): FormerSecrets {
  const isPassword = judgeAnswers(store, appId, script);
  const kept = listKeptChoices(store, appId);
  const answers = kept.flatMap((choices) => listPasswords(choices, isPassword));
  // What a hook collected stays kept when a newer script has it no more.
  const ran = store.runs(appId).flatMap(({ hookId }) => hookId ?? []);
  const hooks = new Set([...(script?.hooks ?? []).map(({ id }) => id), ...ran]);
  const collected = [...hooks].flatMap((id) => listCollectedSecrets(store, appId, id));
  const randoms = [...kept.map((choices) => choices["randoms"]), store.setting(appId, INPUT_RANDOMS)];
  return {
    passwords: listOnce([...answers, ...collected]),
    generated: listOnce(randoms.flatMap((texts) => Object.values(readTexts(texts ?? null)))),
  };
}

/**
 * Keys of the questions that ever asked an app for a password, those of its plan among them. Where none were noted yet,
 * as in databases of earlier builds, each answer the plan's script does not ask for counts as one.
 */
export function listNotedPasswords(
  store: Settings,
  { appId, asked, answers }: Pick<StoredApp, "appId" | "asked" | "answers">,
  passwords: readonly string[],
): readonly string[] {
  const noted = store.setting(appId, PASSWORDS);
  if (noted !== null) return [...new Set([...listTexts(noted), ...passwords])];
  const known = new Set(asked ?? Object.keys(answers));
  const former = listKeptChoices(store, appId).flatMap((choices) => listAnswers(choices).map(([key]) => key));
  return [...new Set([...passwords, ...former.filter((key) => !known.has(key))])];
}

/** Tells which answers are passwords. Of one that nobody asks for any more and nothing was noted of, nobody knows. */
function judgeAnswers(store: Settings, appId: string, script: AskingScript): (key: string) => boolean {
  const types = new Map((script?.questions ?? []).map(({ key, type }) => [key, type]));
  const setting = store.setting(appId, PASSWORDS);
  const noted = setting === null ? null : new Set(listTexts(setting));
  return (key) => types.get(key) === "password" || (noted?.has(key) ?? !types.has(key));
}

/** What is kept of an app as it is set up now, and at what it can be rolled back to. */
function listKeptChoices(store: Settings, appId: string): readonly JsonObject[] {
  return [readChoices(store, appId), ...readRestorePoints(store, appId).map(({ choices }) => choices)];
}

function listAnswers({ answers }: JsonObject): readonly (readonly [string, Json])[] {
  return isJsonObject(answers) ? Object.entries(answers) : [];
}

function listPasswords(choices: JsonObject, isPassword: (key: string) => boolean): readonly string[] {
  return listAnswers(choices).flatMap(([key, value]) => (isPassword(key) ? listTexts(value) : []));
}

function listOnce(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].filter((text) => text !== "");
}
