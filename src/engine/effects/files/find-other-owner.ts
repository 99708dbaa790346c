import type { Failure } from "../../../core/codes/problems.ts";
import { lacks } from "../../ports/own-host.ts";
import { createFailure } from "../../preflight/fault.ts";
import type { StoredApp } from "../../stored-plan.ts";
import type { EffectDeps } from "../deps.ts";
import { findDeclared } from "./declared-path.ts";
import { findSurroundings } from "./find-surroundings.ts";
import { findNotOwn } from "./own-directories.ts";
import { resolveOwner } from "./owner.ts";

type Deps = Pick<EffectDeps, "host" | "store" | "catalog">;
type App = Pick<StoredApp, "appId" | "instance" | "locations">;

/**
 * Why a directory that is there keeps its owner, ACL and privacy: another app uses it or has data in it, and no task has made
 * it for this app; else null.
 */
export async function findOtherOwner(deps: Deps, app: App, path: string): Promise<string | null> {
  const around = await findSurroundings(deps, app, await deps.host.apps());
  return around.made.get(path) === app.appId ? null : findNotOwn(path, app.appId, around);
}

/** Says that a directory keeps its owner for the reason `findOtherOwner` gives. */
export function describeKeptOwner(path: string, other: string): string {
  return `"${path}" keeps its owner and rights: ${other}`;
}

/** Says the same of its privacy. */
export function describeUnshared(path: string, other: string): string {
  return `"${path}" is not shared on the network: ${other}`;
}

/** What an install would leave out since other apps use directories of its script. Asks only about what is there. */
export async function adviseOnOthers(deps: Deps, app: App & Pick<StoredApp, "directories">): Promise<Failure[]> {
  const { host } = deps;
  const omitted: Failure[] = [];
  for (const { path, root, owner, share } of app.directories) {
    if (root || (owner === undefined && !share)) continue;
    const found = await findDeclared(host, path, app.locations);
    if (found === null) continue;
    const wanted = owner === undefined ? found : await resolveOwner(deps, owner);
    const takesOwner = wanted.uid !== found.uid || wanted.gid !== found.gid;
    const isOpened = share && !lacks(host, "shares") && !(await host.shares()).some((one) => one.path === path);
    const other = takesOwner || isOpened ? await findOtherOwner(deps, app, path) : null;
    if (other === null) continue;
    if (takesOwner) omitted.push(createFailure("HOST_STEP_OMITTED", describeKeptOwner(path, other)));
    if (isOpened) omitted.push(createFailure("HOST_STEP_OMITTED", describeUnshared(path, other)));
  }
  return omitted;
}
