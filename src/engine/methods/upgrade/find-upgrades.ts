import { createClaimHeldError } from "../../../core/codes/common-errors.ts";
import { EngineError } from "../../../core/codes/problems.ts";
import { orderByDependencies } from "../../../core/hooks/dependency-order.ts";
import type { LeftOutApp, UpgradeAllRequest } from "../../api.ts";
import { findApp } from "../../find-app.ts";
import { isHostAway } from "../../host-error.ts";
import type { HostApp } from "../../ports/host-records.ts";
import { findLifecycle } from "../../runtime/claims.ts";
import { listWarnings } from "../../values/value-advice.ts";
import type { MethodDeps } from "../deps.ts";
import { type PreparedUpgrade, prepareUpgrade } from "../request/prepare-upgrade.ts";
import { type FoundUpgrade, findUpgrade, upgradeScript } from "./find-upgrade.ts";

/** One of several upgrades, checked and resolved, not started. */
export interface UpgradeOfMany {
  readonly appId: string;
  readonly found: FoundUpgrade;
  readonly prepared: PreparedUpgrade;
}

/** Upgrades in the order they run, and the apps that have one and can't be upgraded now. */
export interface UpgradesOfMany {
  readonly upgrades: readonly UpgradeOfMany[];
  readonly leftOut: readonly LeftOutApp[];
}

/** Leaves out those on whose app a lifecycle is at work, at this moment: it keeps its app. */
export function leaveOutTaken(store: MethodDeps["store"], { upgrades, leftOut }: UpgradesOfMany): UpgradesOfMany {
  const taken = upgrades.flatMap(({ appId }) => {
    const taskId = findLifecycle(store, appId);
    return taskId === null ? [] : [toLeftOut(appId, createClaimHeldError(taskId, appId))];
  });
  const free = upgrades.filter(({ appId }) => taken.every((one) => one.appId !== appId));
  return { upgrades: free, leftOut: [...leftOut, ...taken] };
}

/**
 * Prepares the upgrades of all installed apps that have one, or of those named, free or not; targets of a pairing come before
 * the apps that link to them. An upgrade whose version is certain to refuse the app's values is left out.
 */
export async function findUpgrades(
  deps: MethodDeps,
  { apps, except = [] }: UpgradeAllRequest,
): Promise<UpgradesOfMany> {
  const installed = await deps.host.apps();
  const offered = apps ?? installed.filter((app) => mayHaveUpgrade(deps, app)).map(({ appId }) => appId);
  const wanted = new Set(offered.filter((appId) => !except.includes(appId)));
  const { declared } = deps.view().index;
  const targetsOf = (appId: string) => (declared.get(appId) ?? []).flatMap(({ targets }) => targets);
  const upgrades: UpgradeOfMany[] = [];
  const leftOut: LeftOutApp[] = [];
  for (const appId of orderByDependencies(wanted, targetsOf)) {
    try {
      const upgrade = await findUpgradeOfMany(deps, appId, findApp(installed, appId) ?? undefined);
      if (upgrade.prepared.isRefused) leftOut.push(toRefused(upgrade));
      else upgrades.push(upgrade);
    } catch (error) {
      if (isHostAway(error)) throw error;
      const reason = explain(deps, appId, error);
      if (reason.code !== "HOST_UPGRADE_NONE") leftOut.push(reason);
    }
  }
  return { upgrades, leftOut };
}

/** What was thrown as the reason to leave an app out. A fault of the engine's own may name secrets: it is logged alone. */
function explain({ logger }: MethodDeps, appId: string, error: unknown): LeftOutApp {
  if (error instanceof EngineError) return toLeftOut(appId, error);
  logger.error({ appId, error }, "an upgrade could not be prepared");
  return { appId, code: "HTTP_INTERNAL", message: `the upgrade of "${appId}" could not be prepared: see the log` };
}

function toLeftOut(appId: string, { code, message }: EngineError): LeftOutApp {
  return { appId, code, message };
}

/** No value is quoted: any of an app's may be a secret. */
function toRefused({ appId, found, prepared }: UpgradeOfMany): LeftOutApp {
  const reasons = listWarnings(prepared.values)
    .map(({ message }) => message)
    .join("; ");
  const message = `${found.versions.to} of "${appId}" does not accept its values: ${reasons}`;
  return { appId, code: "HOST_INVALID", message };
}

/** A custom app's versions are its scripts', which the host knows nothing of. */
export function mayHaveUpgrade({ view }: MethodDeps, { appId, upgradeAvailable }: HostApp): boolean {
  return upgradeAvailable || view().apps.get(appId)?.dictionary?.custom === true;
}

async function findUpgradeOfMany(deps: MethodDeps, appId: string, installed?: HostApp): Promise<UpgradeOfMany> {
  const script = upgradeScript(deps, appId);
  const found = await findUpgrade(deps, script, installed);
  return { appId, found, prepared: await prepareUpgrade(deps, script, {}, async () => found) };
}
