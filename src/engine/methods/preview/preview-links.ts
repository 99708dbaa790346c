import { findTargetChoices, isOffered, listFiringRows, listLinkRows } from "../../../core/hooks/install-links.ts";
import type { HostFacts } from "../../../core/plan/host-facts.ts";
import type { InstallRequest, Preview, PreviewedLink } from "../../api.ts";
import { installMode, readKeptChoices } from "../../vault/kept-choices.ts";
import type { MethodDeps } from "../deps.ts";
import { nameTarget } from "../form/form-rows.ts";
import { draftPlan } from "../plan-app.ts";
import { listFiringLinks, readDialog, readLinks } from "../request/links-of-request.ts";
import { previewApp, previewHooks } from "./preview-app.ts";
import type { Refusals } from "./preview-refusals.ts";

/** The links of a request, in the order an install would run them, and what the installs they need would do, each once. */
export async function previewLinks(
  deps: MethodDeps,
  appId: string,
  request: InstallRequest,
  facts: HostFacts,
  { canRun, canLink }: Pick<Refusals, "canRun" | "canLink">,
): Promise<Pick<Preview, "links" | "installs">> {
  const chosen = readLinks(deps, appId, request, facts);
  const rows = listLinkRows({ ...readDialog(deps, appId, request.consents ?? {}, facts), links: chosen });
  const toLinkKey = ({ hookId, runsOnAppId }: Pick<PreviewedLink, "hookId" | "runsOnAppId">) =>
    chosen.findIndex((link) => link.hookId === hookId && link.runsOnAppId === runsOnAppId);
  const links: PreviewedLink[] = [];
  for (const { hookId, runsOnAppId, title, targets } of listFiringLinks(rows)) {
    const members = listFiringRows(rows).filter(({ row: { pairing } }) => {
      return pairing.hook.id === hookId && pairing.appId === runsOnAppId;
    });
    const named: PreviewedLink["rows"][number][] = [];
    for (const member of members) named.push(await nameTarget(deps, member));
    links.push({ hookId, runsOnAppId, title, targets, fires: canLink(runsOnAppId, hookId), rows: named });
  }
  const missing = new Set(
    rows.flatMap((row) => (row.checked && row.installable && isOffered(row) ? [row.target] : [])),
  );
  const installs: Preview["installs"][number][] = [];
  for (const target of missing) {
    const dictionary = deps.view().apps.get(target)?.dictionary;
    if (!dictionary) continue;
    const mode = installMode(deps, target);
    const kept = mode === "install" ? null : readKeptChoices(deps, target);
    const draft = draftPlan(deps, {
      dictionary,
      request: findTargetChoices(chosen, target) ?? {},
      facts,
      mode,
      kept,
    });
    const hooks = previewHooks(dictionary, draft.draft.hooks, canRun);
    installs.push(await previewApp(deps, { dictionary, mode, draft, hooks }));
  }
  return { links: links.toSorted((a, b) => toLinkKey(a) - toLinkKey(b)), installs };
}
