/** What can be done with an engine: its lifecycles, tasks and surfaces. */
import type { PlanMode } from "../../core/plan/plan.ts";
import type { Surface } from "../../core/script/dictionary.ts";
import type { CatalogChanges } from "../ports/catalog.ts";
import type {
  ActionRequest,
  AdoptRequest,
  AppFilter,
  AuditRange,
  DashboardRequest,
  DecisionRequest,
  ExportRequest,
  FolderRequest,
  HistoryRange,
  ImportRequest,
  InputRequest,
  InstallRequest,
  LogRange,
  RollbackRequest,
  TaskFilter,
  UninstallRequest,
  UpgradeAllRequest,
  UpgradePoliciesRequest,
  UpgradeRequest,
  WidgetFilter,
} from "../requests.ts";
import type { AppDetail, AppIcon, AppView } from "./apps.ts";
import type { AuditEntry, By } from "./audits.ts";
import type { Backup, BackupRequest } from "./backups.ts";
import type { Drained, DrainRequest } from "./drains.ts";
import type { Drift } from "./drifts.ts";
import type { EngineEvent, EngineHint, EventLog, HistoryEntry, NotificationView } from "./events.ts";
import type { AppAction, Folder } from "./files.ts";
import type { DialogMode, Form, RevealedAnswer } from "./forms.ts";
import type { EngineHealth, Readiness } from "./health.ts";
import type { AdoptPreview } from "./lifecycles/adoptions.ts";
import type { Exported, ImportPreview } from "./lifecycles/moves.ts";
import type { Preview } from "./lifecycles/previews.ts";
import type { AppSnapshot, RollbackPreview } from "./lifecycles/rollbacks.ts";
import type { UninstallPreview } from "./lifecycles/uninstalls.ts";
import type { UpgradeAllPreview, UpgradePoliciesView, UpgradePreview } from "./lifecycles/upgrades.ts";
import type { MachineView } from "./machines.ts";
import type { PairingsBody } from "./pairings.ts";
import type { LogLine, TaskView } from "./tasks.ts";
import type { TaskTrace } from "./traces.ts";
import type { ActionEntry, AppWidget, Dashboard, WidgetSummary, WidgetView } from "./widgets.ts";

/** Everything shown and pressed after the install: apps, actions, widgets, pairings. */
export interface Surfaces {
  /** Every app of the catalog, and every installed one, by id, or those of a filter; `after` goes on where a page ended. */
  apps(filter?: AppFilter): Promise<readonly AppView[]>;
  /** null when neither the catalog nor a pairing nor the host knows the id. */
  app(appId: string): Promise<AppDetail | null>;
  /**
   * The picture of an app somebody knows, kept for an hour. Throws `TASK_APP_UNKNOWN`, and `ICON_UNREADABLE` where it has
   * none, or one that can't be had.
   */
  icon(appId: string): Promise<AppIcon>;
  /** The actions offered on a surface, for the files selected there (paths of the host). */
  actions(appId: string, surface: Surface, selection?: readonly string[]): Promise<readonly ActionEntry[]>;
  /** The widgets an app's script declares, less those its conditions hide; nothing is queried. */
  widgets(appId: string): Promise<readonly WidgetSummary[]>;
  /** The widgets of all apps that `widgets` lists for each, by app id. */
  allWidgets(filter?: WidgetFilter): Promise<readonly AppWidget[]>;
  /** The widgets a person has put on the dashboard, those of the installed apps where nobody has put any. */
  dashboard(): Promise<Dashboard>;
  /**
   * Puts widgets on the dashboard in place of those there. `DASHBOARD_REFUSED {problems}` for a widget that is unknown or
   * named twice, or not made for its size; one that is there already may stay after its app has gone.
   */
  arrangeDashboard(request: DashboardRequest, by?: By): Promise<Dashboard>;
  /** A widget's newest result: kept until its refresh, asked for once however many wait. */
  queryWidget(appId: string, widgetId: string): Promise<WidgetView>;
  /**
   * A page of a folder at or below one of the host's locations, or the locations: names, kinds, sizes, times, never
   * content. `FILE_OUTSIDE` for a path with `..`, outside every location, or behind a link that leads out of its own;
   * `FILE_UNKNOWN`, `FILE_NOT_FOLDER`, `FILE_UNREADABLE`.
   */
  files(request?: FolderRequest): Promise<Folder>;
  /** What the installed apps can do with the selected files (host paths), by app id; `runAction` runs one. */
  fileActions(selection: readonly string[]): Promise<readonly AppAction[]>;
  /** The body of `GET /api/apps/{appId}/pairings` (docs/decisions.md, section 7). */
  pairings(appId: string): Promise<PairingsBody>;
}

