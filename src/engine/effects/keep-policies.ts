import { readRequest, UpgradePolicies } from "../requests.ts";
import type { EffectHandler } from "../runtime/effect.ts";
import { hasPolicies, keepPolicies, readPolicies } from "../schedule/policies.ts";
import type { EffectDeps } from "./deps.ts";

/** `policies.keep {policies}` -> `policies.kept`: sets when upgrades begin by themselves, where nobody has. */
export function keepPoliciesEffect({ store, clock, onPolicies }: EffectDeps): EffectHandler {
  return {
    class: "idempotent",
    async perform(params) {
      const policies = readRequest(UpgradePolicies, params["policies"]);
      if (!hasPolicies(readPolicies(store))) keepPolicies(store, policies, clock.now());
      onPolicies();
      return { type: "policies.kept" };
    },
  };
}
