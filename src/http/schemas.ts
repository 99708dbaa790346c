/** Shapes of requests and responses: what the routes check and the OpenAPI document is generated from. Bodies of requests are the engine's (`src/engine/requests.ts`). */
import { z } from "zod";
import { isJson, type Json } from "../core/json/json.ts";
import { LIFECYCLE_EVENTS, SURFACES } from "../core/script/dictionary.ts";
import type { AskedInput } from "../core/task/waiting.ts";
import { TASK_STATES } from "../core/task-states.ts";
import { AppId, InstallRequest, PAGE_LIMIT, TaskFilter } from "../engine/requests.ts";

const Id = z.string().min(1).max(200);
const JsonValue = z.custom<Json>((value) => isJson(value)).meta({ description: "Any JSON value" });
/** An object whose members are an author's or the host's business. */
const JsonMembers = z.record(z.string(), JsonValue).readonly();
/** Keys and indexes from the root of a document. */
const Path = z.array(z.union([z.string(), z.number()])).readonly();

/** A number of the event log in a query or a header. */
export const Sequence = z.coerce.number().int().min(0);
const Limit = z.coerce.number().int().min(1).max(PAGE_LIMIT).optional();

export const Mode = z.enum(["install", "custom", "reinstall", "options"]).meta({
  description:
    "Which questions are asked; by default those of the install, or of a reinstall where the app was installed before",
});

export const AppParams = z.object({ appId: AppId });
export const ActionParams = z.object({ appId: AppId, hookId: Id.meta({ description: "Hook id" }) });
export const AnswerParams = z.object({ appId: AppId, key: Id.meta({ description: "Key of a password question" }) });
export const WidgetParams = z.object({ appId: AppId, widgetId: Id.meta({ description: "Widget id" }) });
export const TaskParams = z.object({ id: Id.meta({ description: "Task id" }) });

export const ModeQuery = z.object({ mode: Mode.optional() });
export const ActionsQuery = z.object({
  surface: z.enum(SURFACES).optional().meta({ description: "Where the actions are shown; `card` by default" }),
  file: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .meta({ description: "Selected host path; may be repeated" }),
});

/** A parameter that is unknown is refused: a filter that is not one would list everything. */
export const TasksQuery = z.strictObject({
  app: AppId.optional(),
  unfinished: z
    .enum(["true", "false"])
    .optional()
    .meta({ description: "Only tasks in no final state; `false`: only tasks in one" }),
  state: z
    .union([z.enum(TASK_STATES), z.array(z.enum(TASK_STATES))])
    .optional()
    .meta({ description: "Only root tasks in this state; may be repeated" }),
  since: TaskFilter.shape.since.unwrap().optional().meta({
    description: "Only root tasks whose `updated` is this moment or later",
    example: "2026-01-31T12:00:00Z",
  }),
  before: Id.optional().meta({ description: "Id of a root task: only older ones are listed, see `next`" }),
  limit: Limit.meta({ description: "Most tasks to list; 100 by default" }),
});
export const HistoryQuery = z.strictObject({
  from: Sequence.optional().meta({ description: "Sequence number after which to read" }),
  limit: Limit.meta({ description: "Most entries to read; 100 by default" }),
});
export const LogQuery = z.strictObject({
  limit: Limit.meta({ description: "Most lines to read, the newest; all that are kept by default" }),
});

const PairingTarget = z.object({ appId: z.string(), name: z.string(), icon: z.string() }).meta({ id: "PairingTarget" });
export const Pairings = z
  .object({
    appId: z.string(),
    pairings: z
      .array(
        z
          .object({
            targets: z.array(PairingTarget).readonly(),
            runsOnAppId: z.string(),
            hookId: z.string(),
            title: z.string(),
            description: z.string().optional(),
            kind: z.string().optional(),
          })
          .meta({ id: "Pairing" }),
      )
      .readonly(),
  })
  .meta({ id: "Pairings" });

const Failure = z
  .object({
    code: z.string(),
    message: z.string(),
    context: z.array(z.object({ label: z.string(), value: z.string() })).readonly(),
    retryable: z.boolean(),
    get cause() {
      return Failure.optional();
    },
  })
  .meta({ id: "Failure" });

const since = { since: z.string(), deadline: z.string().optional() };

/** An input as its script declares it, with where its sign-in stands. Its members beside these are the author's. */
const AskedInputShape = z.custom<AskedInput>(isJson).meta({
  id: "AskedInput",
  type: "object",
  required: ["id", "type"],
  properties: {
    id: { type: "string" },
    type: { type: "string", enum: ["oauth", "question"] },
    authorization: {
      type: "object",
      description: "`open` with the address and the code to enter there, or `failed` with the failure",
      required: ["status"],
      properties: {
        status: { type: "string", enum: ["open", "failed"] },
        url: { type: "string" },
        code: { type: "string" },
        expiresAt: { type: "string" },
        failure: { $ref: "#/$defs/Failure" },
      },
    },
  },
  additionalProperties: true,
});

