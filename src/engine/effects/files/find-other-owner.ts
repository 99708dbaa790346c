import type { StoredApp } from "../../stored-plan.ts";
import type { EffectDeps } from "../deps.ts";
import { findSurroundings } from "./find-surroundings.ts";
import { findNotOwn } from "./own-directories.ts";

/**
 * Why a directory that is there keeps its owner, ACL and privacy: another app uses it or has data in it, and no task has made
 * it for this app; else null.
 */
export async function findOtherOwner(
  deps: Pick<EffectDeps, "host" | "store" | "catalog">,
  app: Pick<StoredApp, "appId" | "instance" | "locations">,
  path: string,
): Promise<string | null> {
  const around = await findSurroundings(deps, app, await deps.host.apps());
  return around.made.get(path) === app.appId ? null : findNotOwn(path, app.appId, around);
}
