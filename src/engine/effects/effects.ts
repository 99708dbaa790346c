import { keepLeftApp } from "../drift/left-app.ts";
import type { EffectHandler } from "../runtime/effect.ts";
import { adoptAppEffect } from "./app/adopt-app.ts";
import { createAppEffect } from "./app/create-app.ts";
import { deleteAppEffect } from "./app/delete-app.ts";
import { endWhenRefused } from "./app/job-outcome.ts";
import { noteChange } from "./app/note-change.ts";
import { revertAppEffect } from "./app/revert-app.ts";
import { startAppEffect, stopAppEffect } from "./app/switch-app.ts";
import { createSnapshotsEffect } from "./app/take-snapshots.ts";
import { updateAppEffect } from "./app/update-app.ts";
import { upgradeAppEffect } from "./app/upgrade-app.ts";
import { waitAppEffect, waitStoppedEffect } from "./app/wait-app.ts";
import type { EffectDeps } from "./deps.ts";
import { createDirectoriesEffect } from "./files/directories.ts";
import { OwnershipQueue } from "./files/owner.ts";
import { createOwnershipEffect } from "./files/ownership.ts";
import { removeDirectoriesEffect } from "./files/remove-directories.ts";
import { restoreDatasetsEffect } from "./files/restore-datasets.ts";
import { authorizeEffect } from "./hook/authorize.ts";
import { collectInputsEffect } from "./hook/collect-inputs.ts";
import { judgeEffect } from "./hook/judge.ts";
import { hookEffects } from "./hook/run-hook.ts";
import { keepPoliciesEffect } from "./keep-policies.ts";
import { notifyLinkedEffect, waitAppsEffect } from "./link/link.ts";

/** Every effect a machine can name, by its name; made once for a host. */
export function createEffects(deps: EffectDeps): Readonly<Record<string, EffectHandler>> {
  const hook = hookEffects(deps);
  const ownership = new OwnershipQueue();
  const { store } = deps;
  const noted = { store, beforeChange: (appId: string, taskId: string) => keepLeftApp(store, appId, taskId) };
  const changesApp = (handler: EffectHandler) => noteChange(noted, endWhenRefused(handler));
  return {
    "host.directories": createDirectoriesEffect(deps, ownership),
    "host.app.create": changesApp(createAppEffect(deps)),
    "host.app.wait": waitAppEffect(deps),
    "host.app.waitStopped": waitStoppedEffect(deps),
    "host.app.start": endWhenRefused(startAppEffect(deps)),
    "host.app.stop": endWhenRefused(stopAppEffect(deps)),
    "host.app.upgrade": changesApp(upgradeAppEffect(deps)),
    "host.app.update": changesApp(updateAppEffect(deps)),
    "host.app.rollback": changesApp(revertAppEffect(deps)),
    "host.app.adopt": changesApp(adoptAppEffect(deps)),
    "host.app.delete": changesApp(deleteAppEffect(deps)),
    "host.directories.remove": removeDirectoriesEffect(deps),
    "host.datasets.restore": noteChange(noted, restoreDatasetsEffect(deps)),
    "host.snapshots": createSnapshotsEffect(deps),
    "host.ownership": createOwnershipEffect(deps, ownership),
    "host.apps.wait": waitAppsEffect(deps),
    "notify.linked": notifyLinkedEffect(deps),
    "policies.keep": keepPoliciesEffect(deps),
    "hook.judge": judgeEffect(deps),
    "hook.collectInputs": collectInputsEffect(deps),
    "hook.authorize": authorizeEffect(deps),
    "hook.run": hook.run,
    "hook.answer": hook.answer,
  };
}
