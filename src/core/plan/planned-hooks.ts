/** The hooks a plan has: those due at an upgrade or install, and consents given to none of them. */
import type { Consents } from "../hooks/consents.ts";
import { readToggles, selectDueHooks } from "../hooks/hook-selection.ts";
import type { Diagnostic } from "../rules/diagnostic.ts";
import type { Dictionary } from "../script/dictionary.ts";
import type { PlannedHook } from "./plan.ts";
import type { ResolveRequest } from "./resolve-request.ts";

const UPGRADE_EVENTS = ["onBeforeUpgrade", "onAfterUpgrade"] as const;

/** The hooks of an upgrade between two versions, or of an install; an update fires none. */
export function selectFiringHooks({ dictionary, request, mode, upgrade }: ResolveRequest): readonly PlannedHook[] {
  if (upgrade !== undefined) {
    return UPGRADE_EVENTS.flatMap((event) =>
      selectDueHooks(dictionary.hooks, { event, consents: {}, ...upgrade }).map(
        ({ hook: { id, optional } }): PlannedHook => ({ id, event, optional }),
      ),
    );
  }
  return mode === "options" ? [] : listPlannedHooks(dictionary, request.consents ?? {});
}

/** A row per lifecycle event of each hook; during upgrades hooks with `userOptional` are excluded (specification). */
function listPlannedHooks({ hooks }: Dictionary, touched: Consents): readonly PlannedHook[] {
  return hooks.flatMap((hook) => {
    const events = new Set(hook.triggers.map(({ event }) => event).filter((event) => event !== "userAction"));
    return [...events].flatMap((event): readonly PlannedHook[] => {
      const row = { id: hook.id, event, optional: hook.optional };
      const isInstall = event === "onBeforeInstall" || event === "onAfterInstall";
      if (isInstall) return [{ ...row, ...readToggles(hook, hooks, touched) }];
      return hook.userOptional === undefined ? [row] : [];
    });
  });
}

/** Consents given to hooks that ask for none; one for a dropped hook has no effect. */
export function findConsentFaults({ hooks, dropped }: Dictionary, given: Consents): readonly Diagnostic[] {
  const consented = hooks.filter(({ userOptional }) => userOptional !== undefined);
  const asked = new Set([...consented, ...(dropped?.hooks ?? [])].map(({ id }) => id));
  const unasked = Object.keys(given).filter((id) => !asked.has(id));
  return unasked.map((id): Diagnostic => {
    const message = `the hook "${id}" asks for no consent`;
    return { code: "ANSWER_CONSENT", severity: "error", message, path: ["consents", id] };
  });
}
