/** Shapes of requests and responses: what the routes check and the OpenAPI document is generated from. Bodies of requests are the engine's (`src/engine/requests.ts`). */
import { z } from "@hono/zod-openapi";
import type { Json } from "../core/json/json.ts";
import { SURFACES } from "../core/script/dictionary.ts";
import { TASK_STATES } from "../core/task-states.ts";
import { AppId, InstallRequest, PAGE_LIMIT, TaskFilter } from "../engine/requests.ts";

const Id = z.string().min(1).max(200);
const JsonValue: z.ZodType<Json> = z.json().openapi({ type: "object", description: "Any JSON value" });

/** A number of the event log in a query or a header. */
export const Sequence = z.coerce.number().int().min(0);
const Limit = z.coerce.number().int().min(1).max(PAGE_LIMIT).optional();

export const Mode = z.enum(["install", "custom", "reinstall", "options"]).openapi({
  description:
    "Which questions are asked; by default those of the install, or of a reinstall where the app was installed before",
});

export const AppParams = z.object({ appId: AppId });
export const ActionParams = z.object({ appId: AppId, hookId: Id.openapi({ description: "Hook id" }) });
export const AnswerParams = z.object({ appId: AppId, key: Id.openapi({ description: "Key of a password question" }) });
export const WidgetParams = z.object({ appId: AppId, widgetId: Id.openapi({ description: "Widget id" }) });
export const TaskParams = z.object({ id: Id.openapi({ description: "Task id" }) });

export const ModeQuery = z.object({ mode: Mode.optional() });
export const ActionsQuery = z.object({
  surface: z.enum(SURFACES).optional().openapi({ description: "Where the actions are shown; `card` by default" }),
  file: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .openapi({ description: "Selected host path; may be repeated" }),
});

/** A parameter that is unknown is refused: a filter that is not one would list everything. */
export const TasksQuery = z.strictObject({
  app: AppId.optional(),
  unfinished: z
    .enum(["true", "false"])
    .optional()
    .openapi({ description: "Only tasks in no final state; `false`: only tasks in one" }),
  state: z
    .union([z.enum(TASK_STATES), z.array(z.enum(TASK_STATES))])
    .optional()
    .openapi({ description: "Only root tasks in this state; may be repeated" }),
  since: TaskFilter.shape.since.unwrap().optional().openapi({
    description: "Only root tasks whose `updated` is this moment or later",
    example: "2026-01-31T12:00:00Z",
  }),
  before: Id.optional().openapi({ description: "Id of a root task: only older ones are listed, see `next`" }),
  limit: Limit.openapi({ description: "Most tasks to list; 100 by default" }),
});
export const HistoryQuery = z.strictObject({
  from: Sequence.optional().openapi({ description: "Sequence number after which to read" }),
  limit: Limit.openapi({ description: "Most entries to read; 100 by default" }),
});
export const LogQuery = z.strictObject({
  limit: Limit.openapi({ description: "Most lines to read, the newest; all that are kept by default" }),
});

const PairingTarget = z.object({ appId: z.string(), name: z.string(), icon: z.string() }).openapi("PairingTarget");
export const Pairings = z
  .object({
    appId: z.string(),
    pairings: z.array(
      z
        .object({
          targets: z.array(PairingTarget),
          runsOnAppId: z.string(),
          hookId: z.string(),
          title: z.string(),
          description: z.string().optional(),
          kind: z.string().optional(),
        })
        .openapi("Pairing"),
    ),
  })
  .openapi("Pairings");

const Failure = z
  .object({
    code: z.string(),
    message: z.string(),
    context: z.array(z.object({ label: z.string(), value: z.string() })),
    retryable: z.boolean(),
    get cause() {
      return Failure.optional();
    },
  })
  .openapi("Failure");

/** Times are ISO 8601 UTC. */
export const Task = z
  .object({
    id: z.string(),
    kind: z.enum(["install", "upgrade", "update", "hook", "link"]),
    appId: z.string(),
    hookId: z.string().optional(),
    label: z.string(),
    group: z.string().optional().openapi({ description: '"App customizations" for links and the installs they need' }),
    state: z.enum(TASK_STATES),
    parent: z.string().optional(),
    get children() {
      return z.array(Task);
    },
    checkpoints: z.array(
      z.object({
        id: z.string(),
        message: z.string(),
        state: z.enum(["REGISTERED", "COMPLETED", "SKIPPED", "FAILED"]),
      }),
    ),
    progress: z.number().min(0).max(100),
    waitingFor: z
      .object({
        kind: z.enum(["person", "app", "host", "network", "time"]),
        since: z.string(),
        deadline: z.string().optional(),
        detail: z.record(z.string(), JsonValue).optional(),
      })
      .optional(),
    failure: Failure.optional(),
    revision: z.number().int().min(0).openapi({
      description:
        "Number of the question put to a person: what a retry or skip names. 0 while the task is quarantined",
    }),
    marks: z.array(z.string()),
    result: z.record(z.string(), JsonValue).optional(),
    created: z.string(),
    updated: z.string(),
  })
  .openapi("Task");

