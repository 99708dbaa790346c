/** Whether an app's directories are what they are to be, asked immediately before its containers get them. */
import { HostError } from "../../host-error.ts";
import type { StoredApp } from "../../stored-plan.ts";
import { readSetAside } from "../../vault/restore-points.ts";
import type { EffectDeps } from "../deps.ts";
import { findDeclared } from "./declared-path.ts";

type Deps = Pick<EffectDeps, "host" | "store">;

/** Rejects as `findDeclared` and `confirmDataInPlace` do where one of an app's directories is not what it names. */
export async function confirmDirectories(
  deps: Deps,
  app: Pick<StoredApp, "appId" | "directories" | "locations">,
): Promise<void> {
  for (const { path } of app.directories) await findDeclared(deps.host, path, app.locations);
  await confirmDataInPlace(deps, app);
}

/**
 * Confirms that no rollback that ended half way has left a dataset of an app put aside, and nothing in its place. Rejects
 * with `HOST_DATASET_ASIDE`.
 */
export async function confirmDataInPlace({ host, store }: Deps, { appId }: Pick<StoredApp, "appId">): Promise<void> {
  for (const [dataset, [aside]] of Object.entries(readSetAside(store, appId))) {
    if (aside === undefined || (await host.dataset(dataset)) !== null || (await host.dataset(aside)) === null) continue;
    const reason = `a rollback of "${appId}" has put the dataset "${dataset}" aside as "${aside}", and nothing is in its place`;
    throw new HostError({ code: "HOST_DATASET_ASIDE", reason, fields: [], retryable: true }, "yes");
  }
}
