/** Arranging tiles: each answer is the whole dashboard as it is to be. Pure. */
import type { AppWidget, DashboardRequest, DashboardTile, WidgetSize } from "../../api/types.ts";

type Tiles = readonly DashboardTile[];

/** What a tile is known by, also over reading the dashboard anew. */
export function keyOf({ app, widgetId }: Pick<DashboardTile, "app" | "widgetId">): string {
  return `${app.appId}/${widgetId}`;
}

/** Puts the tile of one place at another; a place that is not there is the nearest one. */
export function moveTile(tiles: Tiles, from: number, to: number): Tiles {
  const tile = tiles[from];
  if (tile === undefined) return tiles;
  const others = tiles.toSpliced(from, 1);
  return others.toSpliced(Math.min(Math.max(to, 0), others.length), 0, tile);
}

/** The widgets that are not there yet. */
export function listAddable(widgets: readonly AppWidget[], tiles: Tiles): readonly AppWidget[] {
  const there = new Set(tiles.map(keyOf));
  return widgets.filter((widget) => !there.has(keyOf(widget)));
}

/** The size a tile can have instead of its own; undefined where its widget is made for one alone, or is not known. */
export function findOtherSize(tile: DashboardTile, widgets: readonly AppWidget[]): WidgetSize | undefined {
  const widget = widgets.find((each) => keyOf(each) === keyOf(tile));
  const other = tile.size === "small" ? "large" : "small";
  if (widget === undefined) return undefined;
  return widget.sizes === undefined || widget.sizes[other] !== undefined ? other : undefined;
}

/** A widget as the tile it becomes, until the engine has said how it stands. */
export function toTile({ app, widgetId, title, refresh, sizes, state }: AppWidget): DashboardTile {
  const size = sizes === undefined || sizes.small !== undefined ? "small" : "large";
  return { app, widgetId, title, size, refresh, state };
}

/** What the engine is asked for. */
export function toRequest(tiles: Tiles): DashboardRequest {
  return { tiles: tiles.map(({ app, widgetId, size }) => ({ appId: app.appId, widgetId, size })) };
}

/** The place a key moves a tile to; undefined for keys that move nothing. */
export function placeOfKey(key: string, from: number, count: number): number | undefined {
  const places: Readonly<Record<string, number>> = {
    ArrowLeft: from - 1,
    ArrowUp: from - 1,
    ArrowRight: from + 1,
    ArrowDown: from + 1,
    Home: 0,
    End: count - 1,
  };
  const to = Object.hasOwn(places, key) ? places[key] : undefined;
  return to === undefined || to < 0 || to >= count || to === from ? undefined : to;
}
