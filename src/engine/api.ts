/** The engine's public interface: what embedders, the command line and the HTTP routes call. */

import type { SandboxHealth } from "../../sandbox/contract.ts";
import type { Code } from "../core/codes/code.ts";
import type { Failure, Problem } from "../core/codes/problems.ts";
import type { WidgetField } from "../core/hooks/widget-result.ts";
import type { JsonObject } from "../core/json/json.ts";
import type { FormStep } from "../core/plan/form.ts";
import type { PlanMode } from "../core/plan/plan.ts";
import type { RequirementsReport } from "../core/plan/requirements.ts";
import type { DraftDirectory } from "../core/plan/resolve-directories.ts";
import type { Difference } from "../core/plan/update-differences.ts";
import type { Hook, LifecycleEvent, Surface, WidgetSizes } from "../core/script/dictionary.ts";
import type { TASK_EVENT_TYPES } from "../core/task/task-event-types.ts";
import type { TaskKind } from "../core/task/task-facts.ts";
import type { TaskResult } from "../core/task/task-result.ts";
import type { Waiting } from "../core/task/waiting.ts";
import type { TaskState } from "../core/task-states.ts";
import type { CatalogChanges } from "./ports/catalog.ts";
import type { Notification } from "./ports/environment.ts";
import type {
  ActionRequest,
  DecisionRequest,
  HistoryRange,
  InputRequest,
  InstallRequest,
  LogRange,
  TaskFilter,
} from "./requests.ts";

export type { WidgetField } from "../core/hooks/widget-result.ts";
export type { RequirementsReport } from "../core/plan/requirements.ts";
export type { DraftDirectory } from "../core/plan/resolve-directories.ts";
export type { WidgetSizes } from "../core/script/dictionary.ts";
export type { TaskKind } from "../core/task/task-facts.ts";
export type { InstallResult, TaskResult, UpdateResult, UpgradeResult } from "../core/task/task-result.ts";
export type {
  AppStarts,
  AppsPending,
  AskedInput,
  Authorization,
  ChildAsks,
  DecisionAsked,
  InputAsked,
  Waiting,
} from "../core/task/waiting.ts";
export type { TaskState } from "../core/task-states.ts";
export type {
  ActionRequest,
  DecisionRequest,
  HistoryRange,
  InputRequest,
  InstallRequest,
  LinkRequest,
  LogRange,
  TaskFilter,
} from "./requests.ts";

/** A task as the activity center shows it. Times are ISO 8601 UTC. Holds no secret. */
export interface TaskView {
  readonly id: string;
  readonly kind: TaskKind;
  readonly appId: string;
  readonly hookId?: string;
  readonly label: string;
  /** Heading its row stands under in the plan of an install: "App customizations" for links and the installs they need. */
  readonly group?: string;
  readonly state: TaskState;
  readonly parent?: string;
  readonly children: readonly TaskView[];
  readonly checkpoints: readonly CheckpointView[];
  /** 0-100, never runs backwards; 100 only at the end. */
  readonly progress: number;
  readonly waitingFor?: WaitingFor;
  readonly failure?: Failure;
  /**
   * Grows whenever the state, what is waited for or the failure changes, and never otherwise: the number of the question
   * put to a person, which `retry` and `skip` name. 0 while the task is quarantined.
   */
  readonly revision: number;
  /** e.g. `skippedRequired`, `notRunning: CRASHED`, `overdue`. */
  readonly marks: readonly string[];
  /** Of a lifecycle that has ended: what was and was not done. */
  readonly result?: TaskResult;
  readonly created: string;
  readonly updated: string;
}

export interface CheckpointView {
  readonly id: string;
  readonly message: string;
  readonly state: "REGISTERED" | "COMPLETED" | "SKIPPED" | "FAILED";
}

/**
 * What a task waits for: `kind` says whom or what, and which `detail` there is: the inputs asked for with the OAuth code
 * and address, the choices offered, the part that asks, the app's state.
 */
export type WaitingFor = Waiting & {
  /** ISO 8601 UTC. */
  readonly since: string;
  /** ISO 8601 UTC. */
  readonly deadline?: string;
};

export interface ActionEntry {
  readonly hookId: string;
  readonly title: string;
  readonly description?: string;
  readonly kind?: NonNullable<Hook["kind"]>;
  readonly state: "enabled" | "disabled";
  /** Why it is disabled. */
  readonly reason?: string;
}

