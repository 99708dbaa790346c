import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { createAppUnknownError } from "../../core/codes/common-errors.ts";
import {
  ActionRequest,
  type AppFilter,
  InstallRequest,
  RollbackRequest,
  UninstallRequest,
  UpgradeRequest,
} from "../../engine/requests.ts";
import { defineJsonBody, defineJsonContent, ERRORS, type RouteContext } from "../context.ts";
import { NO_STORE } from "../problem-details.ts";
import { ActionParams, Actions, ActionsQuery } from "../schemas/actions.ts";
import { AnswerParams, AppDetail, AppParams, Apps, AppsQuery, RevealedAnswer } from "../schemas/apps.ts";
import { Form, ModeQuery } from "../schemas/forms.ts";
import { AppSnapshots, Preview, RollbackPreview, UninstallPreview } from "../schemas/previews.ts";
import { Task } from "../schemas/tasks.ts";
import { Widget, WidgetParams, Widgets } from "../schemas/widgets.ts";

const listApps = createRoute({
  operationId: "listApps",
  method: "get",
  path: "/apps",
  summary: "The catalog's apps, with what the host says of them",
  request: { query: AppsQuery },
  responses: { 200: defineJsonContent(Apps, "The apps, by id"), ...ERRORS },
});

const getApp = createRoute({
  operationId: "getApp",
  method: "get",
  path: "/apps/{appId}",
  summary: "One app with its pairings, suggestions, widgets, problems, requirements and what is new",
  request: { params: AppParams },
  responses: { 200: defineJsonContent(AppDetail, "The app"), ...ERRORS },
});

const getForm = createRoute({
  operationId: "getForm",
  method: "get",
  path: "/apps/{appId}/form",
  summary: "The install, options or upgrade dialog as data",
  description:
    "An upgrade asks nothing before it begins: `mode=upgrade` says where it leads, what it changes, and in `problems` what it would be refused for. A stored password, or a text with one inside, is not shown: its question has `isSet`, and keeps it where the update gives no answer. A generated default is the one used by the install, upgrade or update started within an hour.",
  request: { params: AppParams, query: ModeQuery },
  responses: { 200: defineJsonContent(Form, "The dialog"), ...ERRORS },
});

const chooseForm = createRoute({
  operationId: "chooseForm",
  method: "post",
  path: "/apps/{appId}/form",
  summary: "The dialog as it stands with what is chosen so far",
  description:
    "The body is the install request as far as it is made: its consents and links count, links omitted while nobody touched them; in `options` its answers, for the differences; of an `upgrade` its version. Gates, rows and counts are answered anew, for the inline consents of targets to be installed too; `request` holds what an install takes. Nothing is changed.",
  request: { params: AppParams, query: ModeQuery, body: defineJsonBody(UpgradeRequest, false) },
  responses: { 200: defineJsonContent(Form, "The dialog"), ...ERRORS },
});

const revealAnswer = createRoute({
  operationId: "revealAnswer",
  method: "post",
  path: "/apps/{appId}/answers/{key}/reveal",
  summary: "Shows one answer the form withholds; the call is logged",
  request: { params: AnswerParams },
  responses: { 200: defineJsonContent(RevealedAnswer, "The answer in clear"), ...ERRORS },
});

const preview = createRoute({
  operationId: "preview",
  method: "post",
  path: "/apps/{appId}/preview",
  summary: "What an install, update or upgrade would do, secrets masked",
  description: "An upgrade is that to the newest version where the body names none of `upgrade.versions`.",
  request: { params: AppParams, query: ModeQuery, body: defineJsonBody(UpgradeRequest, false) },
  responses: { 200: defineJsonContent(Preview, "The resolved plan and its problems"), ...ERRORS },
});

const listActions = createRoute({
  operationId: "listActions",
  method: "get",
  path: "/apps/{appId}/actions",
  summary: "What a person can press on one surface (card by default)",
  request: { params: AppParams, query: ActionsQuery },
  responses: { 200: defineJsonContent(Actions, "Enabled and disabled actions; hidden ones are left out"), ...ERRORS },
});

const runAction = createRoute({
  operationId: "runAction",
  method: "post",
  path: "/apps/{appId}/actions/{hookId}",
  summary: "Presses an action",
  request: { params: ActionParams, body: defineJsonBody(ActionRequest, false) },
  responses: { 202: defineJsonContent(Task, "The task that runs it"), ...ERRORS },
});

