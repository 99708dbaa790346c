import { findTargetChoices, isOffered, listLinkRows } from "../../../core/hooks/install-links.ts";
import type { HostFacts } from "../../../core/plan/host-facts.ts";
import type { Dictionary } from "../../../core/script/dictionary.ts";
import type { FiringLink, InstallRequest, LinkRequest } from "../../api.ts";
import type { MethodDeps } from "../deps.ts";
import { listFiringLinks, readDialog, readLinks } from "../request/links-of-request.ts";

/** Links of a request that fire, and the targets that are installed for them, each once. */
export interface PreviewedLinks {
  readonly links: readonly FiringLink[];
  readonly missing: readonly {
    readonly dictionary: Dictionary;
    readonly choices: NonNullable<LinkRequest["install"]>[string];
  }[];
}

/** Reads the links of a request as an install would take them, in the order it would run them. */
export function previewLinks(
  deps: Pick<MethodDeps, "view" | "store">,
  appId: string,
  request: InstallRequest,
  facts: Pick<HostFacts, "apps">,
): PreviewedLinks {
  const chosen = readLinks(deps, appId, request, facts);
  const rows = listLinkRows({ ...readDialog(deps, appId, request.consents ?? {}, facts), links: chosen });
  const toLinkKey = ({ hookId, runsOnAppId }: Pick<FiringLink, "hookId" | "runsOnAppId">) =>
    chosen.findIndex((link) => link.hookId === hookId && link.runsOnAppId === runsOnAppId);
  const links = listFiringLinks(rows)
    .map(({ hookId, runsOnAppId, title, targets }) => ({ hookId, runsOnAppId, title, targets }))
    .toSorted((a, b) => toLinkKey(a) - toLinkKey(b));
  const targets = new Set(
    rows.flatMap((row) => (row.checked && row.installable && isOffered(row) ? [row.target] : [])),
  );
  const missing = [...targets].flatMap((target) => {
    const dictionary = deps.view().apps.get(target)?.dictionary;
    return dictionary ? [{ dictionary, choices: findTargetChoices(chosen, target) ?? {} }] : [];
  });
  return { links, missing };
}
