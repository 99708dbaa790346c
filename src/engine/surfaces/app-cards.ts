import { explain } from "../../core/codes/codes.ts";
import { createAppUnknownError } from "../../core/codes/common-errors.ts";
import { listPairings } from "../../core/hooks/pairings.ts";
import type { HostFacts } from "../../core/plan/host-facts.ts";
import { reportRequirements } from "../../core/plan/requirements.ts";
import { toUrlHost } from "../../core/plan/url-host.ts";
import { compareText } from "../../core/script/parse/place-problems.ts";
import type { AppDetail, AppView, InstalledView, LastKnown, PairingStatus, Suggestion } from "../api.ts";
import { listCustomTargets, readInstalledScript } from "../custom-version.ts";
import { findApp } from "../find-app.ts";
import type { Catalog, CatalogEntry } from "../ports/catalog.ts";
import type { Clock, Logger } from "../ports/environment.ts";
import type { HostApp } from "../ports/host-records.ts";
import type { IconPlace } from "../ports/icons.ts";
import type { Store } from "../ports/store.ts";
import { findLastKnown } from "../standing/known-answer.ts";
import type { AppLabels } from "./app-labels.ts";
import type { CatalogView } from "./catalog-view.ts";
import { readChangelog } from "./changelog.ts";
import { HOST_ANSWER_MS, type HostAnswers } from "./host-answers.ts";
import { readIconPlace } from "./icons/app-icons.ts";
import { listLifecycles } from "./lifecycle-entries.ts";
import { listPairingStatuses } from "./pairings.ts";
import { listWidgets } from "./widget-view.ts";

export interface AppCardDeps {
  readonly answers: Pick<HostAnswers, "facts" | "apps" | "upgradeTarget">;
  readonly clock: Pick<Clock, "now">;
  readonly store: Pick<Store, "runs" | "setting" | "holder" | "task">;
  readonly catalog: Pick<Catalog, "scripts">;
  readonly logger: Logger;
  readonly labels: AppLabels;
  readonly view: CatalogView;
}

/** The host's answers about its apps: asked once for a whole list. */
export interface HostPicture {
  readonly facts: HostFacts;
  readonly apps: readonly HostApp[];
  readonly mark: { readonly lastKnown?: LastKnown };
}

/** null where the host was never asked with success: "not installed" is said only when the host says it. */
export async function readHostPicture({ answers, clock, logger }: AppCardDeps): Promise<HostPicture | null> {
  try {
    const [facts, apps] = await Promise.all([answers.facts(HOST_ANSWER_MS), answers.apps(HOST_ANSWER_MS)]);
    return { facts: facts.value, apps: apps.value, mark: findLastKnown(clock, facts, apps) };
  } catch (error) {
    logger.debug({ error }, "the host was not asked for the state of its apps");
    return null;
  }
}

/** The part of a catalog entry that is shown; an app without a script here has a bare one. */
type ShownEntry = Pick<CatalogEntry, "appId" | "dictionary" | "deprecated" | "problems" | "servesLast">;

/** Every app there is to show, by id: those of the catalog, and those that are installed without being in it. */
export function listShownApps({ apps, hidden }: CatalogView, picture: HostPicture | null): readonly ShownEntry[] {
  const shown = new Map<string, ShownEntry>(apps);
  for (const { appId } of picture?.apps ?? []) {
    if (!shown.has(appId) && !hidden.has(appId)) shown.set(appId, createBareEntry(appId));
  }
  return [...shown.values()].sort((a, b) => compareText(a.appId, b.appId));
}

/** One app: of the catalog, the host, or only named by a pairing; null where nobody knows it. */
function findShownApp(view: CatalogView, picture: HostPicture | null, appId: string): ShownEntry | null {
  const entry = view.apps.get(appId);
  if (entry !== undefined || view.hidden.has(appId)) return entry ?? null;
  const isInstalled = picture !== null && findApp(picture.apps, appId) !== null;
  return isInstalled || listPairings(view.index, appId).length > 0 ? createBareEntry(appId) : null;
}

function createBareEntry(appId: string): ShownEntry {
  return { appId, dictionary: null, deprecated: false, problems: [] };
}