/** The install dialog as data, as it stands with the toggles chosen so far (docs/install-scripts.md, "The install dialog"). */
export interface Form {
  readonly appId: string;
  readonly mode: PlanMode;
  readonly lastKnown?: LastKnown;
  readonly steps: readonly FormStep[];
  readonly consents: readonly FormConsent[];
  /** Heading of the links; absent without pairings. */
  readonly linksTitle?: string;
  readonly links: readonly FormLink[];
  /** "Customize Install (N options available)", what stands behind a closed gate not counted; absent without pairings. */
  readonly button?: string;
  /** Links that fire as things stand: what the dialog names while its picker is collapsed. */
  readonly collapsed: readonly FiringLink[];
  /** The toggles as an install takes them: the consents touched, and the links that fire. Answers are added to it. */
  readonly request: InstallRequest;
  /** What an install would refuse of the toggles chosen. */
  readonly problems: readonly Problem[];
}

export type { FormQuestion, FormSection, FormStep } from "../core/plan/form.ts";

/** A link as the collapsed dialog names it. */
export interface FiringLink {
  readonly hookId: string;
  readonly runsOnAppId: string;
  readonly title: string;
  readonly targets: readonly string[];
}

export interface FormConsent {
  readonly hookId: string;
  readonly label: string;
  readonly description?: string;
  readonly default: boolean;
  /** As chosen so far, else by default. */
  readonly checked: boolean;
  /** Consent hooks it requires: while one is off it does not run, whatever its own toggle says. */
  readonly requiresConsents: readonly string[];
  /** Every consent it requires is on. */
  readonly available: boolean;
  readonly link?: { readonly url: string; readonly label: string };
}

export interface FormLink {
  readonly hookId: string;
  readonly runsOnAppId: string;
  readonly direction: "outgoing" | "incoming";
  readonly title: string;
  readonly description?: string;
  readonly kind?: NonNullable<Hook["kind"]>;
  readonly targets: readonly FormLinkTarget[];
  /** Consent hooks this row is gated on. */
  readonly requiresConsents: readonly string[];
  /** It can be selected: every one of them is on, and no condition of it never passes. */
  readonly available: boolean;
  /** Why it can never run: shown disabled. */
  readonly reason?: string;
}

export interface FormLinkTarget {
  readonly appId: string;
  readonly name: string;
  readonly icon: string;
  /** Text of the row: the target's name, or "Install and Connect to {target}". */
  readonly label: string;
  readonly installed: boolean;
  /** Checked by default. */
  readonly default: boolean;
  /** As chosen so far, else by default; it fires where the link is `available`. */
  readonly checked: boolean;
  /** Can be installed from the picker. */
  readonly installable: boolean;
  readonly steps?: readonly FormStep[];
  readonly consents?: readonly FormConsent[];
}

/** One stored password, in clear. */
export interface RevealedAnswer {
  /** Key of the question. */
  readonly key: string;
  /** null where none is stored. */
  readonly value: string | null;
}

/** What a request would do to one app, secrets masked. */
export interface PreviewedApp {
  readonly appId: string;
  readonly appValues: JsonObject;
  /** `path` and `location` are null where they can't be resolved; a problem says why. */
  readonly directories: readonly DraftDirectory[];
  readonly hooks: readonly {
    readonly id: string;
    readonly title: string;
    readonly event: LifecycleEvent;
    readonly optional: boolean;
    readonly consent?: boolean;
    /** Consent hooks it requires whose toggle is off: it does not run. */
    readonly closedBy?: readonly string[];
    /** It runs: no toggle keeps it from that. */
    readonly fires: boolean;
  }[];
  readonly requirements: RequirementsReport;
}

/** What an upgrade would do. */
export interface UpgradePreview {
  readonly appId: string;
  /** Version of the host's package, of a custom app of its script; absent where nobody knows it. */
  readonly from?: string;
  readonly to: string;
  /** The hooks that run, in order. */
  readonly hooks: readonly Omit<PreviewedApp["hooks"][number], "consent" | "closedBy" | "fires">[];
}

/** What a request would do: to its app, and to the targets that are installed for its links. */
export interface Preview extends PreviewedApp {
  /** The links that fire, in the order they run. */
  readonly links: readonly FiringLink[];
  /** The installs they need. */
  readonly installs: readonly PreviewedApp[];
  /** What the task would be marked with from its start: advice, hooks that were dropped. */
  readonly marks: readonly string[];
  /** Those of the script, and everything the request would be refused for; the host's part is unknown while it is away. */
  readonly problems: readonly Problem[];
  readonly lastKnown?: LastKnown;
  /** What an update would change in the live configuration of an installed app (mode `options`). */
  readonly differences?: readonly Difference[];
}

