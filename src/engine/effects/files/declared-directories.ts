/** The directories other apps name in their scripts alone: in no mount, and in none of their values. */
import { planAdoption } from "../../../core/adopt/adoption.ts";
import type { JsonObject } from "../../../core/json/json.ts";
import { type DeclaredPath, listDeclaredPaths } from "../../../core/plan/declared-paths.ts";
import type { HostFacts } from "../../../core/plan/host-facts.ts";
import type { Dictionary } from "../../../core/script/dictionary.ts";
import { isForeign, type LeftStore, readLastLeft } from "../../drift/left-app.ts";
import type { Catalog } from "../../ports/catalog.ts";
import type { Host } from "../../ports/host.ts";
import { readKeptChoices } from "../../vault/kept-choices.ts";
import type { LiveApp } from "./app-paths.ts";

/** What they are found by. */
export interface DeclaredDeps {
  readonly host: Pick<Host, "facts">;
  readonly store: LeftStore;
  readonly catalog: Pick<Catalog, "entries" | "entry">;
}

/** A host path an app names; `isKnown` is false where it lies somewhere in there. */
export interface DeclaredDirectory extends DeclaredPath {
  readonly appId: string;
  /** Name for people. */
  readonly title: string;
}

/** Lists those of installed apps: as they were left, and as their scripts name them today. */
export async function listDeclared(deps: DeclaredDeps, apps: readonly LiveApp[]): Promise<DeclaredDirectory[]> {
  const scripted = apps.map((app) => ({ app, script: readScript(deps, app.appId) }));
  const facts = scripted.some(({ script }) => script !== null) ? await deps.host.facts() : null;
  return scripted.flatMap(({ app: { appId, title = appId, values }, script }) => {
    const left = listLeft(deps.store, appId).map((path) => ({ path, isKnown: true }));
    const today = script === null || facts === null ? [] : listToday(deps, script, values, facts);
    const isOwn = left.length > 0 && !isForeign(deps.store, appId);
    // What a newer script will ask for is made when that is answered.
    const counted = today.filter(({ isKnown }) => isKnown || !isOwn);
    return [...left, ...counted].map((declared) => ({ appId, title, ...declared }));
  });
}

/** Lists the paths apps that are not installed have kept their data under, each with its app. */
export function listKeptPaths(
  { store, catalog }: Pick<DeclaredDeps, "store" | "catalog">,
  appIds: Iterable<string>,
  isInstalled: (appId: string) => boolean,
): readonly (readonly [path: string, appId: string])[] {
  const ids = new Set([...catalog.entries().map(({ appId }) => appId), ...appIds]);
  return [...ids]
    .filter((appId) => !isInstalled(appId))
    .flatMap((appId) => listLeft(store, appId).map((path) => [path, appId] as const));
}

function readScript({ catalog }: DeclaredDeps, appId: string): Dictionary | null {
  const entry = catalog.entry(appId);
  return entry?.declared ?? entry?.dictionary ?? null;
}

function listLeft(store: LeftStore, appId: string): readonly string[] {
  const directories = readLastLeft(store, appId)?.plan.apps[appId]?.directories ?? [];
  return directories.filter(({ root }) => !root).map(({ path }) => path);
}

function listToday(
  { store }: DeclaredDeps,
  dictionary: Dictionary,
  live: JsonObject,
  facts: HostFacts,
): readonly DeclaredPath[] {
  if (dictionary.directories.length === 0) return [];
  const kept = isForeign(store, dictionary.appId) ? null : readKeptChoices({ store }, dictionary.appId);
  const found = kept ?? recover(dictionary, live, facts);
  return listDeclaredPaths({ dictionary, facts, stored: { ...found, live } });
}

/** What its configuration tells of an app that was installed by other means. */
function recover(dictionary: Dictionary, live: JsonObject, facts: HostFacts) {
  const { recovered: answers, randoms } = planAdoption(dictionary, live, facts, {});
  return { answers, randoms };
}
