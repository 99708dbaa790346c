import type { AppWidget, WidgetFilter } from "../api.ts";
import { findApp } from "../find-app.ts";
import { type AppCardDeps, readHostPicture } from "./app-cards.ts";
import { listWidgets } from "./widget-view.ts";

/** Lists the widgets of all apps by app id, each app's in the order it declares them; hidden ones are left out. */
export async function listAllWidgets(deps: AppCardDeps, { installed }: WidgetFilter): Promise<readonly AppWidget[]> {
  const { view, labels } = deps;
  const picture = await readHostPicture(deps);
  const found: AppWidget[] = [];
  for (const { appId, dictionary } of view.apps.values()) {
    const widgets = dictionary === null ? [] : listWidgets(dictionary, picture?.facts.apps ?? null);
    if (widgets.length === 0) continue;
    // Where the host was never asked nobody knows what is installed, and it is not said that it isn't.
    const isInstalled = picture === null ? null : findApp(picture.apps, appId) !== null;
    if (installed !== undefined && isInstalled !== installed) continue;
    const app = await labels.of(appId, view);
    for (const widget of widgets) found.push({ ...widget, app });
  }
  return found;
}
