import type { Failure } from "../../../core/codes/problems.ts";
import { UPGRADE_WITHHELD } from "../../../core/task/remarks.ts";
import type { EffectRun } from "../../runtime/effect.ts";
import type { StoredApp } from "../../stored-plan.ts";
import { listCertainRefusals, mergeSent } from "../../values/value-judge.ts";
import type { EffectDeps } from "../deps.ts";
import { retryWhileUnreachable } from "../retry.ts";

/** The mark of an upgrade the host was not asked for. */
export function markWithheld({ toVersion = "" }: StoredApp): string {
  return `${UPGRADE_WITHHELD}: ${toVersion}`;
}

/**
 * The refusal of an upgrade whose version is certain to reject the app's values. The app runs by now; the host would stop it
 * before it looks at them (docs/host-api.md, section 4). null if it may accept them, if no schema is known, and once this task was
 * withheld: a retry leaves the judgement to the host.
 */
export async function findCertainRefusal(deps: EffectDeps, run: EffectRun, app: StoredApp): Promise<Failure | null> {
  const { appId, appValues, catalogApp, custom, instance, toVersion: version, train } = app;
  const marks = deps.store.task(run.taskId)?.facts.marks ?? [];
  if (custom || version === undefined || marks.includes(markWithheld(app))) return null;
  const known = await deps.schemas.find({ catalogApp, train, version });
  if (known === null) return null;
  const live = await retryWhileUnreachable(deps, run, () => deps.host.appConfig(instance));
  const refusals = listCertainRefusals(known, mergeSent(appValues, live));
  if (refusals.length === 0) return null;
  const context = refusals.map(({ path, reason }) => ({ label: path.join("."), value: reason }));
  const reasons = context.map(({ label, value }) => `${label}: ${value}`).join("; ");
  const message = `${version} of "${appId}" does not accept its values (${reasons}): the app was left running, Retry asks the host all the same`;
  return { code: "HOST_INVALID", message, context, retryable: false };
}
