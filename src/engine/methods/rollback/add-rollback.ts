import type { JsonObject } from "../../../core/json/json.ts";
import type { RollbackPlan, StoredPlan } from "../../stored-plan.ts";
import { readTexts } from "../../vault/kept-choices.ts";
import type { MethodDeps } from "../deps.ts";

/** The plan with what is rolled back to, masking what was secret then too. */
export function addRollback(
  { view }: Pick<MethodDeps, "view">,
  plan: StoredPlan,
  appId: string,
  rollback: RollbackPlan,
): StoredPlan {
  const app = plan.apps[appId];
  if (app === undefined) return plan;
  const secrets = listSecrets(rollback.app?.choices ?? {}, listPasswordKeys(view, appId));
  return {
    ...plan,
    apps: { ...plan.apps, [appId]: { ...app, rollback } },
    secrets: [...new Set([...plan.secrets, ...secrets])],
  };
}

/** Generated strings, and answers to questions for a password. */
function listSecrets({ randoms = null, answers = null }: JsonObject, passwords: ReadonlySet<string>): string[] {
  const given = Object.entries(readTexts(answers)).filter(([key]) => passwords.has(key));
  return [...Object.values(readTexts(randoms)), ...given.map(([, text]) => text)];
}

function listPasswordKeys(view: MethodDeps["view"], appId: string): ReadonlySet<string> {
  const questions = view().apps.get(appId)?.dictionary?.questions ?? [];
  return new Set(questions.filter(({ type }) => type === "password").map(({ key }) => key));
}
