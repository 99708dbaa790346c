import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { UpgradeAllRequest, UpgradePoliciesRequest } from "../../engine/requests.ts";
import { defineJsonBody, defineJsonContent, ERRORS, type RouteContext } from "../context.ts";
import { NO_STORE } from "../problem-details.ts";
import { UpgradeAllPreview, UpgradePoliciesView } from "../schemas/previews.ts";
import { Task } from "../schemas/tasks.ts";

const upgradeAll = createRoute({
  operationId: "upgradeAll",
  method: "post",
  path: "/upgrades",
  summary: "Upgrades every app that has an upgrade, one after another",
  description:
    "Targets of a pairing come before the apps that link to them. What can't be upgraded now is left out, with a mark of the task; 409 `HOST_UPGRADE_NONE` where nothing is left.",
  request: { body: defineJsonBody(UpgradeAllRequest, false) },
  responses: { 202: defineJsonContent(Task, "The task, with an upgrade for each app"), ...ERRORS },
});

const previewUpgradeAll = createRoute({
  operationId: "previewUpgradeAll",
  method: "post",
  path: "/upgrades/preview",
  summary: "The upgrades of all apps in their order, and what would be left out; nothing is changed",
  request: { body: defineJsonBody(UpgradeAllRequest, false) },
  responses: { 200: defineJsonContent(UpgradeAllPreview, "What would run, and what would not"), ...ERRORS },
});

const getPolicies = createRoute({
  operationId: "getUpgradePolicies",
  method: "get",
  path: "/upgrades/policies",
  summary: "When upgrades begin by themselves",
  responses: { 200: defineJsonContent(UpgradePoliciesView, "The policies, and when the next windows open"), ...ERRORS },
});

const setPolicies = createRoute({
  operationId: "setUpgradePolicies",
  method: "put",
  path: "/upgrades/policies",
  summary: "Sets when upgrades begin by themselves, in place of all policies there were",
  description:
    "Times are by the host's clock. 400 `TASK_CRON_INVALID` says at which character they can't be read, 409 `TASK_POLICIES_STALE` that they are not those of `revision` any more.",
  request: { body: defineJsonBody(UpgradePoliciesRequest, true) },
  responses: { 200: defineJsonContent(UpgradePoliciesView, "The policies, and when the next windows open"), ...ERRORS },
});

/** Upgrades of several apps, and when they begin by themselves. */
export function addUpgradeRoutes(app: OpenAPIHono, { engine, by }: RouteContext) {
  return app
    .openapi(upgradeAll, async (c) => c.json(await engine.upgradeAll(c.req.valid("json"), by(c)), 202, NO_STORE))
    .openapi(previewUpgradeAll, async (c) => c.json(await engine.previewUpgradeAll(c.req.valid("json")), 200, NO_STORE))
    .openapi(getPolicies, async (c) => c.json(await engine.upgradePolicies(), 200, NO_STORE))
    .openapi(setPolicies, async (c) =>
      c.json(await engine.setUpgradePolicies(c.req.valid("json"), by(c)), 200, NO_STORE),
    );
}
