/**
 * The secrets of an app that the engine keeps, those it had before too: the app itself, or old names on the host, may say
 * them at any time.
 */
import { isJsonObject, type Json, type JsonObject } from "../../core/json/json.ts";
import { listTexts } from "../../core/json/list-texts.ts";
import type { FormerSecrets } from "../../core/plan/resolve-request.ts";
import type { Dictionary } from "../../core/script/dictionary.ts";
import type { Store } from "../ports/store.ts";
import { listCollectedSecrets } from "./carried-inputs.ts";
import { INPUT_RANDOMS, PASSWORDS, readTexts } from "./kept-choices.ts";
import { readChoices, readRestorePoints } from "./restore-points.ts";

type Settings = Pick<Store, "setting">;

/** The part of an app's script that tells its secrets; null where there is none. */
export type AskingScript = Pick<Dictionary, "questions" | "hooks"> | null;

/** Every password and generated string of an app, as it is set up now and as it was at what it can be rolled back to. */
export function listAppSecrets(store: Settings, appId: string, script: AskingScript): readonly string[] {
  const { passwords, generated } = readAppSecrets(store, appId, script);
  return [...new Set([...passwords, ...generated])];
}

/** The same, passwords and generated strings apart. */
export function readAppSecrets(store: Settings, appId: string, script: AskingScript): FormerSecrets {
  const isPassword = judgeAnswers(store, appId, script);
  const kept = [readChoices(store, appId), ...readRestorePoints(store, appId).map(({ choices }) => choices)];
  const answers = kept.flatMap((choices) => listPasswords(choices, isPassword));
  const collected = (script?.hooks ?? []).flatMap(({ id }) => listCollectedSecrets(store, appId, id));
  const randoms = [...kept.map((choices) => choices["randoms"]), store.setting(appId, INPUT_RANDOMS)];
  return {
    passwords: listOnce([...answers, ...collected]),
    generated: listOnce(randoms.flatMap((texts) => Object.values(readTexts(texts ?? null)))),
  };
}

/** Keys of the questions that ever asked an app for a password. */
export function listPasswordKeys(store: Settings, appId: string): readonly string[] {
  return listTexts(store.setting(appId, PASSWORDS));
}

/** Tells which answers are passwords. Of one that nobody asks for any more and nothing was noted of, nobody knows. */
function judgeAnswers(store: Settings, appId: string, script: AskingScript): (key: string) => boolean {
  const types = new Map((script?.questions ?? []).map(({ key, type }) => [key, type]));
  const noted = store.setting(appId, PASSWORDS) === null ? null : new Set(listPasswordKeys(store, appId));
  return (key) => types.get(key) === "password" || (noted?.has(key) ?? !types.has(key));
}

function listPasswords({ answers }: JsonObject, isPassword: (key: string) => boolean): readonly string[] {
  const entries: readonly (readonly [string, Json])[] = isJsonObject(answers) ? Object.entries(answers) : [];
  return entries.flatMap(([key, value]) => (isPassword(key) ? listTexts(value) : []));
}

function listOnce(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].filter((text) => text !== "");
}
