/**
 * Requests of callers to the engine: the one shape of each. The engine checks whatever reaches it, HTTP describes
 * and checks its bodies by the same schemas, the command line its files. Whether what a request names exists is checked
 * later, by what the request is for.
 */
import { z } from "zod";
import { EngineError, type RequestFault } from "../core/codes/problems.ts";
import { isJson, type Json } from "../core/json/json.ts";
import { APP_ID, APP_ID_WORDS } from "../core/script/app-id.ts";
import { SURFACES } from "../core/script/dictionary.ts";
import { MAX_ID, WIDGET_SIZES } from "../core/script/script-words.ts";
import { TASK_STATES } from "../core/task-states.ts";

/** Id of a catalog app. */
export const AppId = z
  .string()
  .regex(APP_ID, `an app id is ${APP_ID_WORDS}`)
  .meta({ example: "jellyfin", description: "Catalog app id" });
/** Id of a hook, unique in its app. */
export const HookId = z.string().min(1).max(MAX_ID);
const JsonValue = z
  .custom<Json>((value) => isJson(value), "allowed is JSON of at most 32 levels")
  .meta({ description: "Any JSON value" });

/** The answers of an install request alone. */
export const Answers = z.record(z.string(), JsonValue).readonly().meta({ description: "Answers by question key" });
const Inputs = z
  .record(z.string(), JsonValue, { error: 'allowed are values by input id: {"<input id>": <value>}' })
  .readonly()
  .meta({ description: "Values by input id" });
/** Consents of a request, or an export. */
export const Consents = z
  .record(z.string(), z.boolean())
  .readonly()
  .meta({ description: "Consents by hook id; omitted ones are their defaults" });

const TargetChoices = z
  .strictObject({
    answers: Answers.exactOptional(),
    consents: Consents.exactOptional(),
  })
  .readonly();

/** A link to set up with an install, and the choices for targets that are installed for it. */
const LinkRequest = z
  .strictObject({
    hookId: HookId,
    runsOnAppId: AppId,
    targets: z.array(AppId).readonly(),
    inputs: Inputs.exactOptional(),
    install: z.record(AppId, TargetChoices).readonly().exactOptional(),
  })
  .readonly();
export type LinkRequest = z.infer<typeof LinkRequest>;

const Links = z
  .union([z.literal("default"), z.array(LinkRequest).readonly()])
  .meta({ description: 'The links to set up, or "default": those the untouched install dialog would fire' });

/** Install, upgrade, update, preview and form. Omitted consents are their defaults, omitted links none. */
export const InstallRequest = z
  .strictObject({
    answers: Answers.exactOptional(),
    consents: Consents.exactOptional(),
    inputs: z.record(z.string(), Inputs).readonly().exactOptional(),
    links: Links.exactOptional(),
    revision: z.string().max(100).exactOptional().meta({
      description:
        "`request.revision` of the form that was agreed to: where it would show something else by now, the answer is 409 `TASK_FORM_STALE`",
    }),
  })
  .meta({ id: "InstallRequest" });
export type InstallRequest = Readonly<z.infer<typeof InstallRequest>>;

/** An upgrade. */
export const UpgradeRequest = InstallRequest.extend({
  version: z.string().min(1).max(100).exactOptional().meta({
    description: "One of the versions its preview lists; the newest by default",
    example: "1.2.0",
  }),
  withValues: z.boolean().exactOptional().meta({
    description:
      "Send the values of the app's script along, merged into those it has, for a version that refuses those it has; of a custom app they are sent anyway",
  }),
  rollbackOnFailure: z.boolean().exactOptional().meta({
    description:
      "Roll back by itself where the upgrade fails after it changed the app, or the app does not run after it",
  }),
}).meta({ id: "UpgradeRequest" });
export type UpgradeRequest = Readonly<z.infer<typeof UpgradeRequest>>;

/** The upgrades of several apps. */
export const UpgradeAllRequest = z
  .strictObject({
    except: z.array(AppId).max(1000).readonly().exactOptional().meta({ description: "All but these" }),
    apps: z
      .array(AppId)
      .min(1)
      .max(1000)
      .readonly()
      .exactOptional()
      .meta({ description: "Only these; all that have an upgrade by default" }),
    stopOnFailure: z.boolean().exactOptional().meta({
      description: "Begin no further upgrade once one has failed; false by default",
    }),
  })
  .meta({ id: "UpgradeAllRequest" });
export type UpgradeAllRequest = Readonly<z.infer<typeof UpgradeAllRequest>>;

/** How long a window is open where its policy does not say. */
export const WINDOW_MINUTES = 60;

