/**
 * Pairings: links between apps, derived from hook declarations alone (docs/install-scripts.md, "Pairings: links between apps").
 *
 * Invariants:
 * 1. An index is a value: changing one app makes a new index, so a reader never sees half a sync.
 * 2. Every order is by app id and declaration, never by the order files were read in.
 */
import type { Dictionary, Hook } from "../script/dictionary.ts";
import { listForeignApps } from "./surfaces.ts";

/** The pairing one hook declares: it runs on `appId`, and links it with each target. */
export interface DeclaredPairing {
  readonly appId: string;
  readonly hook: Hook;
  readonly targets: readonly string[];
}

/** Every declared pairing of a catalog, found by either side. */
export interface PairingIndex {
  /** By declaring app. */
  readonly declared: ReadonlyMap<string, readonly DeclaredPairing[]>;
  /** By target: the declaring apps, sorted. */
  readonly declaring: ReadonlyMap<string, readonly string[]>;
}

/** One pairing seen from one of its apps. */
export interface DirectedPairing {
  readonly direction: "outgoing" | "incoming";
  readonly pairing: DeclaredPairing;
  /** Outgoing: the apps the hook names; incoming: the declaring app alone. */
  readonly targets: readonly string[];
}

const CONDITION_TYPES = ["appInstalled", "appRunning", "appVersion"];

/** Why a hook yields no pairing, or the targets it links (docs/install-scripts.md, "Pairings: links between apps"). */
export function findPairingTargets(
  appId: string,
  hook: Hook,
): { readonly targets: readonly string[] } | { readonly none: string } {
  const targets = listForeignApps(
    appId,
    hook.conditions.filter(({ type }) => CONDITION_TYPES.includes(type)),
  );
  if (hook.dialect === 5) return { none: "a version 5 hook yields no pairing" };
  if (!hook.triggers.some(({ event }) => event === "userAction")) return { none: 'it has no "userAction" event' };
  if (hook.target !== undefined) return { none: "it acts on files" };
  if (targets.length === 0) return { none: "no condition names another app" };
  if (!hook.surfaces.includes("installPicker")) return { none: 'its surfaces leave out "installPicker"' };
  return { targets };
}

/** The pairings a dictionary declares, in declaration order. */
export function listDeclaredPairings(dictionary: Dictionary): readonly DeclaredPairing[] {
  return dictionary.hooks.flatMap((hook) => {
    const found = findPairingTargets(dictionary.appId, hook);
    return "targets" in found ? [{ appId: dictionary.appId, hook, targets: found.targets }] : [];
  });
}

/** Indexes the newest dictionary of every app given. */
export function buildPairingIndex(dictionaries: Iterable<Dictionary>): PairingIndex {
  const declared = new Map<string, readonly DeclaredPairing[]>();
  const declaring = new Map<string, Set<string>>();
  for (const dictionary of dictionaries) {
    const pairings = listDeclaredPairings(dictionary);
    if (pairings.length === 0) continue;
    declared.set(dictionary.appId, pairings);
    for (const target of collectTargets(pairings)) {
      const apps = declaring.get(target);
      if (apps === undefined) declaring.set(target, new Set([dictionary.appId]));
      else apps.add(dictionary.appId);
    }
  }
  return { declared, declaring: new Map([...declaring].map(([target, apps]) => [target, [...apps].sort()])) };
}

/** The index after one app's dictionary changed or went (null). Equal to building it anew. */
export function replaceInPairingIndex(index: PairingIndex, appId: string, dictionary: Dictionary | null): PairingIndex {
  const before = index.declared.get(appId) ?? [];
  const after = dictionary === null ? [] : listDeclaredPairings(dictionary);
  if (before.length === 0 && after.length === 0) return index;
  const declared = new Map(index.declared);
  const declaring = new Map(index.declaring);
  if (after.length === 0) declared.delete(appId);
  else declared.set(appId, after);
  for (const target of collectTargets(before)) {
    const rest = (declaring.get(target) ?? []).filter((app) => app !== appId);
    if (rest.length === 0) declaring.delete(target);
    else declaring.set(target, rest);
  }
  for (const target of collectTargets(after)) declaring.set(target, [...(declaring.get(target) ?? []), appId].sort());
  return { declared, declaring };
}

/** The pairings of one app: outgoing before incoming, then by declaring app and declaration (docs/decisions.md, section 7). */
export function listPairings(index: PairingIndex, appId: string): readonly DirectedPairing[] {
  const outgoing = (index.declared.get(appId) ?? []).map(
    (pairing): DirectedPairing => ({ direction: "outgoing", pairing, targets: pairing.targets }),
  );
  const incoming = (index.declaring.get(appId) ?? []).flatMap((app) =>
    (index.declared.get(app) ?? [])
      .filter(({ targets }) => targets.includes(appId))
      .map((pairing): DirectedPairing => ({ direction: "incoming", pairing, targets: [app] })),
  );
  return [...outgoing, ...incoming];
}

function collectTargets(pairings: readonly DeclaredPairing[]): ReadonlySet<string> {
  return new Set(pairings.flatMap(({ targets }) => targets));
}
