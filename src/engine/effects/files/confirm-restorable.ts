/** Whether a rollback can and may do what it is to, asked of the host while nothing is changed yet, and before each dataset. */
import { EngineError } from "../../../core/codes/problems.ts";
import type { RestoredDataset, StoredApp } from "../../stored-plan.ts";
import type { EffectDeps } from "../deps.ts";
import { confirmNotSwapped, confirmVersionFits } from "./confirm-not-overtaken.ts";
import { createBlockedError, findHolder, lookAtDeclared, toDeclared } from "./declared-path.ts";
import { findSurroundings } from "./find-surroundings.ts";
import { describeHidden, findHiddenDataset } from "./hidden-dataset.ts";
import type { listMadeDirectories } from "./made-directories.ts";
import { findNotOwn } from "./own-directories.ts";

type Deps = Pick<EffectDeps, "host" | "store" | "catalog">;

/** `made`: by every task, read once since it takes long. */
type Made = ReturnType<typeof listMadeDirectories>;

/**
 * Confirms that the host still has the version a rollback goes back to, or that the app is still at the one that stays.
 * Rejects with `TASK_ROLLBACK_IMPOSSIBLE` or `TASK_ROLLBACK_OVERTAKEN`.
 */
export async function confirmVersion({ host }: Pick<Deps, "host">, app: StoredApp): Promise<void> {
  const { instance, rollback } = app;
  const wanted = rollback?.app?.version;
  const live = await host.app(instance);
  if (wanted === undefined) return confirmVersionFits(app, live);
  if (live === null || live.version === wanted) return;
  if ((await host.rollbackVersions(instance)).includes(wanted)) return;
  throw new EngineError("TASK_ROLLBACK_IMPOSSIBLE", describeNoVersion(wanted, live.version));
}

/** Confirms that every dataset of a rollback can be restored. Rejects as `confirmRestorable`. */
export async function confirmDatasets(deps: Deps, app: StoredApp, made: Made): Promise<void> {
  await confirmNotSwapped(deps, app);
  for (const dataset of app.rollback?.datasets ?? []) await confirmRestorable(deps, app, dataset, made);
}

/** Confirms that a dataset is where it was, nobody else's, and can change places. Rejects with a `HostError`. */
export async function confirmRestorable(
  deps: Deps,
  app: StoredApp,
  { dataset, path, from }: RestoredDataset,
  made: Made,
): Promise<void> {
  const { host } = deps;
  const refuse = (reason: string) => createBlockedError(`"${path}" can't be restored: ${reason}`);
  if (!(await host.renamesDatasets())) throw refuse(NO_RENAMES);
  if ((await host.snapshots(from.dataset, [from.name])).length === 0) throw refuse(NO_SNAPSHOT);
  const look = await lookAtDeclared(host, path, app.locations);
  const hidden = await findHiddenDataset(host, look);
  if (hidden !== null) throw refuse(describeHidden(hidden));
  const found = toDeclared(look);
  if (found === null) throw createBlockedError(`"${path}" does not exist on the host`);
  const holder = await findHolder(host, path, found);
  if (holder.dataset !== dataset || holder.mountpoint !== found.real)
    throw refuse(`"${dataset}" is not mounted there any more`);
  const around = await findSurroundings(deps, app, await host.apps(), made);
  const notOwn = await findNotOwn([path, found.real], app.appId, around);
  if (notOwn !== null) throw refuse(notOwn);
  if (await host.holdsDatasets(dataset)) throw refuse(`other datasets lie in "${dataset}"`);
}

/** Why there is no way back to a version. */
export function describeNoVersion(wanted: string, present: string): string {
  return `the host keeps no version ${wanted} to go back to from ${present}`;
}

/** Why a dataset can't be restored whose snapshot somebody has deleted. */
export const NO_SNAPSHOT = "the host has its snapshot no more";

/** Why no dataset can be restored on a host of an old release. */
export const NO_RENAMES = "this release of the host can't rename datasets";
