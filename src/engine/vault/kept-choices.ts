/** What an app keeps between its tasks: answers, random strings, the script's version. */
import { isJsonObject, type Json } from "../../core/json/json.ts";
import type { PlanMode } from "../../core/plan/plan.ts";
import type { Store } from "../ports/store.ts";

interface WithStore {
  readonly store: Pick<Store, "setting" | "keepSettings">;
}

/** An app's answers and generated strings, kept across its tasks. */
export interface KeptChoices {
  readonly answers: Readonly<Record<string, Json>>;
  readonly randoms: Readonly<Record<string, string>>;
  readonly scriptVersion: string | null;
}

/** The settings that hold what an app was set up with: they go with the version of the app they were made for. */
export const CHOICES = ["answers", "randoms", "scriptVersion", "metadataVersion"] as const;

/** The choices an earlier install or update of the app left, or null (docs/decisions.md, section 2.7, 4). */
export function readKeptChoices({ store }: WithStore, appId: string): KeptChoices | null {
  const answers = store.setting(appId, "answers");
  const randoms = store.setting(appId, "randoms");
  const scriptVersion = store.setting(appId, "scriptVersion");
  if (!isJsonObject(answers)) return null;
  return {
    answers,
    randoms: readTexts(randoms),
    scriptVersion: typeof scriptVersion === "string" ? scriptVersion : null,
  };
}

/** The setting of an app that holds what the task that changed it last has left: it is compared with what the host says. */
export const LEFT = "left";

/** The setting of an app that holds the keys of all questions that ever asked it for a password: a newer script may ask no more. */
export const PASSWORDS = "passwords";

/** The setting of an app that holds the random strings in the defaults of its hooks' inputs, by their place. */
export const INPUT_RANDOMS = "inputRandoms";

/**
 * Keeps the random strings in defaults of hook inputs, before a task begins: whatever becomes of it, the next one offers
 * the same.
 */
export function keepInputRandoms({ store }: WithStore, appId: string, randoms: Readonly<Record<string, string>>): void {
  const kept = readTexts(store.setting(appId, INPUT_RANDOMS));
  const found = Object.entries(randoms).filter(([place]) => place.startsWith('["hooks",'));
  if (found.every(([place, text]) => kept[place] === text)) return;
  store.keepSettings(appId, { [INPUT_RANDOMS]: { ...kept, ...Object.fromEntries(found) } });
}

/** The texts of a stored record; anything else in it is left out. */
export function readTexts(setting: Json): Readonly<Record<string, string>> {
  const entries = isJsonObject(setting) ? Object.entries(setting) : [];
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}

/** The mode of an install nobody names one for: an app that was installed before keeps its answers. */
export function installMode(deps: WithStore, appId: string): PlanMode {
  return readKeptChoices(deps, appId) === null ? "install" : "reinstall";
}
