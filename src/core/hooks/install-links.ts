/**
 * The links a person selects in the install dialog: what the picker offers and whether a request's links are sound
 * (docs/install-scripts.md, "The install dialog"; docs/decisions.md, section 7).
 */

import type { JsonPath } from "../json/json.ts";
import type { Dictionary, Hook } from "../script/dictionary.ts";
import { explainNever } from "./conditions.ts";
import { type Consents, hasConsent, listGates } from "./consents.ts";
import { type DirectedPairing, listPairings, type PairingIndex } from "./pairings.ts";
import { RERUN_REFUSED } from "./reruns.ts";

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
  /** Why the hook can never run, whatever is installed, or must not run again; null where it may. */
  readonly never: string | null;
  /** It has been done since its app was installed, and must not run twice. */
  readonly done: boolean;
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
  /** Whether a hook of an installed app must not run again. */
  readonly done: (appId: string, hook: Hook) => boolean;
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
    const { appId, hook } = row.pairing;
    const done = context.installed(appId) && context.done(appId, hook);
    const never = explainNever(hook.conditions) ?? (done ? RERUN_REFUSED : null);
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
        done,
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

/** Checks all links of a request; each fault names its place in it. */
export interface LinkFault {
  readonly code:
    | "PAIRING_LINK_LIMIT"
    | "PAIRING_LINK_UNKNOWN"
    | "PAIRING_TARGET_UNKNOWN"
    | "PAIRING_TARGET_LIMIT"
    | "PAIRING_TARGET_NOT_INSTALLABLE"
    | "PAIRING_LINK_GATED"
    | "PAIRING_LINK_DONE"
    | "PAIRING_REPEATED";
  readonly message: string;
  readonly path: JsonPath;
}

/**
 * Every fault of a request's links; any one rejects the request whole (docs/decisions.md, section 7). Of too many links, or
 * too many targets of one, no more is said: what is said grows with what is asked otherwise.
 */
export function checkLinks(links: readonly SelectedLink[], dialog: Omit<DialogContext, "links">): readonly LinkFault[] {
  if (links.length > LINK_LIMIT) {
    const message = `${links.length} links are selected, at most ${LINK_LIMIT} are allowed`;
    return [{ code: "PAIRING_LINK_LIMIT", message, path: ["links"] }];
  }
  const context = { ...dialog, links };
  const faults: LinkFault[] = [];
  const rows = listLinkRows(context);
  links.forEach((link, at) => {
    if (
      links.slice(0, at).some(({ hookId, runsOnAppId }) => hookId === link.hookId && runsOnAppId === link.runsOnAppId)
    ) {
      const message = `"${link.hookId}" of "${link.runsOnAppId}" is selected twice, one run links all of its targets`;
      faults.push({ code: "PAIRING_REPEATED", message, path: ["links", at, "hookId"] });
    }
    faults.push(...checkLink(link, ["links", at], rows, context));
  });
  return faults;
}

function checkLink(
  link: SelectedLink,
  path: JsonPath,
  rows: readonly LinkRow[],
  context: DialogContext,
): readonly LinkFault[] {
  const own = rows.filter(({ row }) => row.pairing.hook.id === link.hookId && row.pairing.appId === link.runsOnAppId);
  const [first] = own;
  if (first === undefined) {
    const message = `"${link.hookId}" of "${link.runsOnAppId}" is not a pairing of "${context.appId}"`;
    return [{ code: "PAIRING_LINK_UNKNOWN", message, path: [...path, "hookId"] }];
  }
  if (link.targets.length === 0 || link.targets.length > LINK_LIMIT) {
    const message = `"${link.hookId}" names ${link.targets.length} targets, 1 to ${LINK_LIMIT} are allowed`;
    return [{ code: "PAIRING_TARGET_LIMIT", message, path: [...path, "targets"] }];
  }
  const faults: LinkFault[] = [];
  if (first.done) {
    const message = `"${link.hookId}" of "${link.runsOnAppId}": ${RERUN_REFUSED}`;
    faults.push({ code: "PAIRING_LINK_DONE", message, path: [...path, "hookId"] });
  }
  if (!first.open) {
    const message = `"${link.hookId}" needs the consent of ${first.gates.map((gate) => `"${gate}"`).join(", ")}`;
    faults.push({ code: "PAIRING_LINK_GATED", message, path: [...path, "hookId"] });
  }
  link.targets.forEach((target, at) => {
    const row = own.find((candidate) => candidate.target === target);
    if (row === undefined) {
      const message = `"${link.hookId}" does not link "${target}", its targets are ${own.map((r) => `"${r.target}"`).join(", ")}`;
      faults.push({ code: "PAIRING_TARGET_UNKNOWN", message, path: [...path, "targets", at] });
    } else if (link.targets.indexOf(target) < at) {
      const message = `"${target}" is selected twice`;
      faults.push({ code: "PAIRING_REPEATED", message, path: [...path, "targets", at] });
    } else if (!row.installed && !row.installable) {
      const message = `"${target}" is not installed and in no catalog`;
      faults.push({ code: "PAIRING_TARGET_NOT_INSTALLABLE", message, path: [...path, "targets", at] });
    }
  });
  for (const target of Object.keys(link.install ?? {})) {
    if (link.targets.includes(target)) continue;
    const message = `"${target}" is to be installed but is not a target of this link`;
    faults.push({ code: "PAIRING_TARGET_UNKNOWN", message, path: [...path, "install", target] });
  }
  return faults;
}

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
