/** What a dialog shows whatever is chosen in it, as a digest: a request that names another one is refused. */
import { EngineError } from "../../../core/codes/problems.ts";
import { listLinkRows } from "../../../core/hooks/install-links.ts";
import type { JsonObject } from "../../../core/json/json.ts";
import type { HostFacts } from "../../../core/plan/host-facts.ts";
import type { InstallRequest } from "../../api.ts";
import { createRevision } from "../../revision.ts";
import { type KeptChoices, readKeptChoices } from "../../vault/kept-choices.ts";
import type { MethodDeps } from "../deps.ts";
import { readDialog } from "../request/links-of-request.ts";
import type { FoundUpgrade, UpgradeScript } from "../upgrade/find-upgrade.ts";

type Deps = Pick<MethodDeps, "view" | "store">;

/** Of an install: its script, what an earlier one left, the locations, and the same of the links and what they would install. */
export function reviseInstall(deps: Deps, appId: string, facts: Pick<HostFacts, "apps" | "locations">): string {
  const { apps } = deps.view();
  const rows = listLinkRows({ ...readDialog(deps, appId, {}, facts), links: null });
  const describe = (id: string) => ({ script: apps.get(id)?.sha256, kept: readKeptChoices(deps, id) });
  return createRevision({
    app: describe(appId),
    locations: facts.locations,
    rows: rows.map(({ row: { pairing }, target, installed, installable, never }) => ({
      hook: [pairing.appId, pairing.hook.id, apps.get(pairing.appId)?.sha256],
      target: [target, installed, installable && describe(target)],
      never,
    })),
  });
}

/** Of the options: the script, and what the app is set up with. */
export function reviseOptions(deps: Deps, appId: string, live: JsonObject): string {
  return createRevision({
    script: deps.view().apps.get(appId)?.sha256,
    kept: readKeptChoices(deps, appId),
    live,
  });
}

/**
 * Of an upgrade: the script, where it leads, and the hooks that run on the way; if it sends its script's values also what the app is set
 * up with.
 */
export function reviseUpgrade(
  { entry }: UpgradeScript,
  { versions, due }: FoundUpgrade,
  {
    isByValues,
    ...setUp
  }: { readonly kept: KeptChoices | null; readonly live: JsonObject | null; readonly isByValues: boolean },
): string {
  return createRevision({
    script: entry.sha256,
    versions,
    due: due.map(({ hook, event }) => [event, hook.id]),
    ...(isByValues && setUp),
  });
}

/** Throws `TASK_FORM_STALE` where a request was made of a dialog that said something else. */
export function refuseStaleForm(appId: string, { revision }: Pick<InstallRequest, "revision">, now: string): void {
  if (revision === undefined || revision === now) return;
  throw new EngineError("TASK_FORM_STALE", `"${appId}" is not as its dialog showed it any more`, { appId });
}
