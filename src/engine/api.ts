/**
 * The engine's public interface, as embedders, the command line and the HTTP routes have it: `api/methods.ts` is what is
 * called, the files beside it are what is answered.
 */

export type { WidgetField } from "../core/hooks/widget-field.ts";
export type { WidgetSizeName } from "../core/hooks/widget-sizes.ts";
export type { FormQuestion, FormSection, FormStep } from "../core/plan/form.ts";
export type { RequirementsReport } from "../core/plan/requirements.ts";
export type { DraftDirectory } from "../core/plan/resolve-directories.ts";
export type { WidgetSizes } from "../core/script/dictionary.ts";
export type { Command } from "../core/task/commands.ts";
export type { Remark } from "../core/task/remarks.ts";
export type { TaskStep } from "../core/task/steps.ts";
export type { TaskKind } from "../core/task/task-facts.ts";
export type {
  InstallResult,
  RollbackResult,
  SwitchResult,
  TaskResult,
  UninstallResult,
  UpdateResult,
  UpgradeResult,
} from "../core/task/task-result.ts";
export type {
  AppStarts,
  AppsPending,
  AskedInput,
  Authorization,
  ChildAsks,
  DecisionAsked,
  InputAsked,
  RequestAsked,
  Waiting,
} from "../core/task/waiting.ts";
export type { TaskState } from "../core/task-states.ts";
export type * from "./api/apps.ts";
export type * from "./api/audits.ts";
export type * from "./api/backups.ts";
export type * from "./api/drains.ts";
export type * from "./api/drifts.ts";
export type * from "./api/events.ts";
export type * from "./api/files.ts";
export type * from "./api/forms.ts";
export type * from "./api/health.ts";
export type * from "./api/lifecycles/adoptions.ts";
export type * from "./api/lifecycles/moves.ts";
export type * from "./api/lifecycles/previews.ts";
export type * from "./api/lifecycles/rollbacks.ts";
export type * from "./api/lifecycles/uninstalls.ts";
export type * from "./api/lifecycles/upgrades.ts";
export type * from "./api/machines.ts";
export type * from "./api/methods.ts";
export type * from "./api/pairings.ts";
export type * from "./api/tasks.ts";
export type * from "./api/traces.ts";
export type * from "./api/widgets.ts";
export type { Actor } from "./audit/actor.ts";
export type {
  ActionRequest,
  AdoptRequest,
  AppFilter,
  AuditRange,
  DashboardRequest,
  DecisionRequest,
  FolderRequest,
  HistoryRange,
  InputRequest,
  InstallRequest,
  LinkRequest,
  LogRange,
  RollbackRequest,
  TaskFilter,
  UninstallRequest,
  UpgradeAllRequest,
  UpgradePoliciesRequest,
  UpgradePolicy,
  UpgradeRequest,
  WidgetFilter,
} from "./requests.ts";
