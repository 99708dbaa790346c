import type { AppDetail, AppView, PairingStatus } from "../api.ts";
import type { CatalogEntry } from "../ports/catalog.ts";
import type { Logger } from "../ports/environment.ts";
import type { Store } from "../ports/store.ts";
import type { AppLabels } from "./app-labels.ts";
import type { CatalogView } from "./catalog-view.ts";
import type { HostAnswers } from "./host-answers.ts";
import { pairingStatuses } from "./pairings.ts";
import { summaryOf } from "./widget-view.ts";

export interface AppCardDeps {
  readonly answers: Pick<HostAnswers, "facts" | "apps" | "installedApp">;
  readonly store: Pick<Store, "runs">;
  readonly logger: Logger;
  readonly labels: AppLabels;
  readonly view: CatalogView;
}

/** An app as a list shows it. */
export async function readAppView(deps: AppCardDeps, entry: CatalogEntry): Promise<AppView> {
  const { name, icon } = await deps.labels.of(entry.appId, deps.view);
  const installed = await readInstalled(deps, entry.appId);
  const { dictionary } = entry;
  return {
    appId: entry.appId,
    name,
    icon,
    ...(dictionary?.metadata !== undefined && { description: dictionary.metadata.description }),
    custom: dictionary?.custom ?? false,
    deprecated: entry.deprecated,
    usable: dictionary !== null,
    ...(dictionary !== null && { scriptVersion: dictionary.script.version }),
    ...(installed !== undefined && { installed }),
  };
}

/** An app's card: its view, pairings, suggestions and widgets. */
export async function readAppCard(deps: AppCardDeps, entry: CatalogEntry): Promise<AppDetail> {
  const { answers, view, labels, store } = deps;
  const { appId } = entry;
  const shown = await readAppView(deps, entry);
  // Without the host's word nothing is called "not installed": the panel stays empty.
  const found = shown.installed === undefined ? null : await answers.apps().catch(() => null);
  const installed = new Set(found?.map((other) => other.appId));
  const panel = found && (await pairingStatuses(appId, view, labels, (id) => installed.has(id), store));
  return {
    ...shown,
    pairings: panel ?? [],
    suggestions: suggestionsOf(appId, panel ?? []),
    widgets: entry.dictionary?.widgets.map(summaryOf) ?? [],
    problems: entry.problems,
  };
}

/** undefined while the host can't be asked: "not installed" is said only when the host says it. */
async function readInstalled({ answers, logger }: AppCardDeps, appId: string): Promise<AppView["installed"]> {
  try {
    const [{ lanIp }, app] = await Promise.all([answers.facts(), answers.installedApp(appId)]);
    if (app === null) return null;
    const baseUrl = app.port === undefined ? "" : `http://${lanIp}:${app.port}`;
    return { state: app.state, version: app.version, upgradeAvailable: app.upgradeAvailable, baseUrl };
  } catch (error) {
    logger.debug({ appId, error }, "the host was not asked for an app's state");
    return undefined;
  }
}

/** Outgoing pairings whose target is not installed, one row per target (docs/install-scripts.md, "The app card"). */
function suggestionsOf(appId: string, panel: readonly PairingStatus[]): AppDetail["suggestions"] {
  const rows = new Map<string, AppDetail["suggestions"][number]>();
  for (const { hookId, runsOnAppId, target, status } of panel) {
    if (runsOnAppId !== appId || status !== "not installed" || rows.has(target.appId)) continue;
    rows.set(target.appId, { hookId, target });
  }
  return [...rows.values()];
}
