/** Starts the upgrades of several apps as one task. */
import type { PlannedChild } from "../../../../machines/lifecycle/planned-child.ts";
import type { UpgradeAllInput } from "../../../../machines/upgrade-all/types.ts";
import { createClaimHeldError } from "../../../core/codes/common-errors.ts";
import { EngineError } from "../../../core/codes/problems.ts";
import { toJsonObject } from "../../../core/json/json.ts";
import type { LeftOutApp, TaskView, UpgradeAllRequest } from "../../api.ts";
import { createOwnDeed } from "../../audit/deed.ts";
import { toAppClaim } from "../../runtime/claims.ts";
import { keepInputRandoms } from "../../vault/kept-choices.ts";
import { dropOffers } from "../../vault/offers.ts";
import type { ChangeDeps, MethodDeps } from "../deps.ts";
import { joinPlans, listOnce } from "../join-plans.ts";
import { freeClaims } from "../request/request.ts";
import type { UpgradeOfMany, UpgradesOfMany } from "./find-upgrades.ts";

/**
 * The claim of upgrades of several apps: one such task is at work at a time, while others may wait for a person, each with
 * its apps. Throws `TASK_CONFLICT` while one is at work.
 */
export function findFreeClaim({ store }: Pick<MethodDeps, "store">): string {
  for (let number = 1; ; number += 1) {
    const claim = `upgrade-all:${number}`;
    const taskId = store.holder(claim);
    if (taskId === null) return claim;
    if (store.busy(taskId)) throw createClaimHeldError(taskId, "the upgrades of all apps");
  }
}

/**
 * Starts upgrades whose apps are free, at once; `marks` of the task come before those of what was left out. Throws as
 * `findFreeClaim` does, and `HOST_UPGRADE_NONE` where there are none.
 */
export function startUpgrades(
  deps: ChangeDeps,
  { upgrades, leftOut }: UpgradesOfMany,
  { stopOnFailure, marks = [] }: Pick<UpgradeAllRequest, "stopOnFailure"> & { readonly marks?: readonly string[] },
): TaskView {
  if (upgrades.length === 0) throw createNoneError(leftOut);
  const claim = findFreeClaim(deps);
  const apps = upgrades.map(({ appId }) => appId);
  for (const { appId, prepared } of upgrades) keepInputRandoms(deps, appId, prepared.randoms);
  freeClaims(deps, apps.map(toAppClaim));
  putFailedAway(deps, apps);
  const input: UpgradeAllInput = {
    appId: "",
    title: "Upgrade all apps",
    children: upgrades.map(planUpgradeChild),
    marks: [...marks, ...leftOut.map(({ message }) => `leftOut: ${message}`)],
    ...(stopOnFailure === true && { stopsOnFailure: true }),
  };
  const task = deps.runtime.start(
    {
      machine: "upgrade-all",
      input: toJsonObject(input),
      kind: "upgrade-all",
      appId: "",
      claim,
      plan: toJsonObject(joinPlans(upgrades.map(({ prepared }) => prepared.plan))),
      scripts: listOnce(upgrades.flatMap(({ prepared }) => prepared.scripts)),
    },
    deps.deed,
  );
  dropOffers(deps, apps);
  return task;
}

/** What failed of earlier such tasks asks nobody any more: else a schedule would leave a failed upgrade each night. */
function putFailedAway({ store, runtime }: MethodDeps, apps: readonly string[]): void {
  for (const { id, kind, parent, appId, facts } of store.unfinished()) {
    if (kind !== "upgrade" || parent === null || facts.state !== "FAILED" || !apps.includes(appId)) continue;
    runtime.send(id, { type: "user.dismiss" }, { deed: createOwnDeed("dismiss") });
  }
}

/** Nothing can be upgraded: there is nothing newer, or what there is was left out. */
export function createNoneError(leftOut: readonly LeftOutApp[]): EngineError {
  const why = leftOut.map(({ message }) => message).join("; ");
  const message = why === "" ? "no installed app has an upgrade" : `no app can be upgraded now: ${why}`;
  return new EngineError("HOST_UPGRADE_NONE", message);
}

function planUpgradeChild({ appId, prepared }: UpgradeOfMany): PlannedChild {
  return {
    id: appId,
    phase: "upgrade",
    machine: "upgrade",
    kind: "upgrade",
    appId,
    claim: toAppClaim(appId),
    input: toJsonObject({ ...prepared.input, waitsForTurn: true }),
  };
}
