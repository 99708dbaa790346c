/** Which hooks of a dictionary fire at a lifecycle event (docs/decisions.md, section 4; docs/decisions.md, section 4). */
import type { SemVer } from "semver";
import coerce from "semver/functions/coerce.js";
import parse from "semver/functions/parse.js";
import satisfies from "semver/functions/satisfies.js";
import type { Hook, LifecycleEvent, LifecycleTrigger } from "../script/dictionary.ts";
import { type Consents, hasConsent, listClosedGates } from "./consents.ts";

/** The events of an install, in order. */
export const INSTALL_EVENTS = ["onBeforeInstall", "onAfterInstall"] as const;

/** The event, versions and toggles that make a declared hook due. */
export interface Occasion {
  readonly event: LifecycleEvent;
  /** Consents a person touched, by hook id. */
  readonly consents: Consents;
  /** Versions of the host's package, upgrades only. */
  readonly from?: string;
  readonly to?: string;
}

/** A hook that is due, whether the user agreed where that is asked, and what keeps it from running. */
export interface DueHook {
  readonly hook: Hook;
  readonly consent?: boolean;
  /** Consent hooks it requires whose toggle is off. */
  readonly closedBy?: readonly string[];
}

/** Whether a hook that is due runs: nobody refused it, nor a hook it requires. */
export function fires({ consent, closedBy }: Pick<DueHook, "consent" | "closedBy">): boolean {
  return consent !== false && closedBy === undefined;
}

/** The hooks due at one event in the order declared; what a toggle that is off keeps from running (`fires`) is among them. */
export function selectDueHooks(hooks: readonly Hook[], occasion: Occasion): readonly DueHook[] {
  const upgrading = occasion.event === "onBeforeUpgrade" || occasion.event === "onAfterUpgrade";
  return hooks
    .filter((hook) =>
      hook.triggers.some((trigger) => trigger.event === occasion.event && isTriggered(trigger, occasion)),
    )
    .filter((hook) => !(upgrading && hook.userOptional !== undefined))
    .map((hook) => (upgrading ? { hook } : { hook, ...readToggles(hook, hooks, occasion.consents) }));
}

/** How a hook stands with the toggles of an install: its own, and those of the hooks it requires. */
export function readToggles(hook: Hook, hooks: readonly Hook[], consents: Consents): Omit<DueHook, "hook"> {
  const closed = listClosedGates(hook, hooks, consents);
  return {
    ...(hook.userOptional !== undefined && { consent: hasConsent(hook, consents) }),
    ...(closed.length > 0 && { closedBy: closed.map(({ id }) => id) }),
  };
}

/**
 * Whether a version lies in a range, prereleases included. Host versions are coerced to semver; one that can't be
 * coerced lies in no range (docs/decisions.md, section 4).
 */
export function isInRange(version: string | undefined, range: string): boolean {
  const known = version === undefined ? null : toSemver(version);
  return known !== null && satisfies(known, range, { includePrerelease: true });
}

/** Whether a host's version is older than another by its three numbers; what hangs on them may be of no order. */
export function isOlderVersion(version: string, other: string): boolean {
  const [one, two] = [toSemver(version), toSemver(other)];
  return one !== null && two !== null && one.compareMain(two) < 0;
}

function isTriggered(trigger: LifecycleTrigger | { readonly event: "userAction" }, { from, to }: Occasion): boolean {
  if (trigger.event === "userAction") return false;
  return (
    (trigger.from === undefined || isInRange(from, trigger.from)) &&
    (trigger.to === undefined || isInRange(to, trigger.to))
  );
}

/** Leading zeros are dropped: `24.04.1` is 24.4.1. */
function toSemver(version: string): SemVer | null {
  const plain = version.trim().replace(/(?<=^v?|[.+-])0+(?=\d+(?:[.+-]|$))/gi, "");
  return parse(plain) ?? coerce(plain, { includePrerelease: true });
}