/** Upgrades that begin by themselves, at the times of a cron expression by the host's clock. */
const AutomaticUpgrades = z
  .strictObject({
    mode: z.literal("automatic"),
    cron: z.string().max(200).meta({
      description: "Five fields: minute, hour, day of the month, month, day of the week",
      example: "0 3 * * *",
    }),
    minutes: z
      .int()
      .min(1)
      .max(1440)
      .exactOptional()
      .meta({
        description: `How long a window is open: until then what can't begin at once is tried again; ${WINDOW_MINUTES} by default`,
      }),
    late: z.boolean().exactOptional().meta({
      description: "A window that was missed is made up for as soon as that can be, the newest alone; false by default",
    }),
    stopOnFailure: z.boolean().exactOptional(),
  })
  .readonly();
export type AutomaticUpgrades = z.infer<typeof AutomaticUpgrades>;

/** Who begins upgrades: a person, one who is told of each new version, or the engine by itself. */
const UpgradePolicy = z
  .discriminatedUnion("mode", [
    z.strictObject({ mode: z.literal("manual") }).readonly(),
    z.strictObject({ mode: z.literal("notify") }).readonly(),
    AutomaticUpgrades,
  ])
  .meta({ id: "UpgradePolicy" });
export type UpgradePolicy = z.infer<typeof UpgradePolicy>;

/** The policy of all apps, and of those that have one of their own, in place of all policies there were. */
export const UpgradePolicies = z
  .strictObject({
    all: UpgradePolicy.default({ mode: "manual" }),
    apps: z.record(AppId, UpgradePolicy).readonly().default({}),
  })
  .readonly()
  .meta({ id: "UpgradePolicies" });
export type UpgradePolicies = z.infer<typeof UpgradePolicies>;

/** The same as a caller hands it over: what is left out is manual. */
export const UpgradePoliciesRequest = UpgradePolicies.unwrap()
  .extend({
    revision: z.string().max(100).exactOptional().meta({
      description:
        "`revision` of the policies they take the place of: where others are kept by now, the answer is 409 `TASK_POLICIES_STALE`",
    }),
  })
  .readonly()
  .meta({ id: "UpgradePoliciesRequest" });
export type UpgradePoliciesRequest = z.input<typeof UpgradePoliciesRequest>;

/** A passphrase: eight characters are the least, since whoever has the file may try as many as they like. */
const Passphrase = z.string().min(8, "a passphrase has at least 8 characters").max(1024);

/** An export of all apps: the passphrase its secrets are sealed with, or that they are left out. */
export const ExportRequest = z
  .union([z.strictObject({ passphrase: Passphrase }), z.strictObject({ withoutSecrets: z.literal(true) })])
  .meta({
    id: "ExportRequest",
    description: "A passphrase of at least 8 characters that secrets are sealed with, or that they are left out",
  });
export type ExportRequest = Readonly<z.infer<typeof ExportRequest>>;

/** An import: the text of an export, and what it takes to play it here. */
export const ImportRequest = z
  .strictObject({
    file: z.string().meta({ description: "The text of the export, as it was written" }),
    passphrase: z.string().max(1024).exactOptional().meta({ description: "What its secrets were sealed with" }),
    withoutSecrets: z.boolean().exactOptional().meta({
      description: "Do without the secrets in it: they are generated or given in `answers`; false by default",
    }),
    answers: z.record(AppId, Answers).readonly().exactOptional().meta({
      description: "Answers by app id, in place of those in the file",
    }),
  })
  .meta({ id: "ImportRequest" });
export type ImportRequest = Readonly<z.infer<typeof ImportRequest>>;

/** An uninstall: without a word to the contrary the app's data, answers and secrets are kept. */
export const UninstallRequest = z
  .strictObject({
    keepData: z.boolean().exactOptional().meta({
      description:
        "`false`: the app's own directories are removed after a snapshot, then its answers and secrets are forgotten; `true` by default",
    }),
    removes: z.array(z.string().max(4096)).max(1000).readonly().exactOptional().meta({
      description:
        "With `keepData: false`, the paths the preview showed as `removed`: where another one would be removed by now, the answer is 409 `TASK_UNINSTALL_STALE`",
    }),
  })
  .meta({ id: "UninstallRequest" });
export type UninstallRequest = Readonly<z.infer<typeof UninstallRequest>>;

/** An adoption; answers are taken for the questions whose answers the app's configuration does not tell. */
export const AdoptRequest = z
  .strictObject({
    answers: Answers.exactOptional(),
    revision: z.string().max(100).exactOptional().meta({
      description:
        "`revision` of the preview that was agreed to, of the same answers: where it would say something else by now, the answer is 409 `TASK_ADOPT_STALE`",
    }),
  })
  .meta({ id: "AdoptRequest" });
