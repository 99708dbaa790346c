/** The links a request selects, named one by one or as the untouched dialog has them. */
import type { Consents } from "../../../core/hooks/consents.ts";
import {
  type DialogContext,
  findTargetChoices,
  type LinkRow,
  listFiringRows,
  listLinkRows,
} from "../../../core/hooks/install-links.ts";
import type { HostFacts } from "../../../core/plan/host-facts.ts";
import type { InstallRequest, LinkRequest } from "../../api.ts";
import type { MethodDeps } from "../deps.ts";

/** Reads all the install dialog of an app is drawn from, but for the links chosen. */
export function readDialog(
  { view }: Pick<MethodDeps, "view">,
  appId: string,
  consents: Consents,
  facts: Pick<HostFacts, "apps">,
): Omit<DialogContext, "links"> {
  const { index, apps } = view();
  return {
    appId,
    index,
    installed: (id) => Object.hasOwn(facts.apps, id),
    dictionary: (id) => {
      const entry = apps.get(id);
      return entry?.servesLast === true && !Object.hasOwn(facts.apps, id) ? null : (entry?.dictionary ?? null);
    },
    consents,
  };
}

/** The links of an install request: those named, those the untouched dialog would fire with its consents, or none. */
export function readLinks(
  deps: Pick<MethodDeps, "view">,
  appId: string,
  { links = [], consents = {} }: InstallRequest,
  facts: Pick<HostFacts, "apps">,
): readonly LinkRequest[] {
  if (links !== "default") return links;
  const rows = listLinkRows({ ...readDialog(deps, appId, consents, facts), links: null });
  return listFiringLinks(rows).map(({ title: _, ...link }) => link);
}

/**
 * Lists the links that fire, one entry per hook as an install takes it, with the inputs and the choices given in
 * `chosen`: those for a missing target stand in the first link that names it.
 */
export function listFiringLinks(
  rows: readonly LinkRow[],
  chosen: readonly LinkRequest[] = [],
): readonly (LinkRequest & { readonly title: string })[] {
  const placed = new Set<string>();
  return [...Map.groupBy(listFiringRows(rows), ({ row }) => row.pairing)].map(([{ appId, hook }, members]) => {
    const given = chosen.find(({ hookId, runsOnAppId }) => hookId === hook.id && runsOnAppId === appId);
    const install = members.flatMap(({ target, installed }) => {
      const choices = installed || placed.has(target) ? undefined : findTargetChoices(chosen, target);
      placed.add(target);
      return choices === undefined ? [] : [[target, choices] as const];
    });
    return {
      hookId: hook.id,
      runsOnAppId: appId,
      title: hook.title,
      targets: members.map(({ target }) => target),
      ...(given?.inputs !== undefined && { inputs: given.inputs }),
      ...(install.length > 0 && { install: Object.fromEntries(install) }),
    };
  });
}
