import { EngineError } from "../../core/codes/problems.ts";
import { findNextTime } from "../../core/schedule/cron.ts";
import type { Lifecycles, UpgradePoliciesView, UpgradePolicy, UpgradePolicyView } from "../api.ts";
import type { Audit } from "../audit/audit.ts";
import type { MethodDeps } from "../methods/deps.ts";
import { readRequest, UpgradePoliciesRequest } from "../requests.ts";
import { createRevision } from "../revision.ts";
import { keepPolicies, readPolicies } from "./policies.ts";
import { readTimeZone } from "./time-zone.ts";
import type { UnattendedUpgrades } from "./unattended-upgrades.ts";

/** The methods of an engine about upgrades that begin by themselves. */
export function createPolicyMethods(
  deps: MethodDeps,
  audit: Audit,
  upgrades: Pick<UnattendedUpgrades, "look">,
): Pick<Lifecycles, "upgradePolicies" | "setUpgradePolicies"> {
  return {
    upgradePolicies: () => viewPolicies(deps),
    setUpgradePolicies: (request, by) =>
      audit.change("setUpgradePolicies", {}, by, async (deed) => {
        const { revision, ...policies } = readRequest(UpgradePoliciesRequest, request);
        audit.together(deed, () => {
          if (revision !== undefined) refuseStale(deps.store, revision);
          keepPolicies(deps.store, policies, deps.clock.now());
        });
        upgrades.look();
        return viewPolicies(deps);
      }),
  };
}

/** Throws `TASK_POLICIES_STALE` where others are kept by now. */
function refuseStale(store: MethodDeps["store"], revision: string): void {
  if (revision === createRevision(readPolicies(store))) return;
  throw new EngineError("TASK_POLICIES_STALE", "the upgrade policies are not as they were shown");
}

/** A host that never answered has no time zone yet: nobody knows when a window opens. */
async function viewPolicies(deps: MethodDeps): Promise<UpgradePoliciesView> {
  const policies = readPolicies(deps.store);
  const { all, apps } = policies;
  const timeZone = await readTimeZone(deps).catch(() => null);
  const now = deps.clock.now();
  const view = (policy: UpgradePolicy): UpgradePolicyView => {
    const next = policy.mode === "automatic" && timeZone !== null ? findNextTime(policy.cron, timeZone, now) : null;
    return { ...policy, ...(next !== null && { next: new Date(next).toISOString() }) };
  };
  return {
    ...(timeZone !== null && { timeZone }),
    all: view(all),
    apps: Object.fromEntries(Object.entries(apps).map(([appId, policy]) => [appId, view(policy)])),
    revision: createRevision(policies),
  };
}
