/** What several plans freeze, in the one task that carries them out. */
import type { CompiledScript } from "../../../sandbox/contract.ts";
import type { StoredPlan } from "../stored-plan.ts";

/** One plan of several, each about apps and hooks of its own; of what stands in two the later one counts. */
export function joinPlans(plans: readonly StoredPlan[]): StoredPlan {
  return {
    format: 1,
    apps: Object.assign({}, ...plans.map(({ apps }) => apps)),
    hooks: Object.assign({}, ...plans.map(({ hooks }) => hooks)),
    secrets: [...new Set(plans.flatMap(({ secrets }) => secrets))],
  };
}

/** Each script once. */
export function listOnce(scripts: readonly CompiledScript[]): readonly CompiledScript[] {
  return [...new Map(scripts.map((script) => [script.sha256, script])).values()];
}
