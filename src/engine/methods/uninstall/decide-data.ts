/** What becomes of an app's data where it is to go with the app. */
import { findSurroundings } from "../../effects/files/find-surroundings.ts";
import { describeHidden, findHiddenDataset } from "../../effects/files/hidden-dataset.ts";
import { decideOwnDirectories, type OwnDirectory } from "../../effects/files/own-directories.ts";
import type { HostApp } from "../../ports/host-records.ts";
import type { MethodDeps } from "../deps.ts";
import type { FrozenApp } from "../freeze-installed.ts";

/** Why directories stay that could go otherwise, by path. */
type Withheld = ReadonlyMap<string, string>;

export const NOTHING_WITHHELD: Withheld = new Map();

/** Decides about every directory of an app below a location, declared today or made for it; `apps` may use one. */
export async function decideData(
  deps: MethodDeps,
  appId: string,
  { plan }: FrozenApp,
  apps: readonly HostApp[],
  withheld: Withheld,
): Promise<readonly OwnDirectory[]> {
  const app = plan.apps[appId];
  if (app === undefined) return [];
  return decideOwnDirectories(app.directories, appId, { ...(await findSurroundings(deps, app, apps)), withheld });
}

/** Finds the directories in datasets that are locked, or not mounted. */
export async function findLocked({ host }: MethodDeps, appId: string, { plan }: FrozenApp): Promise<Withheld> {
  const { directories = [], locations = {} } = plan.apps[appId] ?? {};
  const locked = new Map<string, string>();
  for (const { path, root } of directories) {
    const dataset = root ? null : await findHiddenDataset(host, path, locations);
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
