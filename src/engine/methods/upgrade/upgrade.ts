import { toJsonObject } from "../../../core/json/json.ts";
import type { TaskView, UpgradeRequest } from "../../api.ts";
import { toAppClaim } from "../../runtime/claims.ts";
import { followUpgrade } from "../../standing/roll-back-failed.ts";
import type { StoredPlan } from "../../stored-plan.ts";
import { keepInputRandoms } from "../../vault/kept-choices.ts";
import { dropOffers } from "../../vault/offers.ts";
import type { ChangeDeps } from "../deps.ts";
import { prepareUpgrade } from "../request/prepare-upgrade.ts";
import { freeClaims, refuseConflict } from "../request/request.ts";
import { upgradeScript } from "./find-upgrade.ts";

/**
 * Starts the upgrade to the version of the request, or the host's newest one, of a custom app its newest script's that
 * admits the installed one (docs/decisions.md, section 4). Hooks are chosen by both versions; those with `userOptional`
 * never run here. Throws as `chooseVersion` does.
 */
export async function upgrade(deps: ChangeDeps, appId: string, request: UpgradeRequest): Promise<TaskView> {
  refuseConflict(deps, appId);
  const { rollbackOnFailure, version, ...choices } = request;
  const prepared = await prepareUpgrade(deps, upgradeScript(deps, appId, version), choices);
  const { input, secrets, scripts, randoms } = prepared;
  const plan = rollbackOnFailure === true ? rollOnFailure(prepared.plan, appId) : prepared.plan;
  keepInputRandoms(deps, appId, randoms);
  freeClaims(deps, [toAppClaim(appId)]);
  const task = await deps.runtime.start(
    {
      machine: "upgrade",
      input: toJsonObject(input),
      kind: "upgrade",
      appId,
      claim: toAppClaim(appId),
      plan: toJsonObject(plan),
      secrets,
      scripts,
    },
    deps.deed,
  );
  dropOffers(deps, [appId]);
  if (rollbackOnFailure === true) void followUpgrade(deps, task.id);
  return task;
}

function rollOnFailure(plan: StoredPlan, appId: string): StoredPlan {
  const app = plan.apps[appId];
  return app === undefined ? plan : { ...plan, apps: { ...plan.apps, [appId]: { ...app, rollbackOnFailure: true } } };
}
