import type { InstalledApp } from "../plan/host-facts.ts";
import type { Condition } from "../script/dictionary.ts";

/** How a hook or widget stands with its conditions. Hidden implies unavailable. */
export type Availability =
  | { readonly state: "hidden" }
  | { readonly state: "disabled"; readonly reason: string }
  | { readonly state: "enabled" };

/** The state of every installed app, by its id: conditions are checked against it. */
type Apps = Readonly<Record<string, Pick<InstalledApp, "state">>>;

/** The types that can be judged today; a condition of any other never passes. */
const JUDGED = ["appInstalled", "appRunning"];

/**
 * All conditions must pass; a failed `visibility` hides, a failed `availability` disables with the first reason.
 * Fails closed: whatever can't be evaluated today is false (docs/install-scripts.md, "Conditions").
 */
export function evaluateConditions(conditions: readonly Condition[], apps: Apps): Availability {
  let reason: string | null = null;
  for (const condition of conditions) {
    const fault = explainUnmet(condition, apps);
    if (fault === null) continue;
    if (condition.role === "visibility") return { state: "hidden" };
    reason ??= fault;
  }
  return reason === null ? { state: "enabled" } : { state: "disabled", reason };
}

/** Why the conditions do not all pass, whatever their roles; empty when they do. */
export function listUnmetConditions(conditions: readonly Condition[], apps: Apps): readonly string[] {
  return keepDistinct(conditions.map((condition) => explainUnmet(condition, apps)));
}

/** Why conditions hide what they stand at; null where they do not. */
export function explainHidden(conditions: readonly Condition[], apps: Apps): string | null {
  return (
    listUnmetConditions(
      conditions.filter(({ role }) => role === "visibility"),
      apps,
    )[0] ?? null
  );
}

/** Why a hook with these conditions can never run, whatever is installed; null where it may. */
export function explainNever(conditions: readonly Condition[]): string | null {
  return listUnmetConditions(conditions.filter(canNeverPass), {})[0] ?? null;
}

function canNeverPass({ type, app }: Condition): boolean {
  return !JUDGED.includes(type) || app === undefined;
}

function keepDistinct(reasons: readonly (string | null)[]): readonly string[] {
  return [...new Set(reasons.filter((reason) => reason !== null))];
}

/** Why a condition does not pass, or null when it does. */
function explainUnmet(condition: Condition, apps: Apps): string | null {
  const { type, app } = condition;
  if (!JUDGED.includes(type)) return `the condition "${type}" can't be checked yet`;
  if (app === undefined) return `the condition "${type}" names no app`;
  const installed = Object.hasOwn(apps, app) ? apps[app] : undefined;
  if (installed === undefined) return `"${app}" is not installed`;
  if (type === "appRunning" && installed.state !== "RUNNING") return `"${app}" is not running`;
  return null;
}