/**
 * One committed change, in order; `seq` grows by one per change and never repeats. Changes of tasks that ended long ago
 * are let go of (the 200 trees that ended last are kept): a replay starts at what is kept, and numbers may be missing.
 */
export type EngineEvent = TaskChanged | TaskNotified;

/** What happened to a task: `task.dropped` is an event that came to nothing, and the task is as it was. */
export type TaskEventType = (typeof TASK_EVENT_TYPES)[number];

/** What every event says. */
interface TaskEvent {
  readonly seq: number;
  /** ISO 8601 UTC. */
  readonly at: string;
  /** Root task of the tree that changed. */
  readonly taskId: string;
  /** The task that changed, as it was after the change. */
  readonly task: Omit<TaskView, "children">;
}

/** A change of a task. */
export interface TaskChanged extends TaskEvent {
  readonly type: Exclude<TaskEventType, "task.notified">;
}

/** People are told something. */
export interface TaskNotified extends TaskEvent {
  readonly type: "task.notified";
  readonly notification: Notification;
}

/** A stored notification. */
export interface NotificationView extends Notification {
  /** Somebody has marked it as read. */
  readonly read: boolean;
}

/** A change in the history of a task. */
export type HistoryEntry = EngineEvent & {
  /** What the task took in, e.g. `user.retry`. */
  readonly cause: string;
  /** Why it came to nothing, of a `task.dropped`. */
  readonly reason?: string;
};

/** A line a hook's script wrote, its secrets masked. */
export interface LogLine {
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly line: string;
}

export interface EngineHealth {
  readonly ok: boolean;
  readonly sandbox: SandboxHealth;
  readonly host: HostHealth;
  readonly store: StoreHealth;
  readonly tasks: {
    /** Root tasks that have not ended. */
    readonly unfinished: number;
    /** Tasks that are held up because they, or a checkpoint of theirs, can't be run (`TASK_QUARANTINED`). */
    readonly quarantined: number;
  };
}

/** How the host stands, from what is known without waiting for it. Times are ISO 8601 UTC. */
export interface HostHealth {
  /** It has answered, and nothing says that it does not any more. */
  readonly reachable: boolean;
  /** State of its apps service when last asked. */
  readonly appsService?: string;
  /** Why it is not reached, e.g. `HOST_UNREACHABLE`, `HOST_AUTH_FAILED`, `HOST_TIMEOUT` of one that is frozen. */
  readonly code?: Code;
  readonly detail?: string;
  /** Since when it is not reached. */
  readonly since?: string;
  readonly lastAttempt?: string;
  readonly lastAnswer?: string;
}

/** How the database stands. */
export interface StoreHealth {
  /** A turn can be committed. */
  readonly writable: boolean;
  /** Why not, e.g. `STORE_FULL`. */
  readonly code?: Code;
  readonly detail?: string;
  /** How the run of the engine before this one left it: `unclean` after a kill, a power cut or a full disk. */
  readonly after: "new" | "clean" | "unclean";
  /** It is an older copy than the one last worked on: what happened since is unknown, and left to a person. */
  readonly rolledBack: boolean;
}

/** Whether the engine takes requests now. */
export interface Readiness {
  readonly ready: boolean;
  /** Why not, a sentence each; empty when ready. */
  readonly reasons: readonly string[];
}

/** docs/decisions.md, section 7. */
export interface PairingsBody {
  readonly appId: string;
  readonly pairings: readonly PairingRecord[];
}

export interface PairingRecord {
  readonly targets: readonly PairingTarget[];
  readonly runsOnAppId: string;
  readonly hookId: string;
  readonly title: string;
  readonly description?: string;
  readonly kind?: NonNullable<Hook["kind"]>;
}

export interface WidgetView {
  readonly widgetId: string;
  readonly title: string;
  readonly state: "ready" | "needsSetup" | "hidden" | "unavailable" | "failed";
  /** Why it is not ready, or why the result is stale. */
  readonly reason?: string;
  readonly stale: boolean;
  /** ISO 8601 UTC of the query the fields come from. */
  readonly at?: string;
  /** What the sizes show, by name. */
  readonly fields?: Readonly<Record<string, WidgetField>>;
  readonly sizes?: WidgetSizes;
  readonly buttons: readonly ActionEntry[];
  readonly problems: readonly Problem[];
}

