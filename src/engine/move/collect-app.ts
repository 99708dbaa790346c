/** What an export says of one app. */
import type { Json } from "../../core/json/json.ts";
import { listTexts } from "../../core/json/list-texts.ts";
import type { Hook } from "../../core/script/dictionary.ts";
import type { Catalog } from "../ports/catalog.ts";
import type { HostApp } from "../ports/host-records.ts";
import type { Store } from "../ports/store.ts";
import { listHeldSecrets } from "../vault/held-secrets.ts";
import { INPUT_RANDOMS, type KeptChoices, readKeptChoices, readTexts } from "../vault/kept-choices.ts";
import type { ExportedApp, ExportedSecrets } from "./export-file.ts";

interface CollectDeps {
  readonly store: Pick<Store, "setting" | "keepSettings" | "runs" | "children">;
  readonly catalog: Pick<Catalog, "scripts">;
}

/** One app, the secret part of it apart. */
export interface CollectedApp {
  readonly app: ExportedApp;
  readonly secrets: ExportedSecrets[string];
}

/** What is kept of an installed app; null where nobody knows what it was set up with. */
export function collectApp({ store, catalog }: CollectDeps, { appId, version }: HostApp): CollectedApp | null {
  const kept = readKeptChoices({ store }, appId);
  if (kept === null || kept.scriptVersion === null) return null;
  const scripts = catalog.scripts(appId);
  const script = scripts.find(({ dictionary }) => dictionary.script.version === kept.scriptVersion);
  const { dictionary } = script ?? scripts[0] ?? {};
  const randoms = { ...kept.randoms, ...readTexts(store.setting(appId, INPUT_RANDOMS)) };
  const isSecret = judgeAnswers(kept, randoms, dictionary?.questions ?? []);
  const entries = Object.entries(kept.answers);
  return {
    app: {
      appId,
      version,
      script: { version: kept.scriptVersion, ...(script !== undefined && { sha256: script.sha256 }) },
      answers: Object.fromEntries(entries.filter(([key, value]) => !isSecret(key, value))),
      consents: readConsents(store, appId, dictionary?.hooks ?? []),
    },
    secrets: { answers: Object.fromEntries(entries.filter(([key, value]) => isSecret(key, value))), randoms },
  };
}

/**
 * Tells which answers are secret: passwords, what holds one or a generated string, and what no script says is harmless.
 */
function judgeAnswers(
  { answers }: KeptChoices,
  randoms: Readonly<Record<string, string>>,
  questions: readonly { readonly key: string; readonly type: string }[],
): (key: string, value: Json) => boolean {
  const types = new Map(questions.map(({ key, type }) => [key, type]));
  const isOpen = (key: string) => types.has(key) && types.get(key) !== "password";
  const passwords = Object.entries(answers).flatMap(([key, value]) => (isOpen(key) ? [] : listTexts(value)));
  const secrets = [...passwords, ...Object.values(randoms)].filter((text) => text !== "");
  return (key, value) => !isOpen(key) || listHeldSecrets(secrets, value).length > 0;
}

/** The consents of the newest install: a hook that was agreed to is a part of it, whatever became of it. */
function readConsents(
  store: CollectDeps["store"],
  appId: string,
  hooks: readonly Hook[],
): Readonly<Record<string, boolean>> {
  const install = store.runs(appId).find(({ kind }) => kind === "install");
  if (install === undefined) return {};
  const ran = new Set(store.children(install.taskId).map(({ hookId }) => hookId));
  const asked = hooks.filter(({ userOptional }) => userOptional !== undefined);
  return Object.fromEntries(asked.map(({ id }) => [id, ran.has(id)]));
}
