/** What becomes of an app's data where it is to go with the app. */
import { findOutermostLocation, lookAtDeclared } from "../../effects/files/declared-path.ts";
import { findSurroundings } from "../../effects/files/find-surroundings.ts";
import { describeHidden, findHiddenDataset } from "../../effects/files/hidden-dataset.ts";
import { decideOwnDirectories, listUndeclared, type OwnDirectory } from "../../effects/files/own-directories.ts";
import type { HostApp } from "../../ports/host-records.ts";
import { lacks } from "../../ports/own-host.ts";
import type { StoredApp } from "../../stored-plan.ts";
import type { MethodDeps } from "../deps.ts";
import type { FrozenApp } from "../freeze-installed.ts";

/** Why directories stay that could go otherwise, by path. */
type Withheld = ReadonlyMap<string, string>;

export const NOTHING_WITHHELD: Withheld = new Map();

/** Decides about every directory of an app below a location, declared today, or made for it and there; `apps` may use one. */
export async function decideData(
  deps: MethodDeps,
  appId: string,
  { plan }: FrozenApp,
  apps: readonly HostApp[],
  withheld: Withheld,
): Promise<readonly OwnDirectory[]> {
  const app = plan.apps[appId];
  if (app === undefined) return [];
  const around = await findSurroundings(deps, app, apps);
  const made = new Map(around.made);
  for (const path of listUndeclared(app.directories, appId, made))
    if (await hasGone(deps, path, app.locations)) made.delete(path);
  const own = await decideOwnDirectories(app.directories, appId, { ...around, made, withheld });
  // Data is removed only once a snapshot holds it.
  if (!lacks(deps.host, "snapshots")) return own;
  return own.map((one) => ({ ...one, stays: one.stays ?? "this host takes no snapshots to keep it in" }));
}

/** Not where its location or its dataset is not there to look at. */
async function hasGone({ host }: MethodDeps, path: string, locations: StoredApp["locations"]): Promise<boolean> {
  if (findOutermostLocation(path, locations) === null) return false;
  const look = await lookAtDeclared(host, path, locations);
  if (look.top.found === null || look.below.at(-1)?.found !== null) return false;
  return (await findHiddenDataset(host, look)) === null;
}

/** Finds the directories in datasets that are locked, or not mounted. */
export async function findLocked({ host }: MethodDeps, appId: string, { plan }: FrozenApp): Promise<Withheld> {
  const { directories = [], locations = {} } = plan.apps[appId] ?? {};
  const locked = new Map<string, string>();
  for (const { path, root } of directories) {
    if (root || findOutermostLocation(path, locations) === null) continue;
    const dataset = await findHiddenDataset(host, await lookAtDeclared(host, path, locations));
    if (dataset !== null) locked.set(path, describeHidden(dataset));
  }
  return locked;
}

/** Whether data stays that the answers and secrets fit: the app's own, or what nobody knows for want of a script. */
export function staysData(own: readonly OwnDirectory[], { plan }: FrozenApp, appId: string): boolean {
  if (own.some(({ isMade, stays }) => isMade && stays !== null)) return true;
  const isUnknown = own.length > 0 || plan.apps[appId]?.scriptVersion === "";
  return isUnknown && own.every(({ stays }) => stays !== null);
}
