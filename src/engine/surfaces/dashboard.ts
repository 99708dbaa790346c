/** Which widgets people look at first, and where: arranged by a person, else those of the installed apps. */
import { EngineError, type Problem } from "../../core/codes/problems.ts";
import { fitWidgetSize, listWidgetSizes } from "../../core/hooks/widget-sizes.ts";
import { checkWidget } from "../../core/hooks/widget-standing.ts";
import type { Widget } from "../../core/script/dictionary.ts";
import type { Dashboard, DashboardRequest, DashboardTile } from "../api.ts";
import { createRequestProblem } from "../methods/request/request.ts";
import type { Store } from "../ports/store.ts";
import type { TileRow } from "../ports/store-rows.ts";
import { TILE_LIMIT } from "../requests.ts";
import { listAllWidgets } from "./all-widgets.ts";
import { type AppCardDeps, type HostPicture, readHostPicture } from "./app-cards.ts";

export type DashboardDeps = AppCardDeps & { readonly store: Pick<Store, "dashboard" | "keepDashboard"> };

/** Reads the dashboard as it stands now. */
export async function readDashboard(deps: DashboardDeps): Promise<Dashboard> {
  const rows = deps.store.dashboard();
  if (rows === null) return { arranged: false, tiles: await listDefaultTiles(deps) };
  const picture = await readHostPicture(deps);
  return { arranged: true, tiles: await Promise.all(rows.map((row) => viewTile(deps, picture, row))) };
}

/** Keeps what is changed, with whatever else belongs to it. */
export type KeepTogether = (change: () => void) => void;

/** Puts widgets on the dashboard. Throws `DASHBOARD_REFUSED {problems}` and changes nothing. */
export async function arrangeDashboard(
  deps: DashboardDeps,
  { tiles }: DashboardRequest,
  keep: KeepTogether,
): Promise<Dashboard> {
  if (tiles === null) {
    keep(() => deps.store.keepDashboard(null));
    return readDashboard(deps);
  }
  const names = await Promise.all(tiles.map(({ appId }) => deps.labels.of(appId, deps.view)));
  // From here on nothing waits: of two who arrange it at once the later one's stands whole.
  const before = new Map((deps.store.dashboard() ?? []).map((row) => [toKey(row), row]));
  const problems: Problem[] = [];
  const rows: TileRow[] = [];
  const seen = new Set<string>();
  for (const [at, tile] of tiles.entries()) {
    const { appId, widgetId, size } = tile;
    const key = toKey(tile);
    if (seen.has(key)) {
      problems.push(createRequestProblem("WIDGET_REPEATED", `${describe(tile)} is named twice`, ["tiles", at]));
    }
    seen.add(key);
    const widget = findWidget(deps, tile);
    const kept = before.get(key);
    if (widget !== null) {
      const fault = size === undefined ? null : explainSize(widget, size);
      if (fault !== null) problems.push(createRequestProblem("WIDGET_SIZE_UNDECLARED", fault, ["tiles", at, "size"]));
      const appName = names[at]?.name ?? appId;
      rows.push({ appId, appName, widgetId, title: widget.title, size: fitWidgetSize(widget, size ?? kept?.size) });
    } else if (kept !== undefined) {
      rows.push({ ...kept, size: size ?? kept.size });
    } else {
      problems.push(createRequestProblem("WIDGET_UNKNOWN", `there is no ${describe(tile)}`, ["tiles", at]));
    }
  }
  const [first] = problems;
  if (first !== undefined) throw new EngineError("DASHBOARD_REFUSED", first.message, { problems });
  keep(() => deps.store.keepDashboard(rows));
  return readDashboard(deps);
}

async function listDefaultTiles(deps: DashboardDeps): Promise<readonly DashboardTile[]> {
  const widgets = await listAllWidgets(deps, { installed: true });
  return widgets.slice(0, TILE_LIMIT).map(({ app, widgetId, title, refresh, state, reason, sizes }) => ({
    app,
    widgetId,
    title,
    size: fitWidgetSize(sizes === undefined ? {} : { sizes }),
    refresh,
    state,
    ...(reason !== undefined && { reason }),
  }));
}

async function viewTile(deps: DashboardDeps, picture: HostPicture | null, row: TileRow): Promise<DashboardTile> {
  const { appId, widgetId, size } = row;
  const label = await deps.labels.of(appId, deps.view);
  // Of an app nobody knows any more the label is its bare id.
  const app = label.name === appId ? { ...label, name: row.appName } : label;
  const widget = findWidget(deps, row);
  if (widget === null) {
    return { app, widgetId, title: row.title, size, state: "gone", reason: `there is no ${describe(row)} any more` };
  }
  const standing = checkWidget(appId, widget, picture?.facts.apps ?? null);
  const shown = { app, widgetId, title: widget.title, size: fitWidgetSize(widget, size), refresh: widget.refresh };
  if (standing.state === "enabled") return { ...shown, state: "available" };
  if (standing.state === "disabled") return { ...shown, state: "unavailable", reason: standing.reason };
  return { ...shown, state: "hidden" };
}

type Named = Pick<TileRow, "appId" | "widgetId">;

function findWidget({ view }: Pick<AppCardDeps, "view">, { appId, widgetId }: Named): Widget | null {
  return view.apps.get(appId)?.dictionary?.widgets.find(({ id }) => id === widgetId) ?? null;
}

function explainSize(widget: Widget, size: TileRow["size"]): string | null {
  const sizes = listWidgetSizes(widget);
  return sizes.includes(size) ? null : `"${widget.id}" is made for ${sizes.join(", ")}, not for "${size}"`;
}

function toKey({ appId, widgetId }: Named): string {
  return `${appId}/${widgetId}`;
}

function describe({ appId, widgetId }: Named): string {
  return `widget "${widgetId}" of "${appId}"`;
}