/** An app as a list shows it. */
export async function readAppView(deps: AppCardDeps, entry: ShownEntry, picture: HostPicture | null): Promise<AppView> {
  const { name, icon } = await deps.labels.of(entry.appId, deps.view);
  const { dictionary } = entry;
  return {
    appId: entry.appId,
    name,
    icon,
    ...(dictionary?.metadata !== undefined && { description: dictionary.metadata.description }),
    custom: dictionary?.custom ?? (picture && findApp(picture.apps, entry.appId))?.custom ?? false,
    deprecated: entry.deprecated,
    // The last readable script serves an app that is there, and installs none.
    usable: dictionary !== null && (entry.servesLast !== true || findApp(picture?.apps ?? [], entry.appId) !== null),
    ...(dictionary !== null && { scriptVersion: dictionary.script.version }),
    ...(picture !== null && { installed: viewInstalled(deps, picture, entry), ...picture.mark }),
  };
}

/** An app's card: its view, pairings, suggestions, widgets, requirements and what is new; null where nobody knows the app. */
export async function readAppCard(deps: AppCardDeps, appId: string): Promise<AppDetail | null> {
  const { view, labels, store } = deps;
  const picture = await readHostPicture(deps);
  const entry = findShownApp(view, picture, appId);
  if (entry === null) return null;
  const shown = await readAppView(deps, entry, picture);
  const installed = new Set(picture?.apps.map((other) => other.appId));
  const here = picture && findApp(picture.apps, appId);
  const panel = picture && (await listPairingStatuses(appId, view, labels, (id) => installed.has(id), store));
  return {
    ...shown,
    pairings: panel ?? [],
    suggestions: listSuggestions(appId, panel ?? [], view),
    widgets: entry.dictionary === null ? [] : listWidgets(entry.dictionary, picture?.facts.apps ?? null),
    problems: entry.problems.map((problem) => ({ ...problem, audience: explain(problem.code).audience })),
    ...(picture !== null &&
      entry.dictionary !== null && { requirements: reportRequirements(entry.dictionary, picture.facts) }),
    changelog: here === null ? [] : await readChangelog(deps, entry, here),
  };
}

/**
 * Where the picture of an app is; null where nothing that can be read is named. Only a script's own words name a file of
 * the catalog, never the host's. Throws `TASK_APP_UNKNOWN`.
 */
export async function findIconPlace(deps: AppCardDeps, root: string, appId: string): Promise<IconPlace | null> {
  const { view, labels } = deps;
  if (!view.apps.has(appId) && findShownApp(view, await readHostPicture(deps), appId) === null) {
    throw createAppUnknownError(appId);
  }
  const isScripts = view.apps.get(appId)?.dictionary?.metadata !== undefined;
  return readIconPlace((await labels.of(appId, view)).icon, isScripts ? root : null);
}

function viewInstalled(deps: AppCardDeps, { facts, apps, mark }: HostPicture, entry: ShownEntry): InstalledView | null {
  const app = findApp(apps, entry.appId);
  if (app === null) return null;
  const baseUrl = app.port === undefined ? "" : `http://${toUrlHost(facts.lanIp)}:${app.port}`;
  const lifecycles = listLifecycles(deps.store, app, mark.lastKnown !== undefined);
  return { state: app.state, ...readVersion(deps, entry, app), baseUrl, lifecycles };
}

/** A custom app's own version, where it was installed from a script; the host knows that of its generic app only. */
function readVersion(
  { store, catalog }: AppCardDeps,
  { appId, dictionary }: ShownEntry,
  app: HostApp,
): Pick<InstalledView, "version" | "upgradeAvailable"> {
  const { version, upgradeAvailable } = app;
  if (!dictionary?.custom) return { version, upgradeAvailable };
  const kept = readInstalledScript(store, appId);
  return {
    version: kept.metadataVersion ?? version,
    upgradeAvailable: kept.scriptVersion !== null && listCustomTargets(catalog, dictionary, kept).length > 0,
  };
}

/** Outgoing pairings whose target is not installed, one row per target (docs/install-scripts.md, "The app card"). */
function listSuggestions(appId: string, panel: readonly PairingStatus[], view: CatalogView): readonly Suggestion[] {
  const rows = new Map<string, Suggestion>();
  for (const { hookId, runsOnAppId, target, status } of panel) {
    if (runsOnAppId !== appId || status !== "not installed" || rows.has(target.appId)) continue;
    const found = view.apps.get(target.appId);
    rows.set(target.appId, { hookId, target, installable: found !== undefined && found.dictionary !== null });
  }
  return [...rows.values()];
}
