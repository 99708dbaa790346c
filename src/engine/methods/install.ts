import type { PlannedChild } from "../../../machines/lifecycle/planned-child.ts";
import { toJsonObject } from "../../core/json/json.ts";
import type { PlanMode } from "../../core/plan/plan.ts";
import type { InstallRequest, TaskView } from "../api.ts";
import { toAppClaim } from "../runtime/claims.ts";
import { dropOffers } from "../vault/offers.ts";
import type { ChangeDeps } from "./deps.ts";
import { refuseStaleForm, reviseInstall } from "./form/form-revision.ts";
import { joinPlans, listOnce } from "./join-plans.ts";
import { prepareInstall } from "./request/prepare-install.ts";
import { prepareLinks } from "./request/prepare-links.ts";
import { freeClaims, refuseConflict, requireInstallableApp } from "./request/request.ts";

/**
 * Checks and freezes an install with its links, then starts its task (docs/decisions.md, section 4). A fault of the
 * request rejects with its code and `{problems}`; then nothing has happened.
 */
export async function install(
  deps: ChangeDeps,
  appId: string,
  request: InstallRequest,
  options: { readonly mode?: PlanMode } = {},
): Promise<TaskView> {
  refuseConflict(deps, appId);
  requireInstallableApp(deps, appId);
  const facts = await deps.host.facts();
  refuseStaleForm(appId, request, reviseInstall(deps, appId, facts));
  const main = await prepareInstall(deps, appId, request, facts, { ...options, waitsForTurn: false });
  const links = await prepareLinks(deps, appId, request, facts);
  const plan = joinPlans([links.plan, main.plan]);
  // Asked again: another install or catalog may have come meanwhile, and a refused request leaves every plan as it is.
  refuseConflict(deps, appId);
  refuseStaleForm(appId, request, reviseInstall(deps, appId, facts));
  freeClaims(deps, [toAppClaim(appId), ...links.children.flatMap(({ claim }) => claim ?? [])]);
  const task = await deps.runtime.start(
    {
      machine: "install",
      input: toJsonObject({
        ...main.input,
        children: nameApart([...main.input.children, ...links.children]),
        marks: [...new Set([...main.input.marks, ...links.marks])],
      }),
      kind: "install",
      appId,
      claim: toAppClaim(appId),
      plan: toJsonObject(plan),
      secrets: { ...links.secrets, ...main.secrets },
      scripts: listOnce([...main.scripts, ...links.scripts]),
    },
    deps.deed,
  );
  dropOffers(deps, Object.keys(plan.apps));
  return task;
}

/** Children under names of their own: a hook may be called as the install of a target or a link is. */
function nameApart(children: readonly PlannedChild[]): readonly PlannedChild[] {
  const taken = new Set<string>();
  return children.map((child) => {
    let { id } = child;
    for (let number = 2; taken.has(id); number += 1) id = `${child.id}-${number}`;
    taken.add(id);
    return { ...child, id };
  });
}
