import type { EffectHandler } from "../effect.ts";
import { authorizeEffect } from "./authorize.ts";
import { collectInputsEffect } from "./collect-inputs.ts";
import { createAppEffect } from "./create-app.ts";
import { directoriesEffect } from "./directories.ts";
import { notifyLinkedEffect, waitAppsEffect } from "./link.ts";
import { ownershipEffect } from "./ownership.ts";
import { endsRefused } from "./refused.ts";
import { hookEffects } from "./run-hook.ts";
import type { EffectScene } from "./scene.ts";
import { snapshotsEffect } from "./snapshots.ts";
import { startAppEffect } from "./start-app.ts";
import { updateAppEffect } from "./update-app.ts";
import { upgradeAppEffect } from "./upgrade-app.ts";
import { waitAppEffect } from "./wait-app.ts";

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
