import { compareText } from "../../core/script/parse/place-problems.ts";
import type { AppFilter, AppView } from "../api.ts";
import { type AppCardDeps, listShownApps, readAppView, readHostPicture } from "./app-cards.ts";

/** Lists the apps of a filter by id. Of a page no more apps are read than it takes to fill it. */
export async function findApps(deps: AppCardDeps, filter: AppFilter): Promise<readonly AppView[]> {
  const { after, limit = Number.POSITIVE_INFINITY } = filter;
  const picture = await readHostPicture(deps);
  const words = splitWords(filter.search ?? "");
  const found: AppView[] = [];
  for (const entry of listShownApps(deps.view, picture)) {
    if (after !== undefined && compareText(entry.appId, after) <= 0) continue;
    const app = await readAppView(deps, entry, picture);
    if (!isWanted(app, filter, words)) continue;
    found.push(app);
    if (found.length >= limit) break;
  }
  return found;
}

function isWanted(app: AppView, { installed, upgradable }: AppFilter, words: readonly string[]): boolean {
  // Where the host was never asked nobody knows what is installed, and it is not said that it isn't.
  if (installed !== undefined && (app.installed === undefined || (app.installed !== null) !== installed)) return false;
  if (upgradable && app.installed?.upgradeAvailable !== true) return false;
  const text = foldCase(`${app.appId} ${app.name} ${app.description ?? ""}`);
  return words.every((word) => text.includes(word));
}

function splitWords(search: string): readonly string[] {
  return foldCase(search)
    .split(/\s+/)
    .filter((word) => word !== "");
}

function foldCase(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}
