/** What going back to a snapshot brings back, and what stays as it is and why. */
import { isEqual } from "../../../core/json/is-equal.ts";
import { hasSections } from "../../../core/plan/values/merge-values.ts";
import { describeNoVersion } from "../../effects/files/confirm-restorable.ts";
import { findApp } from "../../find-app.ts";
import type { FormerApp, RestoredDataset } from "../../stored-plan.ts";
import { readChoices } from "../../vault/restore-points.ts";
import type { MethodDeps } from "../deps.ts";
import type { FrozenApp } from "../freeze-installed.ts";
import { createNotInstalledError } from "../host-side.ts";
import { decideDatasets, type KeptDataset } from "./decide-datasets.ts";
import type { Found } from "./find-snapshots.ts";

/** What a rollback would do. */
export interface Decided {
  /** The version it is at now, as the host tells it. */
  readonly version: string;
  /** Absent where version and values stay. */
  readonly app?: FormerApp;
  readonly restored: readonly RestoredDataset[];
  readonly kept: readonly KeptDataset[];
  /** Why there is no way back; null: there is. */
  readonly impossible: string | null;
}

/** Decides what of a snapshot can be brought back. Throws `TASK_APP_NOT_INSTALLED`. */
export async function decideRollback(
  deps: MethodDeps,
  appId: string,
  frozen: FrozenApp,
  found: Found,
): Promise<Decided> {
  const live = findApp(await deps.host.apps(), appId);
  if (live === null) throw createNotInstalledError(appId);
  const { restored, kept, locked } = await decideDatasets(deps, frozen, live, found);
  const datasets = { version: live.version, restored, kept };
  if (locked !== null) return { ...datasets, impossible: locked };
  const { point } = found;
  const nothing = restored.length === 0 ? describeNothing(kept) : null;
  if (point === null) return { ...datasets, impossible: nothing };
  const { version, values, choices } = point;
  const former = { version, from: live.version, values, choices };
  if (live.version !== version) {
    const offered = await deps.host.rollbackVersions(live.name);
    const gone = offered.includes(version) ? null : describeNoVersion(version, live.version);
    return { ...datasets, app: former, impossible: gone };
  }
  const isSame = isEqual(readChoices(deps.store, appId), choices);
  if (isSame && hasSections(await deps.host.appConfig(live.name), values)) return { ...datasets, impossible: nothing };
  return { ...datasets, app: former, impossible: null };
}

function describeNothing(kept: readonly KeptDataset[]): string {
  const reasons = kept.map(({ paths, reason }) => `"${paths.join('", "')}": ${reason}`);
  return ["version and options are as they were then", ...reasons].join("; ");
}
