/** Whether an app still is what a rollback was asked for: an older database, and the host's own page, know nothing of each other. */
import { HostError } from "../../host-error.ts";
import type { HostApp } from "../../ports/host-records.ts";
import type { StoredApp } from "../../stored-plan.ts";
import { readSetAside } from "../../vault/restore-points.ts";
import type { EffectDeps } from "../deps.ts";
import { nameSwap } from "./name-swap.ts";

/**
 * Confirms that nobody has put a dataset aside for this rollback but as this database has noted it: each is noted before,
 * so that the other one was in the time an older copy of the database lacks. Rejects with `TASK_ROLLBACK_OVERTAKEN`.
 */
export async function confirmNotSwapped(
  { host, store }: Pick<EffectDeps, "host" | "store">,
  { appId, rollback }: StoredApp,
): Promise<void> {
  if (rollback === undefined) return;
  for (const { dataset } of rollback.datasets) {
    const { aside } = nameSwap(dataset, rollback.stamp);
    if (readSetAside(store, appId)[dataset]?.includes(aside) || (await host.dataset(aside)) === null) continue;
    throw createOvertakenError(`"${dataset}" was put aside as "${aside}" after this copy of the database was made`);
  }
}

/** Confirms that an app, as the host shows it, is at the version its older data fits. Throws `TASK_ROLLBACK_OVERTAKEN`. */
export function confirmVersionFits({ instance, rollback }: StoredApp, live: HostApp | null): void {
  const wanted = rollback?.version;
  if (wanted === undefined || live === null || live.version === wanted) return;
  throw createOvertakenError(`"${instance}" is at version ${live.version}, and its data would go back to ${wanted}`);
}

function createOvertakenError(reason: string): HostError {
  return new HostError({ code: "TASK_ROLLBACK_OVERTAKEN", reason, fields: [], retryable: false }, "yes");
}