export type AdoptRequest = Readonly<z.infer<typeof AdoptRequest>>;

/** A rollback: to the newest snapshot taken before an upgrade or update where none is named. */
export const RollbackRequest = z
  .strictObject({
    snapshot: z.string().min(1).max(600).exactOptional().meta({
      description: "`id` of one of the app's snapshots, or `dataset@name` of what is in one",
    }),
    withoutSnapshot: z.boolean().exactOptional().meta({
      description:
        "Go on where no snapshot of the present can be taken; false by default. The older version then runs on the present's data before that is put aside",
    }),
  })
  .meta({ id: "RollbackRequest" });
export type RollbackRequest = Readonly<z.infer<typeof RollbackRequest>>;

/** A pressed action; `files` are host paths of what is selected. */
export const ActionRequest = z
  .strictObject({
    surface: z.enum(SURFACES).exactOptional(),
    files: z.array(z.string().startsWith("/").max(4096)).max(1000).readonly().exactOptional(),
    inputs: Inputs.exactOptional(),
  })
  .meta({ id: "ActionRequest" });
export type ActionRequest = Readonly<z.infer<typeof ActionRequest>>;

/** Values for a task that waits for input, by input id. */
export const InputRequest = Inputs;
export type InputRequest = z.infer<typeof InputRequest>;

/** The question a retry, a skip or inputs answer, as the task showed it; without one it answers whatever is asked now. */
export const DecisionRequest = z
  .strictObject({
    revision: z.int().min(0).exactOptional().meta({ description: "The task's `revision`" }),
    checkpoint: z
      .string()
      .max(200)
      .exactOptional()
      .meta({ description: "The checkpoint its script waits at: `waitingFor.detail.checkpoint`" }),
  })
  .meta({ id: "DecisionRequest" });
export type DecisionRequest = Readonly<z.infer<typeof DecisionRequest>>;

/** Longest a drain may wait, in ms: a day. */
const LONGEST_DRAIN_MS = 86_400_000;

/** How long a drain waits, in ms. */
export const DrainDeadline = z.strictObject({ deadlineMs: z.int().min(0).max(LONGEST_DRAIN_MS) });

/** Most tasks, events or lines one request reads. */
export const PAGE_LIMIT = 1_000;
/** A whole number of things to read at most. */
const Limit = z.int().min(1).max(PAGE_LIMIT);

/** Words of which each has to stand somewhere in what is found, in any order. */
const Search = z.string().max(200);

/** Which apps are listed; every part narrows. */
export const AppFilter = z.strictObject({
  search: Search.exactOptional().meta({
    description: "Words that all stand in the id, the name or the description, whatever their case",
  }),
  installed: z.boolean().exactOptional().meta({ description: "Only apps that are installed; false: only others" }),
  upgradable: z.literal(true).exactOptional().meta({ description: "Only apps that an upgrade is offered for" }),
  after: z
    .string()
    .min(1)
    .max(200)
    .exactOptional()
    .meta({ description: "Id of an app: only those after it are listed" }),
  limit: Limit.exactOptional().meta({ description: "Most apps to list; all by default" }),
});
export type AppFilter = Readonly<z.infer<typeof AppFilter>>;

/** Which of the widgets of all apps are listed. */
export const WidgetFilter = z.strictObject({
  installed: z.boolean().exactOptional().meta({ description: "Only widgets of installed apps; false: only of others" }),
});
export type WidgetFilter = Readonly<z.infer<typeof WidgetFilter>>;

/** Most tiles of a dashboard. */
export const TILE_LIMIT = 100;

/** A widget's place on the dashboard; without a size it is the first one the widget declares. */
const TileRequest = z
  .strictObject({
    appId: AppId,
    widgetId: z.string().min(1).max(MAX_ID),
    size: z.enum(WIDGET_SIZES).exactOptional(),
  })
  .readonly();

/** The dashboard as a person wants it. */
export const DashboardRequest = z
  .strictObject({
    tiles: z
      .array(TileRequest)
      .max(TILE_LIMIT)
      .readonly()
      .nullable()
      .meta({ description: "In the order they are shown; null: the default again" }),
  })
  .meta({ id: "DashboardRequest" });
export type DashboardRequest = Readonly<z.infer<typeof DashboardRequest>>;

/** A path of the host. */
const HostFile = z.string().startsWith("/").max(4096);

