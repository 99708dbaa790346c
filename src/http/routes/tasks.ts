import { createRoute } from "@hono/zod-openapi";
import { taskUnknown } from "../../core/codes/common-errors.ts";
import { EngineError } from "../../core/codes/problems.ts";
import type { Lifecycles, TaskView } from "../../engine/api.ts";
import { InputRequest } from "../../engine/requests.ts";
import { type AddRoutes, ERRORS, json, jsonBody, jsonContent } from "../context.ts";
import { Task, TaskParams, Tasks, TasksQuery } from "../schemas.ts";

const DECISIONS = ["retry", "skip", "cancel", "dismiss"] as const satisfies readonly (keyof Lifecycles)[];

const listTasks = createRoute({
  method: "get",
  path: "/tasks",
  summary: "Root tasks, newest first",
  request: { query: TasksQuery },
  responses: { 200: jsonContent(Tasks, "The tasks with their children"), ...ERRORS },
});

const getTask = createRoute({
  method: "get",
  path: "/tasks/{id}",
  summary: "One task with its children and checkpoints",
  request: { params: TaskParams },
  responses: { 200: jsonContent(Task, "The task"), ...ERRORS },
});

const giveInput = createRoute({
  method: "post",
  path: "/tasks/{id}/input",
  summary: "Gives a hook in AWAITING_INPUT its inputs",
  request: { params: TaskParams, body: jsonBody(InputRequest, true) },
  responses: { 200: jsonContent(Task, "The task after the input"), ...ERRORS },
});

/** Tasks: reading them, and what a person decides about them. */
export const addTaskRoutes: AddRoutes = (app, { engine }) => {
  app.openapi(listTasks, (c) => {
    const { appId, unfinished } = c.req.valid("query");
    const tasks = engine.tasks({
      ...(appId !== undefined && { appId }),
      ...(unfinished !== undefined && { unfinished: unfinished === "true" }),
    });
    return json({ tasks });
  });
  app.openapi(getTask, (c) => json(taskOf(engine, c.req.valid("param").id)));
  app.openapi(giveInput, async (c) => {
    // The framework reads a body without a type as `{}`, which would be the acceptance of every default.
    if (c.req.header("content-type") === undefined) {
      throw new EngineError("HTTP_BAD_REQUEST", "the request has no body, values by input id are required");
    }
    return json(await engine.input(c.req.valid("param").id, c.req.valid("json")));
  });
  for (const decision of DECISIONS) {
    const route = createRoute({
      method: "post",
      path: `/tasks/{id}/${decision}`,
      summary: `A person's decision: ${decision}`,
      request: { params: TaskParams },
      responses: { 200: jsonContent(Task, "The task after the decision"), ...ERRORS },
    });
    app.openapi(route, async (c) => json(await engine[decision](c.req.valid("param").id)));
  }
};

function taskOf(engine: Lifecycles, id: string): TaskView {
  const task = engine.task(id);
  if (task === null) throw taskUnknown(id);
  return task;
}
