import { HostError } from "../../host-error.ts";
import { readApp, readRollback } from "../../read-plan.ts";
import { passCrashPoint } from "../../runtime/crash-points.ts";
import type { EffectHandler, EffectRun } from "../../runtime/effect.ts";
import { noteUndone } from "../../runtime/installations.ts";
import type { RestoredDataset, StoredApp } from "../../stored-plan.ts";
import { keepSetAside } from "../../vault/restore-points.ts";
import { readTextParam } from "../app/params.ts";
import type { EffectDeps } from "../deps.ts";
import { toHostFailure } from "../failures.ts";
import { retryWhileUnreachable } from "../retry.ts";
import { listAppPaths } from "./app-paths.ts";
import { findDeclared, findDeclaredDataset } from "./declared-path.ts";
import { listMadeDirectories } from "./made-directories.ts";
import { explainNotOwn } from "./own-directories.ts";
import { listPlannedPaths } from "./planned-paths.ts";

/**
 * `host.datasets.restore {appId}` -> `host.done {restored, setAside}` or `host.failed`: a clone of each snapshot takes its
 * dataset's place, which is put aside with all that was there. Going back in place would destroy every newer snapshot,
 * that of the present too.
 */
export function restoreDatasetsEffect(deps: EffectDeps): EffectHandler {
  return {
    class: "idempotent",
    async perform(params, run) {
      const app = readApp(deps.store, run.rootId, readTextParam(params, "appId"));
      const { datasets, stamp, since } = readRollback(deps.store, run.rootId, params);
      const work: { restored: string[]; setAside: string[] } = { restored: [], setAside: [] };
      try {
        for (const restored of datasets) {
          const swap = { ...restored, ...nameSwap(restored.dataset, stamp) };
          await putInPlace(deps, run, app, swap);
          work.restored.push(restored.path);
          work.setAside.push(swap.aside);
          noteUndone(deps.store, app.appId, { from: since, until: run.intendedAt });
        }
        return { type: "host.done", ...work };
      } catch (error) {
        const failure = toHostFailure(error);
        return { type: "host.failed", failure, ...work, ...(work.restored.length > 0 && { done: true }) };
      }
    },
  };
}

/** The names a rollback gives the clone until it is in its place, and the dataset that was there before. */
export function nameSwap(dataset: string, stamp: string): { readonly clone: string; readonly aside: string } {
  return { clone: `${dataset}-restored-${stamp}`, aside: `${dataset}-before-${stamp}` };
}

interface Swap extends RestoredDataset {
  readonly clone: string;
  readonly aside: string;
}

/** Takes one step after the other, each decided by what the host has now: a step whose answer was lost is not repeated. */
async function putInPlace(deps: EffectDeps, run: EffectRun, app: StoredApp, swap: Swap): Promise<void> {
  for (;;) {
    run.signal.throwIfAborted();
    const step = await retryWhileUnreachable(deps, run, () => findNextStep(deps, app, swap));
    if (step === null) return;
    try {
      await step();
      passCrashPoint("afterEffectSent");
    } catch (error) {
      if (!(error instanceof HostError) || error.delivery !== "unknown") throw error;
    }
  }
}

/** null: the clone is in its place, and owns the snapshots up to the one it comes from. */
async function findNextStep(deps: EffectDeps, app: StoredApp, swap: Swap): Promise<(() => Promise<void>) | null> {
  const { host, store } = deps;
  const { dataset, clone, aside, from } = swap;
  const hasClone = (await host.dataset(clone)) !== null;
  await confirmStopped(deps, app);
  if ((await host.dataset(aside)) === null) {
    await confirmOwn(deps, app, swap);
    if (!hasClone) return () => host.cloneSnapshot(from.dataset, from.name, clone);
    // Noted first: the snapshots that go along are found there.
    keepSetAside(store, app.appId, dataset, aside);
    return () => host.renameDataset(dataset, aside);
  }
  if (hasClone) return () => host.renameDataset(clone, dataset);
  const restored = await host.dataset(dataset);
  if (restored === null) throw createBlockedError(`"${dataset}" and its clone have gone; what was there is "${aside}"`);
  return restored.origin === undefined ? null : () => host.promoteDataset(dataset);
}

/** Nothing may write to a dataset that changes places, also where the app was started since by other means. */
async function confirmStopped({ host }: EffectDeps, { instance }: StoredApp): Promise<void> {
  const live = await host.app(instance);
  if (live === null || live.state === "STOPPED") return;
  throw createBlockedError(`"${instance}" is ${live.state}: stop it, then retry`);
}

/** Looks once more immediately before: the dataset must be where it was, and nobody else's. Rejects with a `HostError`. */
async function confirmOwn({ host, store }: EffectDeps, app: StoredApp, { dataset, path }: Swap): Promise<void> {
  const found = await findDeclared(host, path, app.locations);
  const holder = await findDeclaredDataset(host, path, app.locations);
  const others = (await host.apps()).filter(({ name }) => name !== app.instance);
  const apps = [...(await listAppPaths(host, others)), ...listPlannedPaths(store, app.appId)];
  const around = { locations: Object.values(app.locations), apps, made: listMadeDirectories(store) };
  const isSame = holder.dataset === dataset && holder.mountpoint === found?.realpath;
  const reason = isSame ? explainNotOwn(path, app.appId, around) : `"${dataset}" is not mounted there any more`;
  if (reason === null && !(await host.holdsDatasets(dataset))) return;
  throw createBlockedError(`"${path}" can't be restored: ${reason ?? `other datasets lie in "${dataset}"`}`);
}

function createBlockedError(reason: string): HostError {
  return new HostError({ code: "HOST_DIRECTORY_BLOCKED", reason, fields: [], retryable: true }, "yes");
}
