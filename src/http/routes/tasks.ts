import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { createTaskUnknownError } from "../../core/codes/common-errors.ts";
import { EngineError } from "../../core/codes/problems.ts";
import type { Lifecycles, TaskFilter, TaskView } from "../../engine/api.ts";
import { DecisionRequest, InputRequest } from "../../engine/requests.ts";
import { defineJsonBody, defineJsonContent, ERRORS, type RouteContext } from "../context.ts";
import { NO_STORE } from "../problem-details.ts";
import { History, HistoryQuery } from "../schemas/events.ts";
import { Machines } from "../schemas/system/machines.ts";
import { InputQuery, Log, LogQuery, Task, TaskParams, Tasks, TasksQuery, Trace } from "../schemas/tasks.ts";

const listTasks = createRoute({
  operationId: "listTasks",
  method: "get",
  path: "/tasks",
  summary: "Root tasks, newest first",
  request: { query: TasksQuery },
  responses: { 200: defineJsonContent(Tasks, "A page of tasks with their children"), ...ERRORS },
});

const getTask = createRoute({
  operationId: "getTask",
  method: "get",
  path: "/tasks/{id}",
  summary: "One task with its children and checkpoints",
  request: { params: TaskParams },
  responses: { 200: defineJsonContent(Task, "The task"), ...ERRORS },
});

const getHistory = createRoute({
  operationId: "getHistory",
  method: "get",
  path: "/tasks/{id}/events",
  summary: "What happened to one task, oldest first",
  description: "Of a hook with its checkpoints. Of tasks that ended long ago nothing is kept.",
  request: { params: TaskParams, query: HistoryQuery },
  responses: { 200: defineJsonContent(History, "A page of the task's changes"), ...ERRORS },
});

const getLog = createRoute({
  operationId: "getLog",
  method: "get",
  path: "/tasks/{id}/log",
  summary: "The lines a hook's script wrote, secrets masked",
  description: "The newest 1,000 lines are kept, of the 200 task trees that ended last and of those under way.",
  request: { params: TaskParams, query: LogQuery },
  responses: { 200: defineJsonContent(Log, "The newest lines, oldest first"), ...ERRORS },
});

const getTrace = createRoute({
  operationId: "getTrace",
  method: "get",
  path: "/tasks/{id}/trace",
  summary: "Where a task's machine has been, and is",
  description:
    "Every event that is kept, with the states it led through. Of tasks that ended long ago only where they ended.",
  request: { params: TaskParams, query: HistoryQuery },
  responses: { 200: defineJsonContent(Trace, "The machine, the states it is in, and a page of its way"), ...ERRORS },
});

const listMachines = createRoute({
  operationId: "listMachines",
  method: "get",
  path: "/machines",
  summary: "The machines tasks run on",
  responses: { 200: defineJsonContent(Machines, "Their states and transitions, with their descriptions"), ...ERRORS },
});

const giveInput = createRoute({
  operationId: "giveInput",
  method: "post",
  path: "/tasks/{id}/input",
  summary: "Gives a hook in AWAITING_INPUT its inputs",
  description:
    'The body is the values by input id, e.g. `{"name": "anna"}`. `revision` names the question that is answered, as the task showed it; where another is asked by now, the answer is 409 `TASK_DECISION_STALE`.',
  request: { params: TaskParams, query: InputQuery, body: defineJsonBody(InputRequest, true) },
  responses: { 200: defineJsonContent(Task, "The task after the input"), ...ERRORS },
});

/** The route of a decision that answers a question of the task. */
function defineAnswerRoute<const Answer extends "retry" | "skip">(decision: Answer) {
  return createRoute({
    operationId: `${decision}Task`,
    method: "post",
    path: `/tasks/{id}/${decision}` as const,
    summary: `A person's decision: ${decision}`,
    description:
      "The body names the question that is answered, as the task showed it; where another is asked by now, the answer is 409 `TASK_DECISION_STALE`. Without a body it is about whatever is asked, by this task or the one under it that waits.",
    request: { params: TaskParams, body: defineJsonBody(DecisionRequest, false) },
    responses: { 200: defineJsonContent(Task, "The task after the decision"), ...ERRORS },
  });
}

