import type { EffectHandler } from "../runtime/effect.ts";
import { createAppEffect } from "./app/create-app.ts";
import { endsRefused } from "./app/job-outcome.ts";
import { startAppEffect } from "./app/start-app.ts";
import { snapshotsEffect } from "./app/take-snapshots.ts";
import { updateAppEffect } from "./app/update-app.ts";
import { upgradeAppEffect } from "./app/upgrade-app.ts";
import { waitAppEffect } from "./app/wait-app.ts";
import type { EffectScene } from "./deps.ts";
import { directoriesEffect } from "./files/directories.ts";
import { ownershipEffect } from "./files/ownership.ts";
import { authorizeEffect } from "./hook/authorize.ts";
import { collectInputsEffect } from "./hook/collect-inputs.ts";
import { hookEffects } from "./hook/run-hook.ts";
import { notifyLinkedEffect, waitAppsEffect } from "./link/link.ts";

/** Every effect a machine can name, by its name. */
export function createEffects(scene: EffectScene): Readonly<Record<string, EffectHandler>> {
  const hook = hookEffects(scene);
  return {
    "host.directories": directoriesEffect(scene),
    "host.app.create": endsRefused(createAppEffect(scene)),
    "host.app.wait": waitAppEffect(scene),
    "host.app.start": endsRefused(startAppEffect(scene)),
    "host.app.upgrade": endsRefused(upgradeAppEffect(scene)),
    "host.app.update": endsRefused(updateAppEffect(scene)),
    "host.snapshots": snapshotsEffect(scene),
    "host.ownership": ownershipEffect(scene),
    "host.apps.wait": waitAppsEffect(scene),
    "notify.linked": notifyLinkedEffect(scene),
    "hook.collectInputs": collectInputsEffect(scene),
    "hook.authorize": authorizeEffect(scene),
    "hook.run": hook.run,
    "hook.answer": hook.answer,
  };
}
