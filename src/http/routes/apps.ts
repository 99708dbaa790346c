import { createRoute } from "@hono/zod-openapi";
import { appUnknown } from "../../core/codes/common-errors.ts";
import { ActionRequest, InstallRequest } from "../../engine/requests.ts";
import { type AddRoutes, ERRORS, json, jsonBody, jsonContent } from "../context.ts";
import {
  ActionParams,
  Actions,
  ActionsQuery,
  AnswerParams,
  AppDetail,
  AppParams,
  Apps,
  Form,
  ModeQuery,
  Preview,
  RevealedAnswer,
  Task,
  Widget,
  WidgetParams,
  Widgets,
} from "../schemas.ts";

const LIFECYCLES = ["install", "upgrade", "update"] as const;

const listApps = createRoute({
  method: "get",
  path: "/apps",
  summary: "The catalog's apps, with what the host says of them",
  responses: { 200: jsonContent(Apps, "The apps, by id"), ...ERRORS },
});

const getApp = createRoute({
  method: "get",
  path: "/apps/{appId}",
  summary: "One app with its pairings, suggestions, widgets and problems",
  request: { params: AppParams },
  responses: { 200: jsonContent(AppDetail, "The app"), ...ERRORS },
});

const getForm = createRoute({
  method: "get",
  path: "/apps/{appId}/form",
  summary: "The install or options dialog as data",
  description:
    "A stored password, or a text with one inside, is not shown: its question has `isSet`, and keeps it where the update gives no answer. A generated default is the one used by the install, upgrade or update started within an hour.",
  request: { params: AppParams, query: ModeQuery },
  responses: { 200: jsonContent(Form, "The dialog"), ...ERRORS },
});

const chooseForm = createRoute({
  method: "post",
  path: "/apps/{appId}/form",
  summary: "The install dialog as it stands with the toggles chosen so far",
  description:
    "The body is the install request as far as it is made: its consents and links count, links omitted while nobody touched them. Gates, rows and counts are answered anew, for the inline consents of targets to be installed too; `request` holds what an install takes. Nothing is changed.",
  request: { params: AppParams, query: ModeQuery, body: jsonBody(InstallRequest, false) },
  responses: { 200: jsonContent(Form, "The dialog"), ...ERRORS },
});

const revealAnswer = createRoute({
  method: "post",
  path: "/apps/{appId}/answers/{key}/reveal",
  summary: "Shows one answer the form withholds; the call is logged",
  request: { params: AnswerParams },
  responses: { 200: jsonContent(RevealedAnswer, "The answer in clear"), ...ERRORS },
});

const preview = createRoute({
  method: "post",
  path: "/apps/{appId}/preview",
  summary: "What an install would do, secrets masked",
  request: { params: AppParams, query: ModeQuery, body: jsonBody(InstallRequest, false) },
  responses: { 200: jsonContent(Preview, "The resolved plan and its problems"), ...ERRORS },
});

const listActions = createRoute({
  method: "get",
  path: "/apps/{appId}/actions",
  summary: "What a person can press on one surface (card by default)",
  request: { params: AppParams, query: ActionsQuery },
  responses: { 200: jsonContent(Actions, "Enabled and disabled actions; hidden ones are left out"), ...ERRORS },
});

const runAction = createRoute({
  method: "post",
  path: "/apps/{appId}/actions/{hookId}",
  summary: "Presses an action",
  request: { params: ActionParams, body: jsonBody(ActionRequest, false) },
  responses: { 202: jsonContent(Task, "The task that runs it"), ...ERRORS },
});

const listWidgets = createRoute({
  method: "get",
  path: "/apps/{appId}/widgets",
  summary: "The app's widgets",
  request: { params: AppParams },
  responses: { 200: jsonContent(Widgets, "The widgets that are not hidden, and how each stands"), ...ERRORS },
});

const getWidget = createRoute({
  method: "get",
  path: "/apps/{appId}/widgets/{widgetId}",
  summary: "A widget's newest result",
  request: { params: WidgetParams },
  responses: { 200: jsonContent(Widget, "The result, its state and its buttons"), ...ERRORS },
});

/** Apps: reading them, their dialogs and surfaces, and starting lifecycles and actions. */
export const addAppRoutes: AddRoutes = (app, { engine }) => {
  app.openapi(listApps, async () => json({ apps: await engine.apps() }));
  app.openapi(getApp, async (c) => {
    const { appId } = c.req.valid("param");
    const found = await engine.app(appId);
    if (found === null) throw appUnknown(appId);
    return json(found);
  });
  app.openapi(getForm, async (c) => json(await engine.form(c.req.valid("param").appId, c.req.valid("query").mode)));
  app.openapi(chooseForm, async (c) =>
    json(await engine.form(c.req.valid("param").appId, c.req.valid("query").mode, c.req.valid("json"))),
  );
  app.openapi(revealAnswer, async (c) => {
    const { appId, key } = c.req.valid("param");
    return json(await engine.revealAnswer(appId, key));
  });
  app.openapi(preview, async (c) =>
    json(await engine.preview(c.req.valid("param").appId, c.req.valid("json"), c.req.valid("query").mode)),
  );
  for (const lifecycle of LIFECYCLES) {
    const route = createRoute({
      method: "post",
      path: `/apps/{appId}/${lifecycle}`,
      summary: `Starts the ${lifecycle}`,
      request: { params: AppParams, body: jsonBody(InstallRequest, false) },
      responses: { 202: jsonContent(Task, `The ${lifecycle} task`), ...ERRORS },
    });
    app.openapi(route, async (c) =>
      json(await engine[lifecycle](c.req.valid("param").appId, c.req.valid("json")), 202),
    );
  }
  app.openapi(listActions, async (c) => {
    const { surface, file } = c.req.valid("query");
    const selection = file === undefined ? [] : [file].flat();
    return json({
      actions: await engine.actions(c.req.valid("param").appId, surface ?? "card", selection),
    });
  });
  app.openapi(runAction, async (c) => {
    const { appId, hookId } = c.req.valid("param");
    return json(await engine.runAction(appId, hookId, c.req.valid("json")), 202);
  });
  app.openapi(listWidgets, async (c) => json({ widgets: await engine.widgets(c.req.valid("param").appId) }));
  app.openapi(getWidget, async (c) => {
    const { appId, widgetId } = c.req.valid("param");
    return json(await engine.queryWidget(appId, widgetId));
  });
};