const WaitingFor = z
  .union([
    z.object({
      ...since,
      kind: z.literal("person"),
      detail: z.union([
        z.object({ child: z.string() }),
        z.object({
          choices: z.tuple([z.literal("input"), z.literal("skip"), z.literal("cancel")]).readonly(),
          inputs: z.array(AskedInputShape).readonly(),
        }),
        z.object({
          choices: z.tuple([z.literal("retry"), z.literal("skip"), z.literal("cancel")]).readonly(),
          checkpoint: z.string().optional(),
          warning: z.string().optional(),
        }),
      ]),
    }),
    z.object({
      ...since,
      kind: z.literal("app"),
      detail: z
        .union([
          z.object({ state: z.string() }),
          z.object({ apps: z.array(z.string()).readonly(), reasons: z.array(z.string()).readonly() }),
        ])
        .optional(),
    }),
    z.object({ ...since, kind: z.enum(["host", "network", "time"]) }),
  ])
  .meta({ id: "WaitingFor" });

/** Times are ISO 8601 UTC. */
export const Task = z
  .object({
    id: z.string(),
    kind: z.enum(["install", "upgrade", "update", "hook", "link"]),
    appId: z.string(),
    hookId: z.string().optional(),
    label: z.string(),
    group: z.string().optional().meta({ description: '"App customizations" for links and the installs they need' }),
    state: z.enum(TASK_STATES),
    parent: z.string().optional(),
    get children() {
      return z.array(Task).readonly();
    },
    checkpoints: z
      .array(
        z.object({
          id: z.string(),
          message: z.string(),
          state: z.enum(["REGISTERED", "COMPLETED", "SKIPPED", "FAILED"]),
        }),
      )
      .readonly(),
    progress: z.number().min(0).max(100),
    waitingFor: WaitingFor.optional(),
    failure: Failure.optional(),
    revision: z.number().int().min(0).meta({
      description:
        "Number of the question put to a person: what a retry or skip names. 0 while the task is quarantined",
    }),
    marks: z.array(z.string()).readonly(),
    result: JsonMembers.optional(),
    created: z.string(),
    updated: z.string(),
  })
  .meta({ id: "Task" });

const Seq = z.number().int().min(0);

export const Tasks = z
  .object({
    tasks: z.array(Task).readonly(),
    next: z.string().optional().meta({ description: "`before` of the next page; absent on the last one" }),
    seq: Seq.meta({ description: "What `GET events?from=` goes on from: nothing is missed, nothing comes twice" }),
  })
  .meta({ id: "Tasks" });

const Notified = z
  .object({
    id: z.string(),
    at: z.string(),
    type: z.enum(["pairing.linked"]),
    runsOnAppId: z.string(),
    hookId: z.string(),
    target: z.string().meta({ description: "The app that was linked" }),
    taskId: z.string().meta({ description: "The link's task" }),
  })
  .meta({ id: "NotificationMessage" });

/** One change of the event stream: the task as it was after it, without its children. */
export const TaskEvent = z
  .object({
    seq: Seq,
    at: z.string(),
    taskId: z.string().meta({ description: "Root task of the tree that changed" }),
    type: z.string(),
    task: Task.omit({ children: true }),
    notification: Notified.optional().meta({ description: "What people were told, of a `task.notified`" }),
  })
  .meta({ id: "TaskEvent" });

/** `data` of an event of the stream: of the first one, `stream.opened`, the newest number of that moment. */
export const StreamEvent = z
  .union([TaskEvent, z.object({ seq: Seq }).meta({ id: "StreamOpened" })])
  .meta({ id: "StreamEvent" });

export const History = z
  .object({
    events: z
      .array(
        TaskEvent.extend({
          cause: z.string().meta({ description: "What the task took in" }),
          reason: z.string().optional().meta({ description: "Why it came to nothing" }),
        }).meta({ id: "HistoryEntry" }),
      )
      .readonly(),
    next: Seq.optional().meta({ description: "`from` of the next page; absent on the last one" }),
  })
  .meta({ id: "History" });

export const Log = z
  .object({ lines: z.array(z.object({ at: z.string(), line: z.string() })).readonly() })
  .meta({ id: "Log" });

const LastKnown = z
  .object({ at: z.string(), ageMs: z.number().min(0) })
  .meta({ id: "LastKnown", description: "Present where the host does not answer: when it said what is shown" });

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
  .meta({ id: "App" });
export const Apps = z.object({ apps: z.array(App).readonly() }).meta({ id: "Apps" });

