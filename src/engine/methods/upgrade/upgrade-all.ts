import type { PlannedChild } from "../../../../machines/lifecycle/planned-child.ts";
import type { UpgradeAllInput } from "../../../../machines/upgrade-all/types.ts";
import { createClaimHeldError } from "../../../core/codes/common-errors.ts";
import { EngineError } from "../../../core/codes/problems.ts";
import { toJsonObject } from "../../../core/json/json.ts";
import type { LeftOutApp, TaskView, UpgradeAllPreview, UpgradeAllRequest } from "../../api.ts";
import { findLifecycle, toAppClaim } from "../../runtime/claims.ts";
import type { StoredPlan } from "../../stored-plan.ts";
import { keepInputRandoms } from "../../vault/kept-choices.ts";
import { dropOffers } from "../../vault/offers.ts";
import type { ChangeDeps, MethodDeps } from "../deps.ts";
import { freeClaims } from "../request/request.ts";
import { findUpgrades, type UpgradeOfMany } from "./find-upgrades.ts";

/** Held by upgrades of several apps: one such task is at work at a time. */
const CLAIM = "upgrade-all";

/**
 * Starts the upgrades of several apps, one after another, each to its newest version. Apps at which another task is at
 * work, and those whose upgrade would be refused, are left out with a mark; `marks` are further ones. Throws `HOST_UPGRADE_NONE` where none is left.
 */
export async function upgradeAll(
  deps: ChangeDeps,
  request: UpgradeAllRequest,
  marks: readonly string[] = [],
): Promise<TaskView> {
  refuseSecond(deps);
  const { upgrades, leftOut } = await findUpgrades(deps, request);
  // Asked again: another lifecycle may have begun meanwhile, and keeps its app.
  const free = upgrades.filter(({ appId }) => findLifecycle(deps.store, appId) === null);
  if (free.length === 0) throw createNoneError(leftOut);
  refuseSecond(deps);
  for (const { appId, prepared } of free) keepInputRandoms(deps, appId, prepared.randoms);
  freeClaims(
    deps,
    free.map(({ appId }) => toAppClaim(appId)),
  );
  const input: UpgradeAllInput = {
    appId: "",
    title: "Upgrade all apps",
    children: free.map(planUpgradeChild),
    marks: [...marks, ...leftOut.map(({ message }) => `leftOut: ${message}`)],
    ...(request.stopOnFailure === true && { stopsOnFailure: true }),
  };
  const task = deps.runtime.start(
    {
      machine: "upgrade-all",
      input: toJsonObject(input),
      kind: "upgrade-all",
      appId: "",
      claim: CLAIM,
      plan: toJsonObject(joinPlans(free)),
      scripts: [...new Map(free.flatMap(({ prepared }) => prepared.scripts).map((one) => [one.sha256, one])).values()],
    },
    deps.deed,
  );
  dropOffers(
    deps,
    free.map(({ appId }) => appId),
  );
  return task;
}

/** The upgrades of several apps in their order, and the apps that would be left out; nothing is changed. */
export async function previewUpgradeAll(deps: MethodDeps, request: UpgradeAllRequest): Promise<UpgradeAllPreview> {
  const { upgrades, leftOut } = await findUpgrades(deps, request);
  return {
    upgrades: upgrades.map(({ appId, found, prepared }) => ({
      appId,
      name: prepared.input.title,
      ...found.versions,
    })),
    leftOut,
  };
}

function refuseSecond({ store }: MethodDeps): void {
  const taskId = store.holder(CLAIM);
  if (taskId !== null) throw createClaimHeldError(taskId, "the upgrades of all apps");
}

function createNoneError(leftOut: readonly LeftOutApp[]): EngineError {
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

function joinPlans(upgrades: readonly UpgradeOfMany[]): StoredPlan {
  const plans = upgrades.map(({ prepared }) => prepared.plan);
  return {
    format: 1,
    apps: Object.assign({}, ...plans.map(({ apps }) => apps)),
    hooks: Object.assign({}, ...plans.map(({ hooks }) => hooks)),
    secrets: [...new Set(plans.flatMap(({ secrets }) => secrets))],
  };
}
