import type { Sandbox } from "../../../sandbox/contract.ts";
import { EngineError } from "../../core/codes/problems.ts";
import { listActionsOn } from "../../core/hooks/actions.ts";
import { listForeignApps } from "../../core/hooks/surfaces.ts";
import type { Dictionary, Surface, Widget } from "../../core/script/dictionary.ts";
import type {
  ActionEntry,
  AppAction,
  AppDetail,
  AppFilter,
  AppIcon,
  AppView,
  AppWidget,
  Dashboard,
  DashboardRequest,
  Folder,
  FolderRequest,
  PairingsBody,
  Surfaces,
  WidgetFilter,
  WidgetSummary,
  WidgetView,
} from "../api.ts";
import { mountsOf } from "../effects/hook/mounts.ts";
import { findApp } from "../find-app.ts";
import type { Hints } from "../hints/hints.ts";
import type { Catalog } from "../ports/catalog.ts";
import type { Clock, Logger } from "../ports/environment.ts";
import type { Folders } from "../ports/folders.ts";
import type { Host } from "../ports/host.ts";
import type { Icons } from "../ports/icons.ts";
import type { Store } from "../ports/store.ts";
import { listEffectiveRuns } from "../runtime/claims.ts";
import { rememberFor } from "../system/remember-for.ts";
import type { ListSecrets } from "../vault/secrets.ts";
import { showAction } from "./action-view.ts";
import { listAllWidgets } from "./all-widgets.ts";
import { findIconPlace, readAppCard, readHostPicture } from "./app-cards.ts";
import type { AppLabels } from "./app-labels.ts";
import type { CatalogView } from "./catalog-view.ts";
import { arrangeDashboard, type DashboardDeps, type KeepTogether, readDashboard } from "./dashboard.ts";
import { listFileActions } from "./file-actions.ts";
import { findApps } from "./find-apps.ts";
import { HOST_ANSWER_MS, type HostAnswers } from "./host-answers.ts";
import { AppIcons } from "./icons/app-icons.ts";
import { explainBusy } from "./lifecycle-entries.ts";
import { listFiles } from "./list-files.ts";
import { createPairingReader, type PairingReader } from "./pairings.ts";
import { readSelection } from "./read-selection.ts";
import type { WidgetDeps } from "./run-widget.ts";
import { createWidgetQueries, type WidgetQueries } from "./widget-queries.ts";
import { listWidgets, viewWidget } from "./widget-view.ts";

export interface SurfacesOptions {
  /** Rejects soon where the host is away. */
  readonly host: Host;
  /** The host's last answers. */
  readonly answers: HostAnswers;
  readonly store: Pick<Store, "runs" | "task" | "holder" | "setting" | "dashboard" | "keepDashboard">;
  readonly catalog: Pick<Catalog, "root" | "scripts">;
  readonly sandbox: Sandbox;
  readonly folders: Folders;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Reader of the newest view of the catalog. */
  readonly view: () => CatalogView;
  readonly labels: AppLabels;
  /** Reads pictures of apps. */
  readonly icons: Icons;
  /** Ports of the LAN address that scripts may reach, as the host says now. */
  readonly appPorts: () => Promise<readonly number[]>;
  /** Those of them the embedder vouches for. */
  readonly vouchedPorts: readonly number[];
  /** Told of what is worth reading anew. */
  readonly hints: Pick<Hints, "tell">;
  /** Lists the secrets that are kept of an app. */
  readonly secretsOf: ListSecrets;
  /** Widgets that may send more than GET and HEAD; none by default. */
  readonly trustedWidget?: (appId: string, widgetId: string) => boolean;
}

/** As the engine's methods call them: who arranges the dashboard keeps more with it. */
export type OwnSurfaces = Omit<Surfaces, "arrangeDashboard"> & {
  arrangeDashboard(request: DashboardRequest, keep: KeepTogether): Promise<Dashboard>;
};

/** Apps, actions, widgets and pairings over the engine's ports; `close` stops running queries. */
export function createSurfaces(options: SurfacesOptions): OwnSurfaces & { close(): void } {
  return new EngineSurfaces(options);
}

class EngineSurfaces implements OwnSurfaces {
  readonly #options: SurfacesOptions;
  readonly #queries: WidgetQueries;
  readonly #icons: AppIcons;
  readonly #readPairings: PairingReader;