const Place = z.object({
  message: z.string(),
  path: Path,
  line: z.number(),
  column: z.number(),
  length: z.number(),
});

const ProblemShape = Place.extend({
  code: z.string(),
  severity: z.enum(["error", "warning", "info"]),
  file: z.string().optional(),
  hint: z.string().optional(),
  related: z.array(Place).readonly().optional(),
}).meta({ id: "Problem" });

const WidgetSummary = z
  .object({
    widgetId: z.string(),
    title: z.string(),
    description: z.string().optional(),
    refresh: z.number(),
    sizes: JsonMembers.optional(),
    state: z.enum(["available", "unavailable"]),
    reason: z.string().optional(),
  })
  .meta({ id: "WidgetSummary" });

export const AppDetail = App.extend({
  pairings: z
    .array(
      z.object({
        hookId: z.string(),
        runsOnAppId: z.string(),
        title: z.string(),
        target: PairingTarget,
        status: z.enum(["connected", "installed", "not installed"]),
      }),
    )
    .readonly(),
  suggestions: z.array(z.object({ hookId: z.string(), target: PairingTarget, installable: z.boolean() })).readonly(),
  widgets: z.array(WidgetSummary).readonly(),
  problems: z.array(ProblemShape).readonly(),
}).meta({ id: "AppDetail" });

const ActionEntry = z
  .object({
    hookId: z.string(),
    title: z.string(),
    description: z.string().optional(),
    kind: z.string().optional(),
    state: z.enum(["enabled", "disabled"]),
    reason: z.string().optional(),
  })
  .meta({ id: "Action" });
export const Actions = z.object({ actions: z.array(ActionEntry).readonly() }).meta({ id: "Actions" });

export const Widgets = z.object({ widgets: z.array(WidgetSummary).readonly() }).meta({ id: "Widgets" });
export const Widget = z
  .object({
    widgetId: z.string(),
    title: z.string(),
    state: z.enum(["ready", "needsSetup", "hidden", "unavailable", "failed"]),
    reason: z.string().optional(),
    stale: z.boolean(),
    at: z.string().optional(),
    fields: JsonMembers.optional(),
    sizes: JsonMembers.optional(),
    buttons: z.array(ActionEntry).readonly(),
    problems: z.array(ProblemShape).readonly(),
  })
  .meta({ id: "Widget" });

const Question = z
  .object({
    question: z.string(),
    description: z.string().optional(),
    placeholder: z.string().optional(),
    type: z.enum(["text", "number", "select", "boolean", "password"]),
    key: z.string(),
    options: z
      .array(z.object({ text: z.string(), value: JsonValue }))
      .readonly()
      .optional(),
    required: z.boolean(),
    default: JsonValue.optional(),
    installonly: z.boolean(),
    group: z.string().optional(),
    generated: z.literal(true).optional().meta({ description: "The default was generated for this install" }),
    isSet: z.literal(true).optional().meta({ description: "A stored answer is kept and not shown" }),
  })
  .meta({ id: "Question" });

const FormStep = z
  .object({
    title: z.string(),
    rail: z.boolean(),
    sections: z.array(z.object({ title: z.string(), questions: z.array(Question).readonly() })).readonly(),
  })
  .meta({ id: "FormStep" });

const FormConsent = z
  .object({
    hookId: z.string(),
    label: z.string(),
    description: z.string().optional(),
    default: z.boolean(),
    checked: z.boolean(),
    requiresConsents: z.array(z.string()).readonly(),
    available: z.boolean(),
    link: z.object({ url: z.string(), label: z.string() }).optional(),
  })
  .meta({ id: "FormConsent" });

const FormLinkTarget = z
  .object({
    appId: z.string(),
    name: z.string(),
    icon: z.string(),
    label: z.string(),
    installed: z.boolean(),
    default: z.boolean(),
    checked: z.boolean(),
    installable: z.boolean(),
    steps: z.array(FormStep).readonly().optional(),
    consents: z.array(FormConsent).readonly().optional(),
  })
  .meta({ id: "FormLinkTarget" });

const FormLink = z
  .object({
    hookId: z.string(),
    runsOnAppId: z.string(),
    direction: z.enum(["outgoing", "incoming"]),
    title: z.string(),
    description: z.string().optional(),
    kind: z.string().optional(),
    targets: z.array(FormLinkTarget).readonly(),
    requiresConsents: z.array(z.string()).readonly(),
    available: z.boolean(),
    reason: z.string().optional(),
  })
  .meta({ id: "FormLink" });

const FiringLink = z
  .object({
    hookId: z.string(),
    runsOnAppId: z.string(),
    title: z.string(),
    targets: z.array(z.string()).readonly(),
  })
  .meta({ id: "FiringLink" });

