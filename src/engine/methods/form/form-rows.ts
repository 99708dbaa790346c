/** The rows of the install dialog: consents and links, with how each stands. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { type Consents, hasConsent, listClosedGates, listGates } from "../../../core/hooks/consents.ts";
import type { LinkRow } from "../../../core/hooks/install-links.ts";
import { installAndConnect } from "../../../core/hooks/link-names.ts";
import type { Dictionary } from "../../../core/script/dictionary.ts";
import type { FormConsent, FormLink, FormLinkTarget, FormStep, PreviewedLink } from "../../api.ts";
import type { MethodDeps } from "../deps.ts";

interface InlineChoices {
  readonly stepsOf: (target: Dictionary) => readonly FormStep[];
  readonly consentsOf: (appId: string) => Consents;
}

/** The consent checkboxes of an install (docs/install-scripts.md, "Consents"). */
export function listConsentRows({ hooks }: Dictionary, consents: Consents): readonly FormConsent[] {
  return hooks.flatMap((hook): readonly FormConsent[] => {
    const asked = hook.userOptional;
    if (asked === undefined) return [];
    const { label, description, default: on, link } = asked;
    return [
      {
        hookId: hook.id,
        label,
        ...(description !== undefined && { description }),
        default: on,
        checked: hasConsent(hook, consents),
        requiresConsents: listGates(hook, hooks).map(({ id }) => id),
        available: listClosedGates(hook, hooks, consents).length === 0,
        ...(link !== undefined && { link }),
      },
    ];
  });
}

/** One entry per hook and direction, its targets as rows. */
export async function listFormLinks(
  deps: Pick<MethodDeps, "labels" | "view">,
  rows: readonly LinkRow[],
  inline: InlineChoices,
): Promise<readonly FormLink[]> {
  const groups = Map.groupBy(rows, ({ row }) => row);
  const links: FormLink[] = [];
  for (const [{ direction, pairing }, members] of groups) {
    const { hook } = pairing;
    const targets: FormLinkTarget[] = [];
    for (const member of members) targets.push(await buildFormTarget(deps, member, inline));
    links.push({
      hookId: hook.id,
      runsOnAppId: pairing.appId,
      direction,
      title: hook.title,
      ...(hook.description !== undefined && { description: hook.description }),
      ...(hook.kind !== undefined && { kind: hook.kind }),
      targets,
      requiresConsents: members[0]?.gates ?? [],
      available: members.every(({ open, never }) => open && never === null),
      ...(typeof members[0]?.never === "string" && { reason: members[0].never }),
    });
  }
  return links;
}

/** A target as its row names it. */
export async function nameTarget(
  deps: Pick<MethodDeps, "labels" | "view">,
  { target, installable, installed }: LinkRow,
): Promise<PreviewedLink["rows"][number]> {
  const { name, icon } = await deps.labels.of(target, deps.view());
  return { appId: target, name, icon, label: installable ? installAndConnect(name) : name, installed };
}

/** A target that can be installed from the picker brings its own questions and consents (rule 4). */
async function buildFormTarget(
  deps: Pick<MethodDeps, "labels" | "view">,
  row: LinkRow,
  { stepsOf, consentsOf }: InlineChoices,
): Promise<FormLinkTarget> {
  const common = {
    ...(await nameTarget(deps, row)),
    default: row.default,
    checked: row.checked,
    installable: row.installable,
  };
  const dictionary = row.installable ? deps.view().apps.get(row.target)?.dictionary : null;
  if (!dictionary) return common;
  // Each is a plan of its own, as costly as its script makes it: others have their turn between two.
  await nextTurn();
  return { ...common, steps: stepsOf(dictionary), consents: listConsentRows(dictionary, consentsOf(row.target)) };
}
