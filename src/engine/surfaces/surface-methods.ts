import type { Surfaces } from "../api.ts";
import type { Audit } from "../audit/audit.ts";
import {
  AppFilter,
  DashboardRequest,
  FolderRequest,
  readRequest,
  SelectionRequest,
  WidgetFilter,
} from "../requests.ts";
import type { OwnSurfaces } from "./surfaces.ts";

/** Makes the part of the engine that shows apps, actions, widgets and pairings: what is asked is checked first. */
export function createSurfaceMethods(surfaces: OwnSurfaces, audit: Audit): Surfaces {
  return {
    apps: async (filter = {}) => surfaces.apps(readRequest(AppFilter, filter)),
    app: (appId) => surfaces.app(appId),
    icon: (appId) => surfaces.icon(appId),
    actions: (appId, surface, selection) => surfaces.actions(appId, surface, selection),
    widgets: (appId) => surfaces.widgets(appId),
    allWidgets: async (filter = {}) => surfaces.allWidgets(readRequest(WidgetFilter, filter)),
    dashboard: () => surfaces.dashboard(),
    arrangeDashboard: (request, by) =>
      audit.change("arrangeDashboard", {}, by, async (deed) =>
        surfaces.arrangeDashboard(readRequest(DashboardRequest, request), (change) => audit.together(deed, change)),
      ),
    queryWidget: (appId, widgetId) => surfaces.queryWidget(appId, widgetId),
    files: async (request = {}) => surfaces.files(readRequest(FolderRequest, request)),
    fileActions: async (selection) => surfaces.fileActions(readRequest(SelectionRequest, selection)),
    pairings: (appId) => surfaces.pairings(appId),
  };
}
