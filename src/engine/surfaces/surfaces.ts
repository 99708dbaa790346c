import type { Sandbox } from "../../../sandbox/contract.ts";
import { EngineError } from "../../core/codes/problems.ts";
import { actionsOn } from "../../core/hooks/actions.ts";
import type { JsonObject } from "../../core/json/json.ts";
import type { Dictionary, Surface } from "../../core/script/dictionary.ts";
import type { ActionEntry, AppDetail, AppView, PairingStatus, Surfaces, WidgetSummary, WidgetView } from "../api.ts";
import { mountsOf } from "../effects/hook/mounts.ts";
import type { CatalogEntry } from "../ports/catalog.ts";
import type { Clock, Logger } from "../ports/environment.ts";
import type { Host, HostApp } from "../ports/host.ts";
import type { Store } from "../ports/store.ts";
import { effectiveRuns } from "../runtime/claims.ts";
import type { AppLabels } from "./app-labels.ts";
import type { CatalogView } from "./catalog-view.ts";
import { createPairingReader, pairingStatuses } from "./pairings.ts";
import { recent } from "./recent.ts";
import { createWidgetQueries, type WidgetReading } from "./widget-queries.ts";

export interface SurfacesOptions {
  readonly host: Host;
  readonly store: Pick<Store, "runs" | "task">;
  /** Directory script files are read from. */
  readonly catalogRoot: string;
  readonly sandbox: Sandbox;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Reader of the newest view of the catalog. */
  readonly view: () => CatalogView;
  readonly labels: AppLabels;
  /** Ports of the LAN address that scripts may reach, as the host says now. */
  readonly appPorts: () => Promise<readonly number[]>;
  /** Widgets that may send more than GET and HEAD; none by default. */
  readonly trustedWidget?: (appId: string, widgetId: string) => boolean;
}

/** Ms one answer of the host serves all surfaces. */
const HOST_ANSWER_MS = 1_000;

