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
  const secrets = listSecrets(rollback.app?.choices ?? {}, listOpenKeys(view, appId));
  return {
    ...plan,
    apps: { ...plan.apps, [appId]: { ...app, rollback } },
    secrets: [...new Set([...plan.secrets, ...secrets])],
  };
}

/** Generated strings, and answers but to questions that are asked, and not for a password. */
function listSecrets({ randoms = null, answers = null }: JsonObject, open: ReadonlySet<string>): string[] {
  const hidden = Object.entries(readTexts(answers)).filter(([key]) => !open.has(key));
  return [...Object.values(readTexts(randoms)), ...hidden.map(([, text]) => text)];
}

/** Of one that is asked no more nobody knows whether it was for a password. */
function listOpenKeys(view: MethodDeps["view"], appId: string): ReadonlySet<string> {
  const questions = view().apps.get(appId)?.dictionary?.questions ?? [];
  return new Set(questions.filter(({ type }) => type !== "password").map(({ key }) => key));
}
