import { createRoute } from "@hono/zod-openapi";
import { taskUnknown } from "../../core/codes/common-errors.ts";
import { EngineError } from "../../core/codes/problems.ts";
import type { Decision, Lifecycles, TaskFilter, TaskView } from "../../engine/api.ts";
import { DecisionRequest, InputRequest } from "../../engine/requests.ts";
import { type AddRoutes, ERRORS, json, jsonBody, jsonContent } from "../context.ts";
import { History, HistoryQuery, Log, LogQuery, Task, TaskParams, Tasks, TasksQuery } from "../schemas.ts";

/** Decisions that answer a question of the task. */
const ANSWERS = ["retry", "skip"] as const satisfies readonly Decision[];
/** Decisions about the task itself, whatever it asks. */
const ENDINGS = ["cancel", "dismiss"] as const satisfies readonly Decision[];

const listTasks = createRoute({
  method: "get",
  path: "/tasks",
  summary: "Root tasks, newest first",
  request: { query: TasksQuery },
  responses: { 200: jsonContent(Tasks, "A page of tasks with their children"), ...ERRORS },
});

const getTask = createRoute({
  method: "get",
  path: "/tasks/{id}",
  summary: "One task with its children and checkpoints",
  request: { params: TaskParams },
  responses: { 200: jsonContent(Task, "The task"), ...ERRORS },
});

const getHistory = createRoute({
  method: "get",
  path: "/tasks/{id}/events",
  summary: "What happened to one task, oldest first",
  description: "Of a hook with its checkpoints. Of tasks that ended long ago nothing is kept.",
  request: { params: TaskParams, query: HistoryQuery },
  responses: { 200: jsonContent(History, "A page of the task's changes"), ...ERRORS },
});

const getLog = createRoute({
  method: "get",
  path: "/tasks/{id}/log",
  summary: "The lines a hook's script wrote, secrets masked",
  description: "The newest 1,000 lines are kept, of the 200 task trees that ended last and of those under way.",
  request: { params: TaskParams, query: LogQuery },
  responses: { 200: jsonContent(Log, "The newest lines, oldest first"), ...ERRORS },
});

const giveInput = createRoute({
  method: "post",
  path: "/tasks/{id}/input",
  summary: "Gives a hook in AWAITING_INPUT its inputs",
  description: 'The body is the values by input id, e.g. `{"name": "anna"}`.',
  request: { params: TaskParams, body: jsonBody(InputRequest, true) },
  responses: { 200: jsonContent(Task, "The task after the input"), ...ERRORS },
});

/** Tasks: reading them, and what a person decides about them. */
export const addTaskRoutes: AddRoutes = (app, { engine }) => {
  app.openapi(listTasks, (c) => {
    const { app, unfinished, state, since, before, limit } = c.req.valid("query");
    const filter: TaskFilter = {
      ...(app !== undefined && { appId: app }),
      ...(unfinished !== undefined && { unfinished: unfinished === "true" }),
      ...(state !== undefined && { states: [state].flat() }),
      ...(since !== undefined && { since }),
    };
    const page = { ...(before !== undefined && { before }), ...(limit !== undefined && { limit }) };
    const tasks = engine.tasks({ ...filter, ...page });
    const last = tasks.at(-1)?.id;
    const isLast = last === undefined || engine.tasks({ ...filter, before: last, limit: 1 }).length === 0;
    return json({ tasks, ...(!isLast && { next: last }), seq: engine.lastSeq() });
  });
  app.openapi(getHistory, (c) => {
    const { id } = c.req.valid("param");
    const { from, limit } = c.req.valid("query");
    const events = engine.history(id, {
      ...(from !== undefined && { from }),
      ...(limit !== undefined && { limit }),
    });
    const last = events.at(-1)?.seq;
    const isLast = last === undefined || engine.history(id, { from: last, limit: 1 }).length === 0;
    return json({ events, ...(!isLast && { next: last }) });
  });
  app.openapi(getLog, (c) => {
    const { limit } = c.req.valid("query");
    return json({ lines: engine.log(c.req.valid("param").id, limit === undefined ? {} : { limit }) });
  });
  app.openapi(getTask, (c) => json(taskOf(engine, c.req.valid("param").id)));
  app.openapi(giveInput, async (c) => {
    // The framework reads a body without a type as `{}`, which would be the acceptance of every default.
    if (c.req.header("content-type") === undefined) {
      throw new EngineError(
        "HTTP_BAD_REQUEST",
        'the request has no body; required are values by input id: {"<input id>": <value>}',
      );
    }
    return json(await engine.input(c.req.valid("param").id, c.req.valid("json")));
  });
  for (const decision of ANSWERS) {
    const route = createRoute({
      method: "post",
      path: `/tasks/{id}/${decision}`,
      summary: `A person's decision: ${decision}`,
      description:
        "The body names the question that is answered, as the task showed it; where another is asked by now, the answer is 409 `TASK_DECISION_STALE`. Without a body it is about whatever is asked, by this task or the one under it that waits.",
      request: { params: TaskParams, body: jsonBody(DecisionRequest, false) },
      responses: { 200: jsonContent(Task, "The task after the decision"), ...ERRORS },
    });
    app.openapi(route, async (c) => json(await engine[decision](c.req.valid("param").id, c.req.valid("json"))));
  }
  for (const decision of ENDINGS) {
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