const Seq = z.number().int().min(0);

export const Tasks = z
  .object({
    tasks: z.array(Task),
    next: z.string().optional().openapi({ description: "`before` of the next page; absent on the last one" }),
    seq: Seq.openapi({ description: "What `GET events?from=` goes on from: nothing is missed, nothing comes twice" }),
  })
  .openapi("Tasks");

/** One change of the event stream: the task as it was after it, without its children. */
export const TaskEvent = z
  .object({
    seq: Seq,
    at: z.string(),
    taskId: z.string().openapi({ description: "Root task of the tree that changed" }),
    type: z.string(),
    task: Task.omit({ children: true }),
  })
  .openapi("TaskEvent");

export const History = z
  .object({
    events: z.array(
      TaskEvent.extend({
        cause: z.string().openapi({ description: "What the task took in" }),
        reason: z.string().optional().openapi({ description: "Why it came to nothing" }),
      }).openapi("HistoryEntry"),
    ),
    next: Seq.optional().openapi({ description: "`from` of the next page; absent on the last one" }),
  })
  .openapi("History");

export const Log = z.object({ lines: z.array(z.object({ at: z.string(), line: z.string() })) }).openapi("Log");

const LastKnown = z
  .object({ at: z.string(), ageMs: z.number().min(0) })
  .openapi("LastKnown", { description: "Present where the host does not answer: when it said what is shown" });

const InstalledApp = z.object({
  state: z.string(),
  version: z.string(),
  upgradeAvailable: z.boolean(),
  baseUrl: z.string(),
});
const App = z
  .object({
    appId: z.string(),
    name: z.string(),
    icon: z.string(),
    description: z.string().optional(),
    custom: z.boolean(),
    deprecated: z.boolean(),
    usable: z.boolean(),
    scriptVersion: z.string().optional(),
    installed: InstalledApp.nullable().optional(),
    lastKnown: LastKnown.optional(),
  })
  .openapi("App");
export const Apps = z.object({ apps: z.array(App) }).openapi("Apps");

const Place = z.object({
  message: z.string(),
  path: z.array(z.union([z.string(), z.number()])),
  line: z.number(),
  column: z.number(),
  length: z.number(),
});

const ProblemShape = Place.extend({
  code: z.string(),
  severity: z.enum(["error", "warning", "info"]),
  file: z.string().optional(),
  hint: z.string().optional(),
  related: z.array(Place).optional(),
}).openapi("Problem");

const WidgetSummary = z
  .object({
    widgetId: z.string(),
    title: z.string(),
    description: z.string().optional(),
    refresh: z.number(),
    sizes: z.record(z.string(), JsonValue).optional(),
    state: z.enum(["available", "unavailable"]),
    reason: z.string().optional(),
  })
  .openapi("WidgetSummary");

export const AppDetail = App.extend({
  pairings: z.array(
    z.object({
      hookId: z.string(),
      runsOnAppId: z.string(),
      title: z.string(),
      target: PairingTarget,
      status: z.enum(["connected", "installed", "not installed"]),
    }),
  ),
  suggestions: z.array(z.object({ hookId: z.string(), target: PairingTarget, installable: z.boolean() })),
  widgets: z.array(WidgetSummary),
  problems: z.array(ProblemShape),
}).openapi("AppDetail");

const ActionEntry = z
  .object({
    hookId: z.string(),
    title: z.string(),
    description: z.string().optional(),
    kind: z.string().optional(),
    state: z.enum(["enabled", "disabled"]),
    reason: z.string().optional(),
  })
  .openapi("Action");
export const Actions = z.object({ actions: z.array(ActionEntry) }).openapi("Actions");

export const Widgets = z.object({ widgets: z.array(WidgetSummary) }).openapi("Widgets");
export const Widget = z
  .object({
    widgetId: z.string(),
    title: z.string(),
    state: z.enum(["ready", "needsSetup", "hidden", "unavailable", "failed"]),
    reason: z.string().optional(),
    stale: z.boolean(),
    at: z.string().optional(),
    fields: z.record(z.string(), JsonValue).optional(),
    sizes: z.record(z.string(), JsonValue).optional(),
    buttons: z.array(ActionEntry),
    problems: z.array(ProblemShape),
  })
  .openapi("Widget");