/** Apps, actions, widgets and pairings over the engine's ports; `close` stops running queries. */
export function createSurfaces(options: SurfacesOptions): Surfaces & { close(): void } {
  const { host, store, clock, logger, view, labels } = options;
  const pairings = createPairingReader(view, labels);
  const facts = recent(clock, HOST_ANSWER_MS, () => host.facts());
  const hostApps = recent(clock, HOST_ANSWER_MS, () => host.apps());
  const addresses = recent(clock, HOST_ANSWER_MS, () => host.addresses());
  const queries = createWidgetQueries({
    sandbox: options.sandbox,
    catalogRoot: options.catalogRoot,
    clock,
    logger,
    appPorts: recent(clock, HOST_ANSWER_MS, options.appPorts),
    trusted: options.trustedWidget ?? (() => false),
  });

  function dictionaryOf(appId: string): Dictionary {
    const dictionary = view().apps.get(appId)?.dictionary;
    if (dictionary) return dictionary;
    throw new EngineError("TASK_APP_UNKNOWN", `there is no usable app "${appId}" in the catalog`, { appId });
  }

  async function installedApp(appId: string): Promise<HostApp | null> {
    return (await hostApps()).find((app) => app.appId === appId) ?? null;
  }

  async function actions(
    appId: string,
    surface: Surface,
    selection: readonly string[] = [],
  ): Promise<readonly ActionEntry[]> {
    const dictionary = dictionaryOf(appId);
    const [{ apps }, app] = await Promise.all([facts(), installedApp(appId)]);
    return actionsOn(dictionary, surface, {
      apps,
      mounts: app?.mounts ?? [],
      selection,
      runs: (hookId) => effectiveRuns(store, appId, hookId),
    }).flatMap(({ hook, standing }): ActionEntry[] => {
      if (standing.state === "hidden") return [];
      return [
        {
          hookId: hook.id,
          title: hook.title,
          ...(hook.description !== undefined && { description: hook.description }),
          ...(hook.kind !== undefined && { kind: hook.kind }),
          state: standing.state,
          ...(standing.state === "disabled" && { reason: standing.reason }),
        },
      ];
    });
  }

  async function appView(entry: CatalogEntry): Promise<AppView> {
    const { name, icon } = await labels.of(entry.appId, view());
    const installed = await installedView(entry.appId);
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

  /** undefined while the host can't be asked: "not installed" is said only when the host says it. */
  async function installedView(appId: string): Promise<AppView["installed"]> {
    try {
      const [{ lanIp }, app] = await Promise.all([facts(), installedApp(appId)]);
      if (app === null) return null;
      const baseUrl = app.port === undefined ? "" : `http://${lanIp}:${app.port}`;
      return { state: app.state, version: app.version, upgradeAvailable: app.upgradeAvailable, baseUrl };
    } catch (error) {
      logger.debug({ appId, error }, "the host was not asked for an app's state");
      return undefined;
    }
  }

  async function app(appId: string): Promise<AppDetail | null> {
    const current = view();
    const entry = current.apps.get(appId);
    if (entry === undefined) return null;
    const shown = await appView(entry);
    // Without the host's word nothing is called "not installed": the panel stays empty.
    const found = shown.installed === undefined ? null : await hostApps().catch(() => null);
    const installed = new Set(found?.map((other) => other.appId));
    const panel = found && (await pairingStatuses(appId, current, labels, (id) => installed.has(id), store));
    return {
      ...shown,
      pairings: panel ?? [],
      suggestions: suggestionsOf(appId, panel ?? []),
      widgets: entry.dictionary?.widgets.map(summaryOf) ?? [],
      problems: entry.problems,
    };
  }

  async function queryWidget(appId: string, widgetId: string): Promise<WidgetView> {
    const dictionary = dictionaryOf(appId);
    const widget = dictionary.widgets.find(({ id }) => id === widgetId);
    if (widget === undefined) {
      throw new EngineError("WIDGET_UNKNOWN", `"${appId}" has no widget "${widgetId}"`, { appId, widgetId });
    }
    const reading = await queries.read(dictionary, widget, async () => {
      const [known, hostAddresses, found] = await Promise.all([facts(), addresses(), installedApp(appId)]);
      if (found === null) return null;
      return { facts: known, hostAddresses, app: found, mounts: mountsOf(host, known, found) };
    });
    const offered = widget.buttons.length === 0 ? [] : await actions(appId, "widget").catch(() => []);
    return {
      ...widgetView(summaryOf(widget), reading),
      buttons: widget.buttons.flatMap((id) => offered.filter(({ hookId }) => hookId === id)),
    };
  }

  return {
    apps: () => Promise.all([...view().apps.values()].map(appView)),
    app,
    actions,
    widgets: (appId) => dictionaryOf(appId).widgets.map(summaryOf),
    queryWidget,
    pairings,
    close: () => queries.close(),
  };
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

function summaryOf(widget: Dictionary["widgets"][number]): WidgetSummary {
  return {
    widgetId: widget.id,
    title: widget.title,
    ...(widget.description !== undefined && { description: widget.description }),
    refresh: widget.refresh,
    ...(widget.sizes !== undefined && { sizes: sizesOf(widget.sizes) }),
  };
}

function sizesOf(sizes: NonNullable<Dictionary["widgets"][number]["sizes"]>): JsonObject {
  const size = ({ slots, media }: NonNullable<typeof sizes.small | typeof sizes.large>): JsonObject => ({
    slots: slots.map(({ type, field }) => ({ type, field })),
    ...(media !== undefined && { media: { placement: media.placement, field: media.field } }),
  });
  return {
    ...(sizes.small !== undefined && { small: size(sizes.small) }),
    ...(sizes.large !== undefined && { large: size(sizes.large) }),
  };
}

function widgetView(summary: WidgetSummary, reading: WidgetReading): Omit<WidgetView, "buttons"> {
  return {
    widgetId: summary.widgetId,
    title: summary.title,
    state: reading.state,
    ...(reading.reason !== undefined && { reason: reading.reason }),
    stale: reading.stale,
    ...(reading.at !== undefined && { at: new Date(reading.at).toISOString() }),
    ...(reading.fields !== undefined && { fields: { ...reading.fields } }),
    ...(summary.sizes !== undefined && { sizes: summary.sizes }),
    problems: reading.problems,
  };
}