/** An app of the catalog or the host, with what the host says of it. */
export interface AppView {
  readonly appId: string;
  /** Display name: metadata of the script, else the host's title, else the id. */
  readonly name: string;
  /** URL or path relative to the catalog; empty when none is known. */
  readonly icon: string;
  readonly description?: string;
  readonly custom: boolean;
  readonly deprecated: boolean;
  /** False when the install script is refused (see the problems of `GET apps/{id}`), or the catalog has none. */
  readonly usable: boolean;
  readonly scriptVersion?: string;
  /** null when not installed, absent where the host was never asked with success. */
  readonly installed?: InstalledView | null;
  readonly lastKnown?: LastKnown;
}

/** Marks what rests on the host's earlier answers, because it does not answer now. */
export interface LastKnown {
  /** ISO 8601 UTC: when the host said it. */
  readonly at: string;
  /** Its age in ms. */
  readonly ageMs: number;
}

export interface InstalledView {
  readonly state: string;
  readonly version: string;
  readonly upgradeAvailable: boolean;
  readonly baseUrl: string;
}

/** One app with its panels (docs/install-scripts.md, "The app card"). */
export interface AppDetail extends AppView {
  /** Empty where the host was never asked with success. */
  readonly pairings: readonly PairingStatus[];
  /** Outgoing pairings whose target is not installed, one row per target. */
  readonly suggestions: readonly Suggestion[];
  /** Those that are not hidden. */
  readonly widgets: readonly WidgetSummary[];
  readonly problems: readonly Problem[];
}

export interface Suggestion {
  readonly hookId: string;
  readonly target: PairingTarget;
  /** Whether the catalog has a usable script of the target: an app nobody declares can never be installed. */
  readonly installable: boolean;
}

export interface PairingTarget {
  readonly appId: string;
  readonly name: string;
  readonly icon: string;
}

export interface PairingStatus {
  readonly hookId: string;
  readonly runsOnAppId: string;
  readonly title: string;
  readonly target: PairingTarget;
  readonly status: "connected" | "installed" | "not installed";
}

export interface WidgetSummary {
  readonly widgetId: string;
  readonly title: string;
  readonly description?: string;
  /** Seconds. */
  readonly refresh: number;
  readonly sizes?: WidgetSizes;
  /** As the conditions and the app stand now, without a query: `unavailable` has a reason. */
  readonly state: "available" | "unavailable";
  readonly reason?: string;
}

/** What is shown and pressed after the install: apps, actions, widgets, pairings. */
export interface Surfaces {
  /** Every app of the catalog, and every installed one, by id. */
  apps(): Promise<readonly AppView[]>;
  /** null when neither the catalog nor a pairing nor the host knows the id. */
  app(appId: string): Promise<AppDetail | null>;
  /** The actions offered on a surface, for the files selected there (paths of the host). */
  actions(appId: string, surface: Surface, selection?: readonly string[]): Promise<readonly ActionEntry[]>;
  /** The widgets an app's script declares, less those its conditions hide; nothing is queried. */
  widgets(appId: string): Promise<readonly WidgetSummary[]>;
  /** What a widget shows now: kept until its refresh, asked for once however many wait. */
  queryWidget(appId: string, widgetId: string): Promise<WidgetView>;
  /** The body of `GET /api/apps/{appId}/pairings` (docs/decisions.md, section 7). */
  pairings(appId: string): Promise<PairingsBody>;
}

/** What a person decides about a task, without values; the task gets it as the event `user.<decision>`. */
export type Decision = "retry" | "skip" | "cancel" | "dismiss";

/** Everything an embedder can do with an engine. */
export type Engine = Lifecycles & Surfaces;

/**
 * Every method that changes something resolves after its intent is committed. Rejections are `EngineError`s:
 * `TASK_CONFLICT` carries `{taskId}` of the running task, `TASK_REFUSED` a task that does not take this now,
 * `TASK_REQUEST_INVALID` `{errors}` in the shape of a request; a request refused for what it names carries `{problems}`.
 */