const FiringLink = z
  .object({ hookId: z.string(), runsOnAppId: z.string(), title: z.string(), targets: z.array(z.string()) })
  .openapi("FiringLink");

/** Deep documents of the engine whose inside the interface passes on as they are. */
export const Form = z
  .object({
    appId: z.string(),
    mode: Mode,
    lastKnown: LastKnown.optional(),
    steps: z.array(z.record(z.string(), JsonValue)),
    consents: z.array(z.record(z.string(), JsonValue)),
    linksTitle: z.string().optional(),
    links: z.array(z.record(z.string(), JsonValue)),
    button: z.string().optional(),
    collapsed: z.array(FiringLink),
    request: InstallRequest,
    problems: z.array(ProblemShape),
  })
  .openapi("Form");

/** Body of `POST apps/{id}/answers/{key}/reveal`. */
export const RevealedAnswer = z
  .object({ key: z.string(), value: z.string().nullable().openapi({ description: "null where none is stored" }) })
  .openapi("RevealedAnswer");

const PreviewedApp = z
  .object({
    appId: z.string(),
    appValues: z.record(z.string(), JsonValue),
    directories: z.array(z.record(z.string(), JsonValue)),
    hooks: z.array(z.record(z.string(), JsonValue)),
    requirements: z.record(z.string(), JsonValue),
  })
  .openapi("PreviewedApp");

export const Preview = z
  .object({
    appId: z.string(),
    appValues: z.record(z.string(), JsonValue),
    directories: z.array(z.record(z.string(), JsonValue)),
    hooks: z.array(z.record(z.string(), JsonValue)),
    requirements: z.record(z.string(), JsonValue),
    links: z.array(FiringLink),
    installs: z.array(PreviewedApp),
    marks: z.array(z.string()),
    problems: z.array(ProblemShape),
    lastKnown: LastKnown.optional(),
    differences: z.array(z.record(z.string(), JsonValue)).optional(),
  })
  .openapi("Preview");

export const NotificationsQuery = z.object({
  unread: z.enum(["true", "false"]).optional().openapi({ description: "Only those nobody has marked as read" }),
});
export const NotificationParams = z.object({ id: Id.openapi({ description: "Notification id" }) });

const Notified = z
  .object({
    id: z.string(),
    at: z.string(),
    type: z.enum(["pairing.linked"]),
    runsOnAppId: z.string(),
    hookId: z.string(),
    target: z.string().openapi({ description: "The app that was linked" }),
    taskId: z.string().openapi({ description: "The link's task" }),
  })
  .openapi("NotificationMessage");

/** A stored notification. */
export const NotificationShape = Notified.extend({ read: z.boolean() }).openapi("Notification");
export const NotificationList = z.object({ notifications: z.array(NotificationShape) }).openapi("Notifications");
export const NotificationsRead = z.object({ read: z.number() }).openapi("NotificationsRead");

export const Sync = z
  .object({
    added: z.array(z.string()),
    changed: z.array(z.string()),
    removed: z.array(z.string()),
    problems: z.array(z.object({ file: z.string(), problems: z.array(ProblemShape) })),
  })
  .openapi("CatalogChanges");

export const Health = z
  .object({
    ok: z.boolean(),
    sandbox: z.record(z.string(), JsonValue),
    host: z.object({
      reachable: z.boolean(),
      appsService: z.string().optional(),
      code: z.string().optional(),
      detail: z.string().optional(),
      since: z.string().optional(),
      lastAttempt: z.string().optional(),
      lastAnswer: z.string().optional(),
    }),
    store: z.object({
      writable: z.boolean(),
      code: z.string().optional(),
      detail: z.string().optional(),
      after: z.enum(["new", "clean", "unclean"]),
      rolledBack: z.boolean(),
    }),
    tasks: z.object({ unfinished: z.number(), quarantined: z.number() }),
  })
  .openapi("Health");

export const Liveness = z.object({ live: z.literal(true) }).openapi("Liveness");

export const Readiness = z.object({ ready: z.boolean(), reasons: z.array(z.string()) }).openapi("Readiness");

/** RFC 9457 with our `code`. */
export const ProblemDetailsShape = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.number(),
    detail: z.string(),
    code: z.string(),
    hint: z.string(),
    errors: z.array(z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() })).optional(),
    taskId: z.string().optional(),
    problems: z.array(ProblemShape).optional(),
  })
  .openapi("ProblemDetails");
