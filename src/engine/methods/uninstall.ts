import type { UninstallInput } from "../../../machines/uninstall/types.ts";
import { toJsonObject } from "../../core/json/json.ts";
import { LIFECYCLES } from "../../core/task/task-facts.ts";
import type { TaskView, UninstallPreview, UninstallRequest } from "../api.ts";
import { decideOwnDirectories, type OwnDirectory } from "../effects/files/own-directories.ts";
import type { Store } from "../ports/store.ts";
import { listPairingStatuses } from "../surfaces/pairings.ts";
import type { MethodDeps } from "./deps.ts";
import { readKeptChoices } from "./kept-choices.ts";
import { freeClaims, refuseConflict, toAppClaim } from "./request/request.ts";
import { type FrozenApp, freezeInstalled } from "./switch-app.ts";

/**
 * Starts the uninstall of an app, whether the catalog has a script of it or not; its data is kept unless the request says
 * otherwise. Throws as `switchApp` does.
 */
export async function uninstall(deps: MethodDeps, appId: string, request: UninstallRequest): Promise<TaskView> {
  refuseConflict(deps, appId);
  const frozen = await freezeInstalled(deps, appId);
  const own = request.keepData === false ? await listOwn(deps, appId, frozen) : null;
  const input: UninstallInput = {
    appId,
    title: frozen.title,
    marks: [],
    ...(own !== null && { removes: own.filter(({ stays }) => stays === null).map(({ path }) => path) }),
  };
  refuseConflict(deps, appId);
  freeClaims(deps, [toAppClaim(appId)]);
  return deps.runtime.start({
    machine: "uninstall",
    input: toJsonObject(input),
    kind: "uninstall",
    appId,
    claim: toAppClaim(appId),
    plan: toJsonObject(frozen.plan),
  });
}

/** Says what an uninstall would remove, keep and forget. Throws as `uninstall` does, except for a running task. */
export async function previewUninstall(
  deps: MethodDeps,
  appId: string,
  request: UninstallRequest,
): Promise<UninstallPreview> {
  const frozen = await freezeInstalled(deps, appId);
  const keepData = request.keepData !== false;
  const own = await listOwn(deps, appId, frozen);
  const installed = new Set((await deps.host.apps()).map((app) => app.appId));
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
    answers: isKnown ? (keepData ? "kept" : "forgotten") : "none",
    links: links.filter(({ status }) => status === "connected"),
  };
}

async function listOwn(
  { host, store }: MethodDeps,
  appId: string,
  { plan }: FrozenApp,
): Promise<readonly OwnDirectory[]> {
  const app = plan.apps[appId];
  if (app === undefined) return [];
  const others = (await host.apps()).filter(({ name }) => name !== app.instance);
  const { directories, locations } = app;
  return decideOwnDirectories(directories, listMade(store, appId), { locations, apps: others });
}

/** Every directory a task of the app has made: what was there before is not the app's own. */
function listMade(store: Pick<Store, "runs" | "task">, appId: string): ReadonlySet<string> {
  const lifecycles: ReadonlySet<string> = new Set(LIFECYCLES);
  const results = store
    .runs(appId)
    .filter(({ kind }) => lifecycles.has(kind))
    .map(({ taskId }) => store.task(taskId)?.facts.result);
  return new Set(
    results.flatMap((result) => (result !== undefined && "directories" in result ? (result.directories ?? []) : [])),
  );
}