/** Which folder is listed, and which page of it. */
export const FolderRequest = z.strictObject({
  path: z.string().max(4096).exactOptional().meta({ description: "Host path of a folder; absent: the locations" }),
  after: z.string().max(1024).exactOptional().meta({ description: "`next` of the page before" }),
  limit: Limit.exactOptional().meta({ description: "Most entries to list; 200 by default" }),
});
export type FolderRequest = Readonly<z.infer<typeof FolderRequest>>;

/** Host paths of selected files. */
export const SelectionRequest = z.array(HostFile).min(1).max(1000);

/** Which root tasks are listed; every part narrows. */
export const TaskFilter = z.strictObject({
  search: Search.exactOptional().meta({
    description: "Words that all stand in the app's id or the task's title; case counts beyond A to Z",
  }),
  appId: AppId.exactOptional(),
  unfinished: z
    .boolean()
    .exactOptional()
    .meta({ description: "Only tasks that are in no final state; false: only tasks that are" }),
  states: z
    .array(z.enum(TASK_STATES))
    .readonly()
    .exactOptional()
    .meta({ description: "Only root tasks in one of these states" }),
  since: z.iso
    .datetime({ offset: true })
    .exactOptional()
    .meta({ description: "Only root tasks whose `updated` is this moment or later", example: "2026-01-31T12:00:00Z" }),
  before: z
    .string()
    .min(1)
    .max(200)
    .exactOptional()
    .meta({ description: "Id of a root task: only older ones are listed" }),
  limit: Limit.exactOptional().meta({ description: "Most tasks to list; 100 by default" }),
});
export type TaskFilter = Readonly<z.infer<typeof TaskFilter>>;

/** Which part of the audit list is read; every part narrows. */
export const AuditRange = z.strictObject({
  appId: AppId.exactOptional(),
  taskId: z.string().min(1).max(200).exactOptional(),
  actorId: z.string().min(1).max(200).exactOptional().meta({ description: "Id of an actor" }),
  before: z.int().min(0).exactOptional().meta({ description: "Number of an entry: only older ones are read" }),
  limit: Limit.exactOptional().meta({ description: "Most entries to read; 100 by default" }),
});
export type AuditRange = Readonly<z.infer<typeof AuditRange>>;

/** Which part of a task's history is read. */
export const HistoryRange = z.strictObject({
  from: z.int().min(0).exactOptional().meta({ description: "Sequence number after which to read; 0 by default" }),
  limit: Limit.exactOptional().meta({ description: "Most entries to read; 100 by default" }),
});
export type HistoryRange = Readonly<z.infer<typeof HistoryRange>>;

/** Which of a hook's lines are read: the newest ones, or those before a line. */
export const LogRange = z.strictObject({
  before: z.int().min(0).exactOptional().meta({ description: "Number of a line: only older ones are read" }),
  limit: Limit.exactOptional().meta({ description: "Most lines to read, the newest; all that are kept by default" }),
});
export type LogRange = Readonly<z.infer<typeof LogRange>>;

/** A request of the right shape. Throws `TASK_REQUEST_INVALID {errors}` with its faults, the first of many. */
export function readRequest<Schema extends z.ZodType>(schema: Schema, request: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(request);
  if (parsed.success) return parsed.data;
  throw createRequestError(toRequestFaults(parsed.error));
}

/** The faults of a request as their path in it and a message. */
export function toRequestFaults({ issues }: Pick<z.ZodError, "issues">): readonly RequestFault[] {
  return issues.map(({ path, message }) => ({ path: path.filter((step) => typeof step !== "symbol"), message }));
}

/** The refusal of a request for its shape; its message names the first fault. */
export function createRequestError(faults: readonly RequestFault[]): EngineError {
  const errors = shortenFaults(faults);
  return new EngineError("TASK_REQUEST_INVALID", describeFault(errors[0]), { errors });
}

/** Most faults of one request that are told, and characters of what is said of each: a request may have any number. */
const TOLD = { faults: 20, characters: 500 };

/** The first faults, and how many more there are. */
export function shortenFaults(faults: readonly RequestFault[]): readonly RequestFault[] {
  const told = faults.slice(0, TOLD.faults).map(({ path, message }) => ({
    path,
    message: message.length > TOLD.characters ? `${message.slice(0, TOLD.characters)}…` : message,
  }));
  const more = faults.length - told.length;
  return more === 0 ? told : [...told, { path: [], message: `and ${more} more` }];
}

/** A fault as a sentence that begins with its place, where it has one. */
export function describeFault(fault: RequestFault | undefined): string {
  if (fault === undefined) return "the request is malformed";
  return fault.path.length === 0 ? fault.message : `"${fault.path.join(".")}": ${fault.message}`;
}