const listWidgets = createRoute({
  operationId: "listWidgets",
  method: "get",
  path: "/apps/{appId}/widgets",
  summary: "The app's widgets",
  request: { params: AppParams },
  responses: { 200: defineJsonContent(Widgets, "The widgets that are not hidden, and how each stands"), ...ERRORS },
});

const getWidget = createRoute({
  operationId: "getWidget",
  method: "get",
  path: "/apps/{appId}/widgets/{widgetId}",
  summary: "A widget's newest result",
  request: { params: WidgetParams },
  responses: { 200: defineJsonContent(Widget, "The result, its state and its buttons"), ...ERRORS },
});

/** The route that starts a lifecycle. */
function defineStartRoute<const Lifecycle extends "install" | "update">(lifecycle: Lifecycle) {
  return createRoute({
    operationId: `${lifecycle}App`,
    method: "post",
    path: `/apps/{appId}/${lifecycle}` as const,
    summary: `Starts the ${lifecycle}`,
    request: { params: AppParams, body: defineJsonBody(InstallRequest, false) },
    responses: { 202: defineJsonContent(Task, `The ${lifecycle} task`), ...ERRORS },
  });
}

/** The route that starts, stops or restarts an app. */
function defineSwitchRoute<const Switch extends "start" | "stop" | "restart">(name: Switch, summary: string) {
  return createRoute({
    operationId: `${name}App`,
    method: "post",
    path: `/apps/{appId}/${name}` as const,
    summary,
    request: { params: AppParams },
    responses: { 202: defineJsonContent(Task, `The ${name} task`), ...ERRORS },
  });
}

const upgradeApp = createRoute({
  operationId: "upgradeApp",
  method: "post",
  path: "/apps/{appId}/upgrade",
  summary: "Starts the upgrade",
  request: { params: AppParams, body: defineJsonBody(UpgradeRequest, false) },
  responses: { 202: defineJsonContent(Task, "The upgrade task"), ...ERRORS },
});

const startApp = defineSwitchRoute("start", "Starts an app, and waits until it runs");
const stopApp = defineSwitchRoute("stop", "Stops an app, and waits until it is stopped");
const restartApp = defineSwitchRoute("restart", "Stops an app where it runs, starts it, and waits until it runs");

const uninstallApp = createRoute({
  operationId: "uninstallApp",
  method: "post",
  path: "/apps/{appId}/uninstall",
  summary: "Removes an app from the host; its data, answers and secrets stay unless the body says otherwise",
  request: { params: AppParams, body: defineJsonBody(UninstallRequest, false) },
  responses: { 202: defineJsonContent(Task, "The uninstall task"), ...ERRORS },
});

const previewUninstall = createRoute({
  operationId: "previewUninstall",
  method: "post",
  path: "/apps/{appId}/uninstall/preview",
  summary: "What an uninstall would remove, keep and forget; nothing is changed",
  request: { params: AppParams, body: defineJsonBody(UninstallRequest, false) },
  responses: { 200: defineJsonContent(UninstallPreview, "What goes and what stays"), ...ERRORS },
});

const listSnapshots = createRoute({
  operationId: "listSnapshots",
  method: "get",
  path: "/apps/{appId}/snapshots",
  summary: "What an installed app can be rolled back to, the newest first",
  request: { params: AppParams },
  responses: { 200: defineJsonContent(AppSnapshots, "The snapshots the engine took"), ...ERRORS },
});

const rollbackApp = createRoute({
  operationId: "rollbackApp",
  method: "post",
  path: "/apps/{appId}/rollback",
  summary: "Brings back an app's version, values and own datasets, after a snapshot of the present",
  request: { params: AppParams, body: defineJsonBody(RollbackRequest, false) },
  responses: { 202: defineJsonContent(Task, "The rollback task"), ...ERRORS },
});

const previewRollback = createRoute({
  operationId: "previewRollback",
  method: "post",
  path: "/apps/{appId}/rollback/preview",
  summary: "What a rollback would bring back, and what stays; nothing is changed",
  request: { params: AppParams, body: defineJsonBody(RollbackRequest, false) },
  responses: { 200: defineJsonContent(RollbackPreview, "What goes back and what stays"), ...ERRORS },
});