export const Form = z
  .object({
    appId: z.string(),
    mode: Mode,
    lastKnown: LastKnown.optional(),
    steps: z.array(FormStep).readonly(),
    consents: z.array(FormConsent).readonly(),
    linksTitle: z.string().optional(),
    links: z.array(FormLink).readonly(),
    button: z.string().optional(),
    collapsed: z.array(FiringLink).readonly(),
    request: InstallRequest,
    problems: z.array(ProblemShape).readonly(),
  })
  .meta({ id: "Form" });

/** Body of `POST apps/{id}/answers/{key}/reveal`. */
export const RevealedAnswer = z
  .object({ key: z.string(), value: z.string().nullable().meta({ description: "null where none is stored" }) })
  .meta({ id: "RevealedAnswer" });

const PreviewedApp = z
  .object({
    appId: z.string(),
    appValues: JsonMembers,
    directories: z.array(JsonMembers).readonly(),
    hooks: z
      .array(
        z.object({
          id: z.string(),
          title: z.string(),
          event: z.enum(LIFECYCLE_EVENTS),
          optional: z.boolean(),
          consent: z.boolean().optional(),
          closedBy: z.array(z.string()).readonly().optional(),
          fires: z.boolean(),
        }),
      )
      .readonly(),
    requirements: JsonMembers,
  })
  .meta({ id: "PreviewedApp" });

export const Preview = z
  .object({
    ...PreviewedApp.shape,
    links: z.array(FiringLink).readonly(),
    installs: z.array(PreviewedApp).readonly(),
    marks: z.array(z.string()).readonly(),
    problems: z.array(ProblemShape).readonly(),
    lastKnown: LastKnown.optional(),
    differences: z
      .array(
        z.object({
          path: Path,
          kind: z.enum(["added", "changed"]),
          before: JsonValue.optional(),
          after: JsonValue,
        }),
      )
      .readonly()
      .optional(),
  })
  .meta({ id: "Preview" });

export const NotificationsQuery = z.object({
  unread: z.enum(["true", "false"]).optional().meta({ description: "Only those nobody has marked as read" }),
});
export const NotificationParams = z.object({ id: Id.meta({ description: "Notification id" }) });

/** A stored notification. */
export const NotificationShape = Notified.extend({ read: z.boolean() }).meta({ id: "Notification" });
export const NotificationList = z
  .object({ notifications: z.array(NotificationShape).readonly() })
  .meta({ id: "Notifications" });
export const NotificationsRead = z.object({ read: z.number() }).meta({ id: "NotificationsRead" });

export const Sync = z
  .object({
    added: z.array(z.string()).readonly(),
    changed: z.array(z.string()).readonly(),
    removed: z.array(z.string()).readonly(),
    problems: z.array(z.object({ file: z.string(), problems: z.array(ProblemShape).readonly() })).readonly(),
  })
  .meta({ id: "CatalogChanges" });

export const Health = z
  .object({
    ok: z.boolean(),
    sandbox: z.object({
      usable: z.boolean(),
      layers: z
        .array(z.object({ name: z.string(), mandatory: z.boolean(), active: z.boolean(), detail: z.string() }))
        .readonly(),
    }),
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
  .meta({ id: "Health" });

export const Liveness = z.object({ live: z.literal(true) }).meta({ id: "Liveness" });

export const Readiness = z
  .object({ ready: z.boolean(), reasons: z.array(z.string()).readonly() })
  .meta({ id: "Readiness" });

/** RFC 9457 with our `code`; the members after `hint` are the facts of one code or another. */
export const ProblemDetailsShape = z
  .looseObject({
    type: z.string(),
    title: z.string(),
    status: z.number().int(),
    detail: z.string(),
    code: z.string(),
    hint: z.string(),
    errors: z
      .array(z.object({ path: Path, message: z.string() }))
      .readonly()
      .optional()
      .meta({ description: "Where a request has another shape than it may have" }),
    problems: z.array(ProblemShape).readonly().optional(),
    taskId: z.string().optional(),
    state: z.enum(TASK_STATES).optional().meta({ description: "Of the task that refuses" }),
    revision: z.number().int().min(0).optional().meta({ description: "Of the question the task asks now" }),
    checkpoint: z.string().optional().meta({ description: "Of the question the task asks now" }),
    appId: z.string().optional(),
    hookId: z.string().optional(),
    widgetId: z.string().optional(),
    key: z.string().optional(),
    reason: z.string().optional(),
    file: z.string().optional().meta({ description: "Relative to the catalog" }),
    installed: z.string().optional().meta({ description: "Version of the installed script" }),
    version: z.string().optional().meta({ description: "Version of the catalog's script" }),
    retryAfter: z.number().optional().meta({ description: "Seconds" }),
  })
  .meta({ id: "ProblemDetails" });