  constructor(options: SurfacesOptions) {
    const { clock, logger, view, labels, sandbox, catalog } = options;
    this.#options = options;
    this.#queries = createWidgetQueries({
      sandbox,
      catalogRoot: catalog.root,
      clock,
      logger,
      appPorts: rememberFor(clock, HOST_ANSWER_MS, options.appPorts),
      vouchedPorts: options.vouchedPorts,
      onChange: (appId, widgetId) => options.hints.tell({ type: "widget.changed", appId, widgetId }),
      trusted: options.trustedWidget ?? (() => false),
    });
    this.#readPairings = createPairingReader(view, labels);
    const { icons, answers } = options;
    this.#icons = new AppIcons({
      icons,
      clock,
      hostAddresses: async () => (await answers.addresses(HOST_ANSWER_MS)).value,
    });
  }

  async apps(filter: AppFilter = {}): Promise<readonly AppView[]> {
    return findApps(this.#cardDeps(), filter);
  }

  async app(appId: string): Promise<AppDetail | null> {
    return readAppCard(this.#cardDeps(), appId);
  }

  async icon(appId: string): Promise<AppIcon> {
    const place = await findIconPlace(this.#cardDeps(), this.#options.catalog.root, appId);
    if (place === null) throw new EngineError("ICON_UNREADABLE", `"${appId}" names no icon that can be read`);
    return this.#icons.read(place);
  }

  async actions(appId: string, surface: Surface, selection: readonly string[] = []): Promise<readonly ActionEntry[]> {
    const dictionary = this.#dictionaryOf(appId);
    const { answers, host } = this.#options;
    const [facts, apps] = await Promise.all([answers.facts(HOST_ANSWER_MS), answers.apps(HOST_ANSWER_MS)]);
    const takesFiles = dictionary.hooks.some((hook) => hook.target !== undefined && hook.surfaces.includes(surface));
    const { paths, faults } = await readSelection(host, takesFiles ? selection : [], apps.value, facts.value);
    return listActionsOn(dictionary, surface, {
      apps: facts.value.apps,
      mounts: findApp(apps.value, appId)?.mounts ?? [],
      selection: paths,
      fileFaults: faults,
      busy: explainBusy(this.#options.store, appId),
      runs: (hookId) => listEffectiveRuns(this.#options.store, appId, hookId),
    }).flatMap(showAction);
  }

  async widgets(appId: string): Promise<readonly WidgetSummary[]> {
    const dictionary = this.#dictionaryOf(appId);
    const picture = await readHostPicture(this.#cardDeps());
    return listWidgets(dictionary, picture?.facts.apps ?? null);
  }

  async allWidgets(filter: WidgetFilter = {}): Promise<readonly AppWidget[]> {
    return listAllWidgets(this.#cardDeps(), filter);
  }

  async dashboard(): Promise<Dashboard> {
    return readDashboard(this.#cardDeps());
  }

  async arrangeDashboard(request: DashboardRequest, keep: KeepTogether): Promise<Dashboard> {
    const arranged = await arrangeDashboard(this.#cardDeps(), request, keep);
    this.#options.hints.tell({ type: "dashboard.changed" });
    return arranged;
  }

  async queryWidget(appId: string, widgetId: string): Promise<WidgetView> {
    const dictionary = this.#dictionaryOf(appId);
    const widget = dictionary.widgets.find(({ id }) => id === widgetId);
    if (widget === undefined) {
      throw new EngineError("WIDGET_UNKNOWN", `"${appId}" has no widget "${widgetId}"`, { appId, widgetId });
    }
    const reading = await this.#queries.read(dictionary, widget, () => this.#widgetDeps(appId, widget));
    const offered = widget.buttons.length === 0 ? [] : await this.actions(appId, "widget").catch(() => []);
    return {
      ...viewWidget(widget, reading),
      buttons: widget.buttons.flatMap((id) => offered.filter(({ hookId }) => hookId === id)),
    };
  }

  files(request: FolderRequest = {}): Promise<Folder> {
    return listFiles(this.#options, request);
  }

  fileActions(selection: readonly string[]): Promise<readonly AppAction[]> {
    const { answers, host, store, labels, view } = this.#options;
    return listFileActions({ answers, host, store, labels, view: view() }, selection);
  }

  pairings(appId: string): Promise<PairingsBody> {
    return this.#readPairings(appId);
  }

  close(): void {
    this.#icons.close();
    this.#queries.close();
  }

  /** null when the app is not installed. */
  async #widgetDeps(appId: string, { conditions }: Widget): Promise<WidgetDeps | null> {
    const { answers, host, secretsOf } = this.#options;
    const [facts, addresses, apps] = await Promise.all([
      answers.facts(HOST_ANSWER_MS),
      answers.addresses(HOST_ANSWER_MS),
      answers.apps(HOST_ANSWER_MS),
    ]);
    const app = findApp(apps.value, appId);
    if (app === null) return null;
    return {
      facts: facts.value,
      hostAddresses: addresses.value,
      app,
      mounts: mountsOf(host, facts.value, app),
      secrets: [appId, ...listForeignApps(appId, conditions)].flatMap(secretsOf),
    };
  }

  #cardDeps(): DashboardDeps {
    const { answers, store, catalog, clock, logger, labels, view } = this.#options;
    return { answers, store, catalog, clock, logger, labels, view: view() };
  }

  #dictionaryOf(appId: string): Dictionary {
    const dictionary = this.#options.view().apps.get(appId)?.dictionary;
    if (dictionary) return dictionary;
    throw new EngineError("TASK_APP_UNKNOWN", `there is no usable app "${appId}" in the catalog`, { appId });
  }
}
