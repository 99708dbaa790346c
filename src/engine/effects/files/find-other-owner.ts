import type { Failure } from "../../../core/codes/problems.ts";
import { isHostRefusal } from "../../host-error.ts";
import { lacks } from "../../ports/own-host.ts";
import { createFailure } from "../../preflight/fault.ts";
import type { StoredApp } from "../../stored-plan.ts";
import type { EffectDeps } from "../deps.ts";
import { isHostSilent } from "../retry.ts";
import { findDeclared } from "./declared-path.ts";
import { findSurroundings } from "./find-surroundings.ts";
import { listMadeDirectories } from "./made-directories.ts";
import { findNotOwn } from "./own-directories.ts";
import { resolveOwner } from "./owner.ts";

type Deps = Pick<EffectDeps, "host" | "store" | "catalog">;
type App = Pick<StoredApp, "appId" | "instance" | "locations">;

/** A directory by the name the script gives it, and by the one it has with all links resolved. */
interface Directory {
  readonly path: string;
  readonly real: string;
}

/**
 * Why a directory that is there keeps its owner, ACL and privacy: another app uses it or has data in it, and no task has made
 * it for this app; else null. What other apps use may be refused: then it is not known that none does.
 */
export async function findOtherOwner(deps: Deps, app: App, directory: Directory): Promise<string | null> {
  const [other = null] = await findOtherOwners(deps, app, [directory]);
  return other;
}

async function findOtherOwners(
  deps: Deps,
  app: App,
  directories: readonly Directory[],
): Promise<readonly (string | null)[]> {
  const made = listMadeDirectories(deps.store);
  const around = await deps.host
    .apps()
    .then((apps) => findSurroundings(deps, app, apps, made))
    .catch((error: unknown) => {
      if (isHostSilent(error) || !isHostRefusal(error)) throw error;
      return error.message;
    });
  const found: (string | null)[] = [];
  for (const { path, real } of directories) {
    if (made.get(path) === app.appId) found.push(null);
    else if (typeof around === "string") found.push(`the host does not tell what other apps use: ${around}`);
    else found.push(await findNotOwn([path, real], app.appId, around));
  }
  return found;
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
  const asked: (Directory & { readonly takesOwner: boolean; readonly isOpened: boolean })[] = [];
  for (const { path, root, owner, share } of app.directories) {
    if (root || (owner === undefined && !share)) continue;
    const found = await findDeclared(host, path, app.locations);
    if (found === null) continue;
    const wanted = owner === undefined ? found : await resolveOwner(deps, owner);
    const takesOwner = wanted.uid !== found.uid || wanted.gid !== found.gid;
    const isOpened = share && !lacks(host, "shares") && !(await host.shares()).some((one) => one.path === path);
    if (takesOwner || isOpened) asked.push({ path, real: found.real, takesOwner, isOpened });
  }
  if (asked.length === 0) return [];
  const others = await findOtherOwners(deps, app, asked);
  return asked.flatMap(({ path, takesOwner, isOpened }, at) => {
    const other = others[at] ?? null;
    if (other === null) return [];
    const omitted = [
      ...(takesOwner ? [describeKeptOwner(path, other)] : []),
      ...(isOpened ? [describeUnshared(path, other)] : []),
    ];
    return omitted.map((message) => createFailure("HOST_STEP_OMITTED", message));
  });
}
