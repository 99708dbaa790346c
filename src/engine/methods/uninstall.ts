import type { UninstallInput } from "../../../machines/uninstall/types.ts";
import { toJsonObject } from "../../core/json/json.ts";
import type { TaskView, UninstallPreview, UninstallRequest } from "../api.ts";
import { type AppPaths, listAppPaths } from "../effects/files/app-paths.ts";
import { listMadeDirectories } from "../effects/files/made-directories.ts";
import { decideOwnDirectories, type OwnDirectory } from "../effects/files/own-directories.ts";
import { listPlannedPaths } from "../effects/files/planned-paths.ts";
import { toAppClaim } from "../runtime/claims.ts";
import { listPairingStatuses } from "../surfaces/pairings.ts";
import { readKeptChoices } from "../vault/kept-choices.ts";
import type { ChangeDeps, MethodDeps } from "./deps.ts";
import { type FrozenApp, freezeInstalled } from "./freeze-installed.ts";
import { freeClaims, refuseConflict } from "./request/request.ts";

/**
 * Starts the uninstall of an app, whether the catalog has a script of it or not; its data is kept unless the request says
 * otherwise. Throws as `switchApp` does.
 */
export async function uninstall(deps: ChangeDeps, appId: string, request: UninstallRequest): Promise<TaskView> {
  refuseConflict(deps, appId);
  const apps = await deps.host.apps();
  const frozen = await freezeInstalled(deps, appId, apps);
  const own = request.keepData === false ? listOwn(deps, appId, frozen, await listAppPaths(deps.host, apps)) : null;
  const input: UninstallInput = {
    appId,
    title: frozen.title,
    marks: [],
    ...(own !== null && { removes: own.filter(({ stays }) => stays === null).map(({ path }) => path) }),
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
  const own = listOwn(deps, appId, frozen, keepData ? [] : await listAppPaths(deps.host, apps));
  const installed = new Set(apps.map((app) => app.appId));
  const links = await listPairingStatuses(appId, deps.view(), deps.labels, (id) => installed.has(id), deps.store);
  const isKnown = readKeptChoices(deps, appId) !== null;
  return {
    appId,
    name: frozen.title,
    keepData,
    directories: own.map(({ path, stays }) => ({
      path,
      fate: keepData || stays !== null ? "kept" : "removed",
      ...(!keepData && stays !== null && { reason: stays }),
    })),
    removesVolumes: !keepData,
    answers: isKnown ? (keepData || staysData(own, frozen, appId) ? "kept" : "forgotten") : "none",
    links: links.filter(({ status }) => status === "connected"),
  };
}

function listOwn(
  { store }: MethodDeps,
  appId: string,
  { plan }: FrozenApp,
  apps: readonly AppPaths[],
): readonly OwnDirectory[] {
  const app = plan.apps[appId];
  if (app === undefined) return [];
  const others = apps.filter(({ name }) => name !== app.instance);
  const { directories, locations } = app;
  return decideOwnDirectories(directories, appId, {
    locations: Object.values(locations),
    apps: [...others, ...listPlannedPaths(store, appId)],
    made: listMadeDirectories(store),
  });
}

/** Whether data stays that the answers and secrets fit: the app's own, or what nobody knows for want of a script. */
function staysData(own: readonly OwnDirectory[], { plan }: FrozenApp, appId: string): boolean {
  if (own.some(({ isMade, stays }) => isMade && stays !== null)) return true;
  const isUnknown = own.length > 0 || plan.apps[appId]?.scriptVersion === "";
  return isUnknown && own.every(({ stays }) => stays !== null);
}
