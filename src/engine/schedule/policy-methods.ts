import { findNextTime } from "../../core/schedule/cron.ts";
import type { Lifecycles, UpgradePoliciesView, UpgradePolicy, UpgradePolicyView } from "../api.ts";
import type { Audit } from "../audit/audit.ts";
import type { MethodDeps } from "../methods/deps.ts";
import { readRequest, UpgradePolicies } from "../requests.ts";
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
        const policies = readRequest(UpgradePolicies, request);
        audit.together(deed, () => keepPolicies(deps.store, policies, deps.clock.now()));
        upgrades.look();
        return viewPolicies(deps);
      }),
  };
}

/** A host that never answered has no time zone yet: nobody knows when a window opens. */
async function viewPolicies(deps: MethodDeps): Promise<UpgradePoliciesView> {
  const { all, apps } = readPolicies(deps.store);
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
  };
}
