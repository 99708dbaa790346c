import type { TaskView, UpgradeAllPreview, UpgradeAllRequest } from "../../api.ts";
import { nameApp } from "../../surfaces/name-apps.ts";
import type { ChangeDeps, MethodDeps } from "../deps.ts";
import { findUpgrades, leaveOutTaken } from "./find-upgrades.ts";
import { findFreeClaim, startUpgrades } from "./start-upgrades.ts";

/**
 * Starts the upgrades of several apps, one after another, each to its newest version. Apps at which another task is at
 * work, and those whose upgrade would be refused, are left out with a mark. Throws as `startUpgrades` does.
 */
export async function upgradeAll(deps: ChangeDeps, request: UpgradeAllRequest): Promise<TaskView> {
  findFreeClaim(deps);
  const found = await findUpgrades(deps, request);
  return startUpgrades(deps, leaveOutTaken(deps.store, found), request);
}

/** The upgrades of several apps in their order, and the apps that would be left out; nothing is changed. */
export async function previewUpgradeAll(deps: MethodDeps, request: UpgradeAllRequest): Promise<UpgradeAllPreview> {
  const { upgrades, leftOut } = leaveOutTaken(deps.store, await findUpgrades(deps, request));
  return {
    upgrades: upgrades.map(({ appId, found, prepared }) => ({
      appId,
      name: prepared.input.title,
      ...found.versions,
    })),
    leftOut: leftOut.map((one) => nameApp(one, deps.nameOf)),
  };
}