/** The route of a decision about the task itself, whatever it asks. */
function defineEndingRoute<const Ending extends "cancel" | "dismiss">(decision: Ending) {
  return createRoute({
    operationId: `${decision}Task`,
    method: "post",
    path: `/tasks/{id}/${decision}` as const,
    summary: `A person's decision: ${decision}`,
    request: { params: TaskParams },
    responses: { 200: defineJsonContent(Task, "The task after the decision"), ...ERRORS },
  });
}

/** Tasks: reading them, and what a person decides about them. */
export function addTaskRoutes(app: OpenAPIHono, { engine, by }: RouteContext) {
  return app
    .openapi(listTasks, (c) => {
      const { app, search, unfinished, state, since, before, limit } = c.req.valid("query");
      const filter: TaskFilter = {
        ...(search !== undefined && { search }),
        ...(app !== undefined && { appId: app }),
        ...(unfinished !== undefined && { unfinished: unfinished === "true" }),
        ...(state !== undefined && { states: [state].flat() }),
        ...(since !== undefined && { since }),
      };
      const page = { ...(before !== undefined && { before }), ...(limit !== undefined && { limit }) };
      // The number first: what another process writes between the two reads is told once more, and not missed.
      const { seq, epoch } = engine.eventLog();
      const tasks = engine.tasks({ ...filter, ...page });
      const last = tasks.at(-1)?.id;
      const isLast = last === undefined || engine.tasks({ ...filter, before: last, limit: 1 }).length === 0;
      return c.json({ tasks, ...(!isLast && { next: last }), seq, epoch }, 200, NO_STORE);
    })
    .openapi(getHistory, (c) => {
      const { id } = c.req.valid("param");
      const { from, limit } = c.req.valid("query");
      const events = engine.history(id, {
        ...(from !== undefined && { from }),
        ...(limit !== undefined && { limit }),
      });
      const last = events.at(-1)?.seq;
      const isLast = last === undefined || engine.history(id, { from: last, limit: 1 }).length === 0;
      return c.json({ events, ...(!isLast && { next: last }) }, 200, NO_STORE);
    })
    .openapi(getLog, (c) => {
      const { id } = c.req.valid("param");
      const { before, limit } = c.req.valid("query");
      const lines = engine.log(id, {
        ...(before !== undefined && { before }),
        ...(limit !== undefined && { limit }),
      });
      const oldest = lines[0]?.number;
      const isLast = oldest === undefined || engine.log(id, { before: oldest, limit: 1 }).length === 0;
      return c.json({ lines, ...(!isLast && { next: oldest }) }, 200, NO_STORE);
    })
    .openapi(getTrace, async (c) => {
      const { from, limit } = c.req.valid("query");
      const range = { ...(from !== undefined && { from }), ...(limit !== undefined && { limit }) };
      return c.json(await engine.trace(c.req.valid("param").id, range), 200, NO_STORE);
    })
    .openapi(listMachines, (c) => c.json({ machines: engine.machines() }, 200, NO_STORE))
    .openapi(getTask, (c) => c.json(requireTask(engine, c.req.valid("param").id), 200, NO_STORE))
    .openapi(giveInput, async (c) => {
      // The framework reads a body without a type as `{}`, which would be the acceptance of every default.
      if (c.req.header("content-type") === undefined) {
        throw new EngineError(
          "HTTP_BAD_REQUEST",
          'the request has no body; required are values by input id: {"<input id>": <value>}',
        );
      }
      const { revision } = c.req.valid("query");
      const about = { ...(revision !== undefined && { revision }) };
      return c.json(await engine.input(c.req.valid("param").id, c.req.valid("json"), about, by(c)), 200, NO_STORE);
    })
    .openapi(defineAnswerRoute("retry"), async (c) =>
      c.json(await engine.retry(c.req.valid("param").id, c.req.valid("json"), by(c)), 200, NO_STORE),
    )
    .openapi(defineAnswerRoute("skip"), async (c) =>
      c.json(await engine.skip(c.req.valid("param").id, c.req.valid("json"), by(c)), 200, NO_STORE),
    )
    .openapi(defineEndingRoute("cancel"), async (c) =>
      c.json(await engine.cancel(c.req.valid("param").id, by(c)), 200, NO_STORE),
    )
    .openapi(defineEndingRoute("dismiss"), async (c) =>
      c.json(await engine.dismiss(c.req.valid("param").id, by(c)), 200, NO_STORE),
    );
}

function requireTask(engine: Lifecycles, id: string): TaskView {
  const task = engine.task(id);
  if (task === null) throw createTaskUnknownError(id);
  return task;
}
