/** The links a person selects in the install dialog: what the picker offers (docs/install-scripts.md, "The install dialog"). */

import type { Dictionary, Hook } from "../script/dictionary.ts";
import { explainNever } from "./conditions.ts";
import { type Consents, hasConsent, listGates } from "./consents.ts";
import { type DirectedPairing, listPairings, type PairingIndex } from "./pairings.ts";

/** At most this many links per install, and targets per link (docs/install-scripts.md, "Limits"). */
export const LINK_LIMIT = 6;

/** One row of the picker: a pairing and one of its targets. */
export interface LinkRow {
  readonly row: DirectedPairing;
  readonly target: string;
  readonly installed: boolean;
  /** Installed targets are checked by default, as far as one install may carry links and targets. */
  readonly default: boolean;
  /** Checked as chosen so far, else by default; behind a closed gate it fires nothing. */
  readonly checked: boolean;
  /** In the catalog and not installed: can be installed from the picker. */
  readonly installable: boolean;
  /** Consent hooks asked in this dialog that the row is gated on. */
  readonly gates: readonly string[];
  /** Every gate is open with the consents given. */
  readonly open: boolean;
  /** Why the hook can never run, whatever is installed; null where it may. */
  readonly never: string | null;
}

/** Whether a row can be taken: its gates are open, it may run, and its target is there or can be installed. */
export function isOffered({ open, never, installed, installable }: LinkRow): boolean {
  return open && never === null && (installed || installable);
}

export interface DialogContext {
  readonly appId: string;
  readonly index: PairingIndex;
  readonly installed: (appId: string) => boolean;
  readonly dictionary: (appId: string) => Dictionary | null;
  /** Consents the person has touched so far. */
  readonly consents: Consents;
  /** The links chosen so far, with the inline choices for targets to be installed; null where nobody touched one. */
  readonly links: readonly SelectedLink[] | null;
}

/** The picker's link rows, one per target, in the order of the pairings. */
export function listLinkRows(context: DialogContext): readonly LinkRow[] {
  const rows: LinkRow[] = [];
  let links = 0;
  for (const row of listPairings(context.index, context.appId)) {
    const { hooks, consents } = listRowGates(row, context);
    const open = hooks.every((hook) => hasConsent(hook, consents));
    const installed = row.targets.filter((target) => context.installed(target));
    const never = explainNever(row.pairing.hook.conditions);
    if (open && never === null && installed.length > 0) links += 1;
    const offered = never !== null || links > LINK_LIMIT ? [] : installed.slice(0, LINK_LIMIT);
    const checked = context.links === null ? offered : listSelectedTargets(context.links, row);
    for (const target of row.targets) {
      rows.push({
        row,
        target,
        installed: installed.includes(target),
        default: offered.includes(target),
        checked: checked.includes(target),
        installable: !installed.includes(target) && context.dictionary(target) !== null,
        gates: hooks.map(({ id }) => id),
        open,
        never,
      });
    }
  }
  return rows;
}

function listSelectedTargets(links: readonly SelectedLink[], { pairing }: DirectedPairing): readonly string[] {
  const link = links.find(({ hookId, runsOnAppId }) => hookId === pairing.hook.id && runsOnAppId === pairing.appId);
  return link?.targets ?? [];
}

/** The rows that fire as things stand: what the dialog names while it is collapsed. */
export function listFiringRows(rows: readonly LinkRow[]): readonly LinkRow[] {
  return rows.filter((row) => row.checked && isOffered(row));
}

/** A selected link as the install request names it. */
export interface SelectedLink {
  readonly hookId: string;
  readonly runsOnAppId: string;
  readonly targets: readonly string[];
  readonly install?: Readonly<Record<string, TargetChoices>>;
}

type TargetChoices = { readonly consents?: Consents };

/** The choices for a missing target: several links may name it, the first that has some counts. */
export function findTargetChoices<Choices extends TargetChoices>(
  links: readonly { readonly install?: Readonly<Record<string, Choices>> }[],
  appId: string,
): Choices | undefined {
  for (const { install } of links) if (install !== undefined && Object.hasOwn(install, appId)) return install[appId];
  return undefined;
}

/** The consent hooks a row waits for: those asked in this dialog, so of the app being installed or of a missing target. */
function listRowGates(
  { pairing }: DirectedPairing,
  context: DialogContext,
): { readonly hooks: readonly Hook[]; readonly consents: Consents } {
  const own = pairing.appId === context.appId;
  const consents = own ? context.consents : (findTargetChoices(context.links ?? [], pairing.appId)?.consents ?? {});
  if (!own && context.installed(pairing.appId)) return { hooks: [], consents };
  return { hooks: listGates(pairing.hook, context.dictionary(pairing.appId)?.hooks ?? []), consents };
}
