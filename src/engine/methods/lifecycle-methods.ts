import type { AuditMethod, By, DialogMode, Lifecycles } from "../api.ts";
import type { Audit } from "../audit/audit.ts";
import {
  ActionRequest,
  AdoptRequest,
  InstallRequest,
  RollbackRequest,
  readRequest,
  UninstallRequest,
  UpgradeAllRequest,
  UpgradeRequest,
} from "../requests.ts";
import { adopt } from "./adopt/adopt.ts";
import { previewAdopt } from "./adopt/preview-adopt.ts";
import type { ChangeDeps, MethodDeps } from "./deps.ts";
import { buildForm } from "./form/form.ts";
import { revealAnswer } from "./form/reveal-answer.ts";
import { install } from "./install.ts";
import { preview } from "./preview/preview.ts";
import { listSnapshots } from "./rollback/list-snapshots.ts";
import { previewRollback, rollBack } from "./rollback/roll-back.ts";
import { runAction } from "./run-action.ts";
import { switchApp } from "./switch-app.ts";
import { previewUninstall, uninstall } from "./uninstall/uninstall.ts";
import { update } from "./update.ts";
import { previewUpgrade } from "./upgrade/find-upgrade.ts";
import { upgrade } from "./upgrade/upgrade.ts";
import { previewUpgradeAll, upgradeAll } from "./upgrade/upgrade-all.ts";

type LifecycleMethods = Pick<
  Lifecycles,
  | "install"
  | "upgrade"
  | "upgradeAll"
  | "previewUpgradeAll"
  | "update"
  | "startApp"
  | "stopApp"
  | "restartApp"
  | "uninstall"
  | "previewUninstall"
  | "snapshots"
  | "rollback"
  | "previewRollback"
  | "adopt"
  | "previewAdopt"
  | "runAction"
  | "form"
  | "previewUpgrade"
  | "revealAnswer"
  | "preview"
>;

/** Makes the part of the engine that begins tasks, and says before what they would do. */
export function createLifecycleMethods(deps: MethodDeps, audit: Audit): LifecycleMethods {
  const change = <T>(
    method: AuditMethod,
    appId: string,
    by: By | undefined,
    call: (deps: ChangeDeps) => Promise<T>,
  ): Promise<T> => audit.change(method, { appId }, by, (deed) => call({ ...deps, deed }));
  return {
    install: (appId, request = {}, { mode, ...by } = {}) =>
      change("install", appId, by, (deps) =>
        install(deps, appId, readRequest(InstallRequest, request), mode && { mode }),
      ),
    upgrade: (appId, request = {}, by) =>
      change("upgrade", appId, by, (deps) => upgrade(deps, appId, readRequest(UpgradeRequest, request))),
    upgradeAll: (request = {}, by) =>
      audit.change("upgradeAll", {}, by, (deed) =>
        upgradeAll({ ...deps, deed }, readRequest(UpgradeAllRequest, request)),
      ),
    previewUpgradeAll: async (request = {}) => previewUpgradeAll(deps, readRequest(UpgradeAllRequest, request)),
    update: (appId, request = {}, by) =>
      change("update", appId, by, (deps) => update(deps, appId, readRequest(InstallRequest, request))),
    startApp: (appId, by) => change("startApp", appId, by, (deps) => switchApp(deps, appId, "start")),
    stopApp: (appId, by) => change("stopApp", appId, by, (deps) => switchApp(deps, appId, "stop")),
    restartApp: (appId, by) => change("restartApp", appId, by, (deps) => switchApp(deps, appId, "restart")),
    uninstall: (appId, request = {}, by) =>
      change("uninstall", appId, by, (deps) => uninstall(deps, appId, readRequest(UninstallRequest, request))),
    previewUninstall: async (appId, request = {}) =>
      previewUninstall(deps, appId, readRequest(UninstallRequest, request)),
    snapshots: (appId) => listSnapshots(deps, appId),
    rollback: (appId, request = {}, by) =>
      change("rollback", appId, by, (deps) => rollBack(deps, appId, readRequest(RollbackRequest, request))),
    previewRollback: async (appId, request = {}) => previewRollback(deps, appId, readRequest(RollbackRequest, request)),
    adopt: (appId, request = {}, by) =>
      change("adopt", appId, by, (deps) => adopt(deps, appId, readRequest(AdoptRequest, request))),
    previewAdopt: async (appId, request = {}) =>
      (await previewAdopt(deps, appId, readRequest(AdoptRequest, request))).preview,
    runAction: (appId, hookId, request = {}, by) =>
      change("runAction", appId, by, (deps) => runAction(deps, appId, hookId, readRequest(ActionRequest, request))),
    form: async (appId, mode, chosen = {}) => buildForm(deps, appId, mode, readRequest(requestOf(mode), chosen)),
    previewUpgrade: async (appId, request = {}) => previewUpgrade(deps, appId, readRequest(UpgradeRequest, request)),
    revealAnswer: (appId, key, by) => audit.act("revealAnswer", { appId }, by, () => revealAnswer(deps, appId, key)),
    preview: async (appId, request = {}, mode) => preview(deps, appId, readRequest(requestOf(mode), request), mode),
  };
}

/** Only an upgrade's may name a version. */
function requestOf(mode: DialogMode | undefined): typeof InstallRequest | typeof UpgradeRequest {
  return mode === "upgrade" ? UpgradeRequest : InstallRequest;
}
