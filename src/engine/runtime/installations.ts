/**
 * Since when an app is the same installation: a reinstall on the data that was there goes on with it, one on new data, or of
 * an app that declares none, begins another (docs/decisions.md, section 3).
 */
import { isJsonObject } from "../../core/json/json.ts";
import type { RunRow, Store } from "../ports/store.ts";

/** The install under way, and since when the app is the installation it is. */
const [BEGUN, SINCE] = ["installing", "installedSince"] as const;

type Settings = Pick<Store, "setting" | "keepSettings">;

/** Notes that a task's directories are there; `foundData` says whether one of them was before. `at` is UTC ms. */
export function noteDirectories(store: Settings, appId: string, taskId: string, foundData: boolean, at: number): void {
  const begun = store.setting(appId, BEGUN);
  const same = isJsonObject(begun) && begun["taskId"] === taskId ? begun : null;
  // A further attempt of the same task finds what the first has made.
  const isNew = same === null ? !foundData : same["isNew"] === true;
  store.keepSettings(appId, { [BEGUN]: { taskId, isNew, at: same?.["at"] ?? at } });
}

/** Notes that the host has the app of a task now. */
export function noteInstalled(store: Settings, appId: string, taskId: string): void {
  const begun = store.setting(appId, BEGUN);
  if (!isJsonObject(begun) || begun["taskId"] !== taskId || begun["isNew"] !== true) return;
  store.keepSettings(appId, { [SINCE]: begun["at"] ?? null });
}

/** Runs without those that completed in an earlier installation of their app. */
export function runsSinceInstalled(
  store: Pick<Store, "setting">,
  appId: string,
  runs: readonly RunRow[],
): readonly RunRow[] {
  const since = store.setting(appId, SINCE);
  if (typeof since !== "number") return runs;
  return runs.filter(({ state, updated }) => state !== "COMPLETED" || updated >= since);
}