export interface Lifecycles {
  /** Installs an app of the catalog with the links asked for; `mode` as in a plan (default `install`). */
  install(appId: string, request?: InstallRequest, options?: { readonly mode?: PlanMode }): Promise<TaskView>;
  /** Takes an installed app to the newest version its catalog offers; `HOST_UPGRADE_NONE` where there is none. */
  upgrade(appId: string, request?: InstallRequest): Promise<TaskView>;
  /** Applies changed answers, or a newer script, to an installed app. */
  update(appId: string, request?: InstallRequest): Promise<TaskView>;
  /** Runs a hook a person fired, on the request's target and selection; `ACTION_UNKNOWN` where it is not offered. */
  runAction(appId: string, hookId: string, request?: ActionRequest): Promise<TaskView>;
  /**
   * What is asked before an install, upgrade or update, with the values to start from: gates, rows and counts for the
   * consents and links of `chosen`, the request as far as it is made, links omitted while nobody touched them. Without a
   * mode it is the install's: of an app that was installed before, its reinstall. Stored passwords, and
   * texts with one inside, are not shown (`isSet`); a generated value that is shown is the one the task uses that is started within an hour.
   */
  form(appId: string, mode?: PlanMode, chosen?: InstallRequest): Promise<Form>;
  /** Shows an answer the form withholds and logs that it did; `ANSWER_UNKNOWN` where it withholds none of that key. */
  revealAnswer(appId: string, key: string): Promise<RevealedAnswer>;
  /** What an upgrade would move an installed app to, and which hooks it would run; rejects as `upgrade` does. */
  previewUpgrade(appId: string): Promise<UpgradePreview>;
  /** What a request would do, with its problems; nothing is changed. */
  preview(appId: string, request?: InstallRequest, mode?: PlanMode): Promise<Preview>;
  /**
   * Root tasks, newest first, 100 unless the filter's `limit` says otherwise; `before` goes on where a page ended.
   * Throws `TASK_REQUEST_INVALID`, and `TASK_UNKNOWN` where `before` is not a root task.
   */
  tasks(filter?: TaskFilter): readonly TaskView[];
  /** null when there is none of that id. */
  task(id: string): TaskView | null;
  /**
   * The changes of one task, of a hook with those of its checkpoints, oldest first; what `watch` has let go of is gone
   * here too. Throws `TASK_UNKNOWN`.
   */
  history(taskId: string, range?: HistoryRange): readonly HistoryEntry[];
  /** The newest lines a hook's script wrote, oldest first; none for a task that runs no script. Throws `TASK_UNKNOWN`. */
  log(taskId: string, range?: LogRange): readonly LogLine[];
  /** Every change after `fromSeq` (0 = from the start), then live; ends on `close` or when the signal aborts. */
  watch(fromSeq: number, signal?: AbortSignal): AsyncIterable<EngineEvent>;
  /** What people were told, newest first, at most 1,000; with `unread` what nobody has read. */
  notifications(filter?: { readonly unread?: boolean }): readonly NotificationView[];
  /** Marks a notification as read; `NOTIFICATION_UNKNOWN` where there is none of that id. */
  readNotification(id: string): NotificationView;
  /** Marks every notification as read; answers how many were unread. */
  readNotifications(): number;
  /** Sequence number of the newest change: `watch(lastSeq())` shows only what comes. */
  lastSeq(): number;
  /** Input values by input id; questions are checked against their declaration. */
  input(taskId: string, values: InputRequest): Promise<TaskView>;
  /**
   * Has a failed or waiting task try again: from its failed checkpoint where its script waits there, else from the
   * beginning. `TASK_CONFLICT {taskId}` for a part of a plan that is still at work. Of a parent the one task under it that
   * waits for a person is meant, unless `about` names the question: then it is this task's, and where that is not the
   * one asked now the decision is refused with `TASK_DECISION_STALE`.
   */
  retry(taskId: string, about?: DecisionRequest): Promise<TaskView>;
  /** Goes on without the hook, link or checkpoint that waits for a person; `about` as for `retry`. */
  skip(taskId: string, about?: DecisionRequest): Promise<TaskView>;
  /** Ends a task; its `result` says what was done, what not, and what was left behind. */
  cancel(taskId: string): Promise<TaskView>;
  /** Puts a failed task away for good. */
  dismiss(taskId: string): Promise<TaskView>;
  /** Reads the catalog anew and checks every script. */
  syncCatalog(): Promise<CatalogChanges>;
  /** Reconciles what a stopped engine left behind and drives every unfinished task on. Call once after creation. */
  recover(): Promise<{ readonly resumed: number; readonly quarantined: number }>;
  /** Resolves when the task and its children rest: final, failed, or waiting for a person. */
  settled(taskId: string, signal?: AbortSignal): Promise<TaskView>;
  /** What works at present: database, host, each wall of the sandbox, and how many tasks are unfinished. */
  health(): Promise<EngineHealth>;
  /** Whether requests are taken now: `recover` is done and the database takes turns. The host does not count. */
  readiness(): Readiness;
  /**
   * Commits the current turn, stops every script, frees the database. Tasks go on at the next `recover`. Never rejects:
   * a database that can't be written is freed all the same. Every call answers the one end.
   */
  close(): Promise<void>;
}
