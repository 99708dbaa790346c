/** Which hooks of a dictionary fire at a lifecycle event (docs/decisions.md, section 4; docs/decisions.md, section 4). */
import { coerce, parse, type SemVer, satisfies } from "semver";
import type { Hook, LifecycleEvent, LifecycleTrigger } from "../script/dictionary.ts";

/** What decides besides the declaration. */
export interface Occasion {
  readonly event: LifecycleEvent;
  /** Consents a person touched, by hook id. */
  readonly consents: Readonly<Record<string, boolean>>;
  /** Versions of the host's package, upgrades only. */
  readonly from?: string;
  readonly to?: string;
}

/** A hook that is due, and whether the user agreed where that is asked. */
export interface DueHook {
  readonly hook: Hook;
  readonly consent?: boolean;
}

/** The hooks due at one event in the order declared. A refused consent is due with `consent: false`: it must not run. */
export function dueHooks(hooks: readonly Hook[], occasion: Occasion): readonly DueHook[] {
  const upgrading = occasion.event === "onBeforeUpgrade" || occasion.event === "onAfterUpgrade";
  return hooks
    .filter((hook) => hook.triggers.some((trigger) => trigger.event === occasion.event && inRange(trigger, occasion)))
    .filter((hook) => !(upgrading && hook.userOptional !== undefined))
    .map((hook) =>
      hook.userOptional === undefined ? { hook } : { hook, consent: consentOf(hook, occasion.consents) },
    );
}

/** Whether the user agrees to a hook with `userOptional`: as touched, else its default (docs/install-scripts.md, "The install dialog"). */
export function consentOf(hook: Hook, consents: Readonly<Record<string, boolean>>): boolean {
  const touched = Object.hasOwn(consents, hook.id) ? consents[hook.id] : undefined;
  return touched ?? hook.userOptional?.default ?? true;
}

/**
 * Whether a version lies in a range, prereleases included. Host versions are coerced to semver; one that can't be
 * coerced lies in no range (docs/decisions.md, section 4).
 */
export function isInRange(version: string | undefined, range: string): boolean {
  const known = version === undefined ? null : toSemver(version);
  return known !== null && satisfies(known, range, { includePrerelease: true });
}

function inRange(trigger: LifecycleTrigger | { readonly event: "userAction" }, { from, to }: Occasion): boolean {
  if (trigger.event === "userAction") return false;
  return (
    (trigger.from === undefined || isInRange(from, trigger.from)) &&
    (trigger.to === undefined || isInRange(to, trigger.to))
  );
}

function toSemver(version: string): SemVer | null {
  return parse(version) ?? coerce(version, { includePrerelease: true });
}
