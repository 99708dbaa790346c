import type { UninstallInput } from "../../../../machines/uninstall/types.ts";
import { EngineError } from "../../../core/codes/problems.ts";
import { toJsonObject } from "../../../core/json/json.ts";
import type { TaskView, UninstallPreview, UninstallRequest } from "../../api.ts";
import type { OwnDirectory } from "../../effects/files/own-directories.ts";
import { toAppClaim } from "../../runtime/claims.ts";
import { listPairingStatuses } from "../../surfaces/pairings.ts";
import { readKeptChoices } from "../../vault/kept-choices.ts";
import type { ChangeDeps, MethodDeps } from "../deps.ts";
import { type FrozenApp, freezeInstalled } from "../freeze-installed.ts";
import { freeClaims, refuseConflict } from "../request/request.ts";
import { decideData, findLocked, NOTHING_WITHHELD, staysData } from "./decide-data.ts";
import { listLeftShares } from "./left-shares.ts";

/**
 * Starts the uninstall of an app, whether the catalog has a script of it or not; its data is kept unless the request says
 * otherwise. Throws as `switchApp` does, and `TASK_UNINSTALL_STALE` where more would be removed than the request names.
 */
export async function uninstall(deps: ChangeDeps, appId: string, request: UninstallRequest): Promise<TaskView> {
  refuseConflict(deps, appId);
  const apps = await deps.host.apps();
  const frozen = await freezeInstalled(deps, appId, apps);
  const { keepData = true, removes } = request;
  // Where nobody names what was shown, the removal itself finds out what is locked, and says so.
  const locked = keepData || removes === undefined ? NOTHING_WITHHELD : await findLocked(deps, appId, frozen);
  const own = keepData ? null : await decideData(deps, appId, frozen, apps, locked);
  if (own !== null && removes !== undefined) refuseUnshown(appId, own, removes, frozen.mask);
  const removed = own === null ? [] : listRemoved(own);
  const shares = await listLeftShares(deps, frozen.plan.apps[appId]?.directories ?? [], removed);
  const input: UninstallInput = {
    appId,
    title: frozen.title,
    marks: [
      ...(own ?? []).flatMap(({ path, stays }) => (stays === null ? [] : [`kept: ${path}: ${stays}`])),
      // Of the others the removal tells, once it has removed what they lead to.
      ...shares.flatMap(({ name, leadsTo }) => (leadsTo === "data" ? [`shareKept: ${name}`] : [])),
    ],
    ...(own !== null && { removes: removed }),
    ...(own !== null && staysData(own, frozen, appId) && { keepsAnswers: true }),
  };
  freeClaims(deps, [toAppClaim(appId)]);
  return deps.runtime.start(
    {
      machine: "uninstall",
      input: toJsonObject(input),
      kind: "uninstall",
      appId,
      claim: toAppClaim(appId),
      plan: toJsonObject(frozen.plan),
    },
    deps.deed,
  );
}

/** Says what an uninstall would remove, keep and forget. Throws as `uninstall` does, except for a running task. */
export async function previewUninstall(
  deps: MethodDeps,
  appId: string,
  request: UninstallRequest,
): Promise<UninstallPreview> {
  const apps = await deps.host.apps();
  const frozen = await freezeInstalled(deps, appId, apps);
  const keepData = request.keepData !== false;
  const locked = keepData ? NOTHING_WITHHELD : await findLocked(deps, appId, frozen);
  const own = await decideData(deps, appId, frozen, keepData ? [] : apps, locked);
  const installed = new Set(apps.map((app) => app.appId));
  const shares = await listLeftShares(
    deps,
    frozen.plan.apps[appId]?.directories ?? [],
    keepData ? [] : listRemoved(own),
  );
  const links = await listPairingStatuses(appId, deps.view(), deps.labels, (id) => installed.has(id), deps.store);
  const isKnown = readKeptChoices(deps, appId) !== null;
  return {
    appId,
    name: frozen.title,
    keepData,
    directories: own.map(({ path, stays }) => ({
      path: frozen.mask(path),
      fate: keepData || stays !== null ? "kept" : "removed",
      ...(!keepData && stays !== null && { reason: frozen.mask(stays) }),
    })),
    shares: shares.map(({ name, path, leadsTo }) => ({ name: frozen.mask(name), path: frozen.mask(path), leadsTo })),
    removesVolumes: !keepData,
    answers: isKnown ? (keepData || staysData(own, frozen, appId) ? "kept" : "forgotten") : "none",
    links: links.filter(({ status }) => status === "connected"),
  };
}

function listRemoved(own: readonly OwnDirectory[]): string[] {
  return own.flatMap(({ path, stays }) => (stays === null ? [path] : []));
}

/** What a person has agreed to is what was shown: a newer script, or a dataset that was unlocked, may add to it. */
function refuseUnshown(
  appId: string,
  own: readonly OwnDirectory[],
  shown: readonly string[],
  mask: FrozenApp["mask"],
): void {
  const left = [...shown];
  const paths: string[] = [];
  for (const path of listRemoved(own)) {
    // Two paths may look the same where their secrets are masked: each was shown for one.
    const at = left.findIndex((one) => one === path || one === mask(path));
    if (at === -1) paths.push(mask(path));
    else left.splice(at, 1);
  }
  if (paths.length === 0) return;
  const message = `the uninstall of "${appId}" would remove more than was shown: "${paths.join('", "')}"`;
  throw new EngineError("TASK_UNINSTALL_STALE", message, { appId, paths });
}