/** Apps: reading them, their dialogs and surfaces, and starting lifecycles and actions. */
export function addAppRoutes(app: OpenAPIHono, { engine, by }: RouteContext) {
  return app
    .openapi(listApps, async (c) => {
      const { search, installed, upgradable, after, limit } = c.req.valid("query");
      const filter: AppFilter = {
        ...(search !== undefined && { search }),
        ...(installed !== undefined && { installed: installed === "true" }),
        ...(upgradable !== undefined && { upgradable: true }),
      };
      const page = { ...(after !== undefined && { after }), ...(limit !== undefined && { limit }) };
      const apps = await engine.apps({ ...filter, ...page });
      const last = limit === undefined ? undefined : apps.at(-1)?.appId;
      const isLast = last === undefined || (await engine.apps({ ...filter, after: last, limit: 1 })).length === 0;
      return c.json({ apps, ...(!isLast && { next: last }) }, 200, NO_STORE);
    })
    .openapi(getApp, async (c) => {
      const { appId } = c.req.valid("param");
      const found = await engine.app(appId);
      if (found === null) throw createAppUnknownError(appId);
      return c.json(found, 200, NO_STORE);
    })
    .openapi(getForm, async (c) =>
      c.json(await engine.form(c.req.valid("param").appId, c.req.valid("query").mode), 200, NO_STORE),
    )
    .openapi(chooseForm, async (c) =>
      c.json(
        await engine.form(c.req.valid("param").appId, c.req.valid("query").mode, c.req.valid("json")),
        200,
        NO_STORE,
      ),
    )
    .openapi(revealAnswer, async (c) => {
      const { appId, key } = c.req.valid("param");
      return c.json(await engine.revealAnswer(appId, key, by(c)), 200, NO_STORE);
    })
    .openapi(preview, async (c) =>
      c.json(
        await engine.preview(c.req.valid("param").appId, c.req.valid("json"), c.req.valid("query").mode),
        200,
        NO_STORE,
      ),
    )
    .openapi(defineStartRoute("install"), async (c) =>
      c.json(await engine.install(c.req.valid("param").appId, c.req.valid("json"), by(c)), 202, NO_STORE),
    )
    .openapi(upgradeApp, async (c) =>
      c.json(await engine.upgrade(c.req.valid("param").appId, c.req.valid("json"), by(c)), 202, NO_STORE),
    )
    .openapi(defineStartRoute("update"), async (c) =>
      c.json(await engine.update(c.req.valid("param").appId, c.req.valid("json"), by(c)), 202, NO_STORE),
    )
    .openapi(startApp, async (c) => c.json(await engine.startApp(c.req.valid("param").appId, by(c)), 202, NO_STORE))
    .openapi(stopApp, async (c) => c.json(await engine.stopApp(c.req.valid("param").appId, by(c)), 202, NO_STORE))
    .openapi(restartApp, async (c) => c.json(await engine.restartApp(c.req.valid("param").appId, by(c)), 202, NO_STORE))
    .openapi(uninstallApp, async (c) =>
      c.json(await engine.uninstall(c.req.valid("param").appId, c.req.valid("json"), by(c)), 202, NO_STORE),
    )
    .openapi(previewUninstall, async (c) =>
      c.json(await engine.previewUninstall(c.req.valid("param").appId, c.req.valid("json")), 200, NO_STORE),
    )
    .openapi(listSnapshots, async (c) =>
      c.json({ snapshots: await engine.snapshots(c.req.valid("param").appId) }, 200, NO_STORE),
    )
    .openapi(rollbackApp, async (c) =>
      c.json(await engine.rollback(c.req.valid("param").appId, c.req.valid("json"), by(c)), 202, NO_STORE),
    )
    .openapi(previewRollback, async (c) =>
      c.json(await engine.previewRollback(c.req.valid("param").appId, c.req.valid("json")), 200, NO_STORE),
    )
    .openapi(listActions, async (c) => {
      const { surface, file } = c.req.valid("query");
      const selection = file === undefined ? [] : [file].flat();
      return c.json(
        {
          actions: await engine.actions(c.req.valid("param").appId, surface ?? "card", selection),
        },
        200,
        NO_STORE,
      );
    })
    .openapi(runAction, async (c) => {
      const { appId, hookId } = c.req.valid("param");
      return c.json(await engine.runAction(appId, hookId, c.req.valid("json"), by(c)), 202, NO_STORE);
    })
    .openapi(listWidgets, async (c) =>
      c.json({ widgets: await engine.widgets(c.req.valid("param").appId) }, 200, NO_STORE),
    )
    .openapi(getWidget, async (c) => {
      const { appId, widgetId } = c.req.valid("param");
      return c.json(await engine.queryWidget(appId, widgetId), 200, NO_STORE);
    });
}
