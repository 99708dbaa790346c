import type { HostFacts } from "../plan/host-facts.ts";
import type { Condition } from "../script/dictionary.ts";

/** How a hook or widget stands with its conditions. Hidden implies unavailable. */
export type Availability =
  | { readonly state: "hidden" }
  | { readonly state: "disabled"; readonly reason: string }
  | { readonly state: "enabled" };

type Apps = HostFacts["apps"];

/**
 * All conditions must pass; a failed `visibility` hides, a failed `availability` disables with the first reason.
 * Fails closed: whatever can't be evaluated today is false (docs/install-scripts.md, "Conditions").
 */
export function evaluateConditions(conditions: readonly Condition[], apps: Apps): Availability {
  let reason: string | null = null;
  for (const condition of conditions) {
    const fault = faultOf(condition, apps);
    if (fault === null) continue;
    if (condition.role === "visibility") return { state: "hidden" };
    reason ??= fault;
  }
  return reason === null ? { state: "enabled" } : { state: "disabled", reason };
}

/** Why a condition does not pass, or null when it does. */
function faultOf(condition: Condition, apps: Apps): string | null {
  const { type, app } = condition;
  if (type !== "appInstalled" && type !== "appRunning") return `the condition "${type}" can't be checked yet`;
  if (app === undefined) return `the condition "${type}" names no app`;
  const installed = Object.hasOwn(apps, app) ? apps[app] : undefined;
  if (installed === undefined) return `"${app}" is not installed`;
  if (type === "appRunning" && installed.state !== "RUNNING") return `"${app}" is not running`;
  return null;
}