/** A person's decision about a task, without values; the task gets it as the event `user.<decision>`. */
export type Decision = "retry" | "skip" | "cancel" | "dismiss";

/** Everything an embedder can do with an engine. */
export type Engine = Lifecycles & Surfaces;

/**
 * Every method that changes something resolves after its intent is committed. Rejections are `EngineError`s:
 * `TASK_CONFLICT` carries `{taskId}` of the running task, `TASK_REFUSED` a task that does not take this now,
 * `TASK_REQUEST_INVALID` `{errors}` in the shape of a request; a request refused for what it names carries `{problems}`.
 * Whose change it is stands in the last parameter, and afterwards in the list `audit` reads.
 */
export interface Lifecycles {
  /** Installs an app of the catalog with the links asked for; `mode` as in a plan (default `install`). */
  install(appId: string, request?: InstallRequest, options?: By & { readonly mode?: PlanMode }): Promise<TaskView>;
  /**
   * Takes an installed app to the version of the request, or the newest its catalog offers: `HOST_UPGRADE_NONE` where there
   * is none, `TASK_VERSION_UNKNOWN`, `TASK_VERSION_NOT_NEWER`. Where the app does not run after it the task fails, and can be
   * retried, skipped or rolled back.
   */
  upgrade(appId: string, request?: UpgradeRequest, by?: By): Promise<TaskView>;
  /**
   * Upgrades every installed app that has an upgrade, one after another, targets of a pairing before the apps that link to
   * them. An app whose upgrade would be refused is left out, one that fails keeps no other from its turn unless the request
   * says so. `HOST_UPGRADE_NONE` where there is none; `TASK_CONFLICT` while such a task is at work.
   */
  upgradeAll(request?: UpgradeAllRequest, by?: By): Promise<TaskView>;
  /** The upgrades of all apps in their order, and the apps that would be left out; nothing is changed. */
  previewUpgradeAll(request?: UpgradeAllRequest): Promise<UpgradeAllPreview>;
  /** When upgrades begin by themselves, and when the next ones do. */
  upgradePolicies(): Promise<UpgradePoliciesView>;
  /**
   * Sets when upgrades begin by themselves, in place of all policies there were. Windows of a policy that is new or another
   * one count from now on. `TASK_CRON_INVALID {cron, position}`; `TASK_POLICIES_STALE` where the request's `revision` is not
   * that of the policies kept by now.
   */
  setUpgradePolicies(request: UpgradePoliciesRequest, by?: By): Promise<UpgradePoliciesView>;
  /**
   * Writes what the installed apps were set up with, their links and the upgrade policies as a file for another box:
   * secrets sealed by a passphrase, no data of apps. `EXPORT_NONE`.
   */
  exportApps(request: ExportRequest, by?: By): Promise<Exported>;
  /**
   * Installs or adopts the apps of an export that this engine does not look after yet, one after another, then their links
   * and the upgrade policies. What can't be set up is left out. `EXPORT_*` for a file that can't be read, `IMPORT_NONE`;
   * `TASK_CONFLICT` while another import is at work.
   */
  importApps(request: ImportRequest, by?: By): Promise<TaskView>;
  /** What an import would do, and what it would leave out and why; nothing is changed. */
  previewImport(request: ImportRequest): Promise<ImportPreview>;
  /** Applies changed answers, or a newer script, to an installed app. */
  update(appId: string, request?: InstallRequest, by?: By): Promise<TaskView>;
  /** Starts an installed app and waits until it runs; one that runs already ends the task at once. */
  startApp(appId: string, by?: By): Promise<TaskView>;
  /** Stops an installed app; one that is stopped already ends the task at once. */
  stopApp(appId: string, by?: By): Promise<TaskView>;
  /** Stops an installed app, starts it and waits until it runs; one that is stopped is started. */
  restartApp(appId: string, by?: By): Promise<TaskView>;
  /**
   * Removes an installed app from the host, and where the request says so its own directories, of which snapshots are
   * taken before, and its answers and generated secrets. Without that all of it is kept, and a reinstall offers it.
   */
  uninstall(appId: string, request?: UninstallRequest, by?: By): Promise<TaskView>;
  /** The effect of an uninstall, each path named; nothing is changed. */
  previewUninstall(appId: string, request?: UninstallRequest): Promise<UninstallPreview>;
  /** What an installed app can be rolled back to, the newest first: noted by its tasks, or found on the host. */
  snapshots(appId: string): Promise<readonly AppSnapshot[]>;
  /**
   * Brings back the version, values and answers an app had, and the datasets that are its own, after a snapshot of the
   * present. `TASK_SNAPSHOT_UNKNOWN`; `TASK_ROLLBACK_IMPOSSIBLE` where nothing can be brought back.
   */
  rollback(appId: string, request?: RollbackRequest, by?: By): Promise<TaskView>;
  /** What a rollback would bring back and what stays; nothing is changed. */
  previewRollback(appId: string, request?: RollbackRequest): Promise<RollbackPreview>;
  /**
   * Takes over an installed app that this engine knows nothing of: what its configuration tells of the answers is kept, with those
   * of the request for what it does not tell; the app itself stays as it is and no hook fires. `TASK_ADOPT_KNOWN`,
   * `TASK_ADOPT_CUSTOM`, `TASK_ADOPT_STALE` where it is not as it was shown; `ANSWER_REQUIRED` and others `{problems}`.
   */
  adopt(appId: string, request?: AdoptRequest, by?: By): Promise<TaskView>;
  /** What is known of an app that can be adopted, and what is not; nothing is changed. Throws as `adopt` does. */
  previewAdopt(appId: string, request?: AdoptRequest): Promise<AdoptPreview>;
  /** Runs a hook a person fired, on the request's target and selection; `ACTION_UNKNOWN` where it is not offered. */
  runAction(appId: string, hookId: string, request?: ActionRequest, by?: By): Promise<TaskView>;
  /**
   * The questions before an install, upgrade or update, with the values to start from: gates, rows and counts for the
   * consents and links of `chosen`, the request as far as it is made, links omitted while nobody touched them. Without a
   * mode it is the install's: of an app that was installed before, its reinstall. Stored passwords, and
   * texts with one inside, are not shown (`isSet`); a generated value that is shown is the one the task uses that is started within an hour.
   * In `options` the answers of `chosen` count for the differences; an `upgrade` asks nothing, and its form says what it does.
   */
  form(appId: string, mode?: DialogMode, chosen?: UpgradeRequest): Promise<Form>;
  /** Shows an answer the form withholds and logs that it did; `ANSWER_UNKNOWN` where it withholds none of that key. */
  revealAnswer(appId: string, key: string, by?: By): Promise<RevealedAnswer>;
  /** The versions an installed app can be upgraded to, and what an upgrade would bring and run; rejects as `upgrade` does. */
  previewUpgrade(appId: string, request?: UpgradeRequest): Promise<UpgradePreview>;
  /** The effect a request would have, with its problems; nothing is changed. */
  preview(appId: string, request?: UpgradeRequest, mode?: DialogMode): Promise<Preview>;
  /**
   * Root tasks, newest first, 100 unless the filter's `limit` says otherwise; `before` goes on where a page ended.
   * Throws `TASK_REQUEST_INVALID`, and `TASK_UNKNOWN` where `before` is not a root task.
   */
  tasks(filter?: TaskFilter): readonly TaskView[];
  /** null when there is none of that id. */
  task(id: string): TaskView | null;
  /**
   * The changes of one task, of a hook with those of its checkpoints, oldest first; what `watch` has pruned is gone
   * here too. Throws `TASK_UNKNOWN`.
   */
  history(taskId: string, range?: HistoryRange): readonly HistoryEntry[];
  /**
   * Where a task's machine has been: its kept events, each with the states it led through, and the states it is in now.
   * Throws `TASK_UNKNOWN`.
   */
  trace(taskId: string, range?: HistoryRange): Promise<TaskTrace>;
  /** The machines tasks run on, with their states, transitions and descriptions. */
  machines(): readonly MachineView[];
  /** The newest lines a hook's script wrote, oldest first; none for a task that runs no script. Throws `TASK_UNKNOWN`. */
  log(taskId: string, range?: LogRange): readonly LogLine[];
  /**
   * Every change after `fromSeq` (0 = from the start), then live; ends on `close`, when the signal aborts, and where changes
   * it has yet to tell were pruned: then `oldest` of `eventLog` is above the next number, and tasks are to be listed anew.
   */
  watch(fromSeq: number, signal?: AbortSignal): AsyncIterable<EngineEvent>;
  /**
   * What is worth reading anew, as it changes: apps, catalog, widgets, dashboard, notifications that were read. Each
   * thing is told at most once in 250 ms; nothing is kept for who comes later. Ends as `watch` does.
   */
  watchHints(signal?: AbortSignal): AsyncIterable<EngineHint>;
  /** Notifications, newest first, at most 1,000; with `unread` those nobody has read. */
  notifications(filter?: { readonly unread?: boolean }): readonly NotificationView[];
  /** Marks a notification as read; `NOTIFICATION_UNKNOWN` where there is none of that id. */
  readNotification(id: string, by?: By): NotificationView;
  /** Marks every notification as read; answers how many were unread. */
  readNotifications(by?: By): number;
  /**
   * Who changed what, or was refused it, newest first, 100 unless `limit` says otherwise; `before` goes on where a page
   * ended. The newest 10,000 changes and 1,000 refusals are kept.
   */
  audit(range?: AuditRange): readonly AuditEntry[];
  /** Sequence number of the newest change: `watch(lastSeq())` shows only what comes. */
  lastSeq(): number;
  /** Where the log of changes begins and ends, and which history it is of: whether `watch(from)` misses anything. */
  eventLog(): EventLog;
  /** Input values by input id; questions are checked against their declaration. `about` as for `retry`. */
  input(taskId: string, values: InputRequest, about?: DecisionRequest, by?: By): Promise<TaskView>;
  /**
   * Has a failed or waiting task try again: from its failed checkpoint where its script waits there, else from the
   * beginning. `TASK_CONFLICT {taskId}` for a part of a plan that is still at work, `TASK_ROLLBACK_OVERTAKEN` for
   * a rollback whose app another task has changed since. Of a parent the one task under it that waits for a person is
   * meant, unless `about` names the question: then it is this task's, and where that is not the one asked now the
   * decision is refused with `TASK_DECISION_STALE`.
   */
  retry(taskId: string, about?: DecisionRequest, by?: By): Promise<TaskView>;
  /** Goes on without the hook, link or checkpoint that waits for a person; `about` as for `retry`. */
  skip(taskId: string, about?: DecisionRequest, by?: By): Promise<TaskView>;
  /** Ends a task; its `result` says what was done, what not, and what was left behind. */
  cancel(taskId: string, by?: By): Promise<TaskView>;
  /** Puts a failed task away for good. */
  dismiss(taskId: string, by?: By): Promise<TaskView>;
  /** Reads the catalog anew and checks every script. */
  syncCatalog(): Promise<CatalogChanges>;
  /** Reconciles what a stopped engine left behind and drives every unfinished task on. Call once after creation. */
  recover(): Promise<{ readonly resumed: number; readonly quarantined: number }>;
  /** Resolves when the task and its children rest: final, failed, or waiting for a person. */
  settled(taskId: string, signal?: AbortSignal): Promise<TaskView>;
  /** Health of the database, the host and each layer of the sandbox, and how many tasks are unfinished. */
  health(): Promise<EngineHealth>;
  /** Whether requests are taken now: `recover` is done and the database takes turns. The host does not count. */
  readiness(): Readiness;
  /** What the host has otherwise than this engine left it, as the looks so far have found it; nothing is asked. */
  drift(): Drift;
  /** Looks now, or after the look under way; only reads. Never rejects: why it came to no end is in the answer. */
  lookForDrift(): Promise<Drift>;
  /**
   * Writes a copy of the database as it is at one moment, while tasks go on, and reads it again before it has its name.
   * It needs nothing beside it, holds every secret, and no journal of a hook. `STORE_BACKUP_EXISTS`; the signal's reason.
   */
  backup(request: BackupRequest, by?: By): Promise<Backup>;
  /**
   * Takes no new work from now on (`TASK_ENGINE_DRAINING {retryAfter}`; tasks may still be cancelled and put away), lets
   * hooks that would have to begin anew come to their end, then closes. Without such hooks that is at once.
   */
  drain(request?: DrainRequest, by?: By): Promise<Drained>;
  /**
   * Commits the current turn, stops every script, frees the database. Tasks go on at the next `recover`. Never rejects:
   * a database that can't be written is freed all the same. Every call answers the one end.
   */
  close(): Promise<void>;
}
