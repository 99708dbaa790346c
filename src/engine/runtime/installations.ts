/**
 * Since when an app is the same installation: a reinstall on the data that was there goes on with it, one on new data, or of
 * an app that declares none, begins another (docs/decisions.md, section 3).
 */
import { isJsonObject, type JsonObject } from "../../core/json/json.ts";
import type { Store } from "../ports/store.ts";
import type { RunRow } from "../ports/store-rows.ts";

/** The install under way, and since when the app is the installation it is. */
const [BEGUN, SINCE] = ["installing", "installedSince"] as const;

/** The spans that rollbacks have undone, and how many are kept: each covers those before it that it reaches back to. */
const UNDONE = "undone";
const UNDONE_KEPT = 20;

type Settings = Pick<Store, "setting" | "keepSettings">;

/**
 * Notes that a task begins with its directories; `foundData` says whether one of them is there before. `at` is UTC ms.
 */
export function noteDirectories(store: Settings, appId: string, taskId: string, foundData: boolean, at: number): void {
  const begun = store.setting(appId, BEGUN);
  const last = isJsonObject(begun) ? begun : null;
  const same = last?.["taskId"] === taskId ? last : null;
  // What is found may be what an earlier attempt has made, of this task or of one that never came to an app.
  const isLeftover = last?.["isNew"] === true && last["at"] !== store.setting(appId, SINCE);
  const isNew = same === null ? !foundData || isLeftover : same["isNew"] === true;
  store.keepSettings(appId, { [BEGUN]: { taskId, isNew, at: same?.["at"] ?? at } });
}

/** Notes that the host has the app of a task now. */
export function noteInstalled(store: Settings, appId: string, taskId: string): void {
  const begun = store.setting(appId, BEGUN);
  if (!isJsonObject(begun) || begun["taskId"] !== taskId || begun["isNew"] !== true) return;
  store.keepSettings(appId, { [SINCE]: begun["at"] ?? null });
}

/** Notes that nothing of an app's data is left: an install on directories that still stand is another installation. */
export function noteDataRemoved(store: Settings, appId: string, taskId: string, at: number): void {
  store.keepSettings(appId, { [BEGUN]: { taskId, isNew: true, at } });
}

/** UTC ms since when an app is the installation it is; 0 for one that found its data, or was installed by other means. */
export function readInstalledSince(store: Pick<Store, "setting">, appId: string): number {
  const since = store.setting(appId, SINCE);
  return typeof since === "number" ? since : 0;
}

/** What was done to an app from one moment to another, UTC ms, and undone by a rollback. */
interface Undone {
  readonly from: number;
  readonly until: number;
}

/** Notes that a rollback undid what was done to an app meanwhile: a link made then may be gone. */
export function noteUndone(store: Settings, appId: string, undone: Undone): void {
  const others = readUndone(store, appId).filter(({ until }) => until < undone.from);
  const kept = [...others, undone].slice(-UNDONE_KEPT).map(({ from, until }) => ({ from, until }));
  store.keepSettings(appId, { [UNDONE]: kept });
}

/** Whether what was done to an app at a moment (UTC ms) was undone by a rollback. */
export function isUndone(store: Pick<Store, "setting">, appId: string, at: number): boolean {
  return readUndone(store, appId).some(({ from, until }) => from <= at && at <= until);
}

function readUndone(store: Pick<Store, "setting">, appId: string): readonly Undone[] {
  const noted = store.setting(appId, UNDONE);
  return Array.isArray(noted) ? noted.filter(isJsonObject).flatMap(readSpan) : [];
}

function readSpan({ from, until }: JsonObject): Undone[] {
  return typeof from === "number" && typeof until === "number" ? [{ from, until }] : [];
}

/** Runs without those that completed in an earlier installation of their app, or that a rollback has undone. */
export function keepRunsSinceInstalled(
  store: Pick<Store, "setting">,
  appId: string,
  runs: readonly RunRow[],
): readonly RunRow[] {
  const since = readInstalledSince(store, appId);
  return runs.filter(
    ({ state, updated }) => state !== "COMPLETED" || (updated >= since && !isUndone(store, appId, updated)),
  );
}
