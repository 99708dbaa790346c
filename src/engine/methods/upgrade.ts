import { toJsonObject } from "../../core/json/json.ts";
import type { InstallRequest, TaskView } from "../api.ts";
import { toAppClaim } from "../runtime/claims.ts";
import { keepInputRandoms } from "../vault/kept-choices.ts";
import { dropOffers } from "../vault/offers.ts";
import type { MethodDeps } from "./deps.ts";
import { upgradeScript } from "./find-upgrade.ts";
import { prepareUpgrade } from "./request/prepare-upgrade.ts";
import { freeClaims, refuseConflict } from "./request/request.ts";

/**
 * Starts the upgrade to the host's newest version, of a custom app to its newest script that admits the installed one
 * (docs/decisions.md, section 4). Hooks are chosen by both versions; those with `userOptional` never run here. Throws
 * `HOST_UPGRADE_NONE` where nothing is newer.
 */
export async function upgrade(deps: MethodDeps, appId: string, request: InstallRequest): Promise<TaskView> {
  refuseConflict(deps, appId);
  const { input, plan, secrets, scripts, randoms } = await prepareUpgrade(deps, upgradeScript(deps, appId), request);
  keepInputRandoms(deps, appId, randoms);
  freeClaims(deps, [toAppClaim(appId)]);
  const task = await deps.runtime.start({
    machine: "upgrade",
    input: toJsonObject(input),
    kind: "upgrade",
    appId,
    claim: toAppClaim(appId),
    plan: toJsonObject(plan),
    secrets,
    scripts,
  });
  dropOffers(deps, [appId]);
  return task;
}
