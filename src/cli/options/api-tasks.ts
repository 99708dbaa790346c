import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { isCode } from "../../core/codes/code.ts";
import { EngineError } from "../../core/codes/problems.ts";
import type { AuditEntry, Drift, EngineEvent, TaskView } from "../../engine/api.ts";
import { Actor } from "../../engine/audit/actor.ts";
import { NotificationShape } from "../../engine/notification-shapes.ts";
import { isResting } from "../ui/task-text.ts";
import { readEventStream } from "./event-stream.ts";
import { parseJson } from "./parse-json.ts";
import type { Send, SentRequest } from "./prove-service.ts";
import type { TaskService } from "./task-service.ts";

/** Ms between two looks at a running task of another process. */
const LOOK_EVERY_MS = 300;

/** An RFC 9457 body; what stands beside the standard members are the error's details. */
const Refusal = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.string().refine(isCode),
  hint: z.string(),
});

/** The tasks of a running `slipway serve`, over its HTTP interface. */
export function createApiTasks(api: string, send: Send): TaskService {
  if (!/^https?:$/.test(URL.parse(api)?.protocol ?? "")) {
    throw new EngineError("CLI_USAGE", `"${api}" is not the address of a service, e.g. http://127.0.0.1:8765`);
  }
  const base = `${api.replace(/\/$/, "").replace(/\/api$/, "")}/api`;

  const request = (path: string, sent: SentRequest): Promise<Response> => send(`${base}${path}`, sent);

  async function call(method: string, path: string, body?: object): Promise<unknown> {
    const response = await request(path, {
      method,
      ...(body !== undefined && {
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    });
    const document: unknown = await response.json().catch(() => null);
    if (response.ok) return document;
    throw readRefusal(response, document);
  }

  /** Opens a response that is read as it comes. */
  async function open(path: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    const response = await request(path, { method: "GET", signal });
    if (response.ok && response.body !== null) return response.body;
    throw readRefusal(response, await response.json().catch(() => null));
  }

  function readRefusal(response: Response, document: unknown): Error {
    const refusal = Refusal.safeParse(document);
    if (!refusal.success) {
      return new EngineError("CLI_API_FAILED", `"${api}" answered status ${response.status}`, { api });
    }
    // Its error is ours: only the code counts, wherever it was thrown.
    const { type: _type, title: _title, status: _status, hint: _hint, detail, code, ...details } = refusal.data;
    return new EngineError(code, detail, details);
  }

  // The service checks its own responses against the same interface (src/http/schemas/tasks.ts).
  const view = async (method: string, path: string, body?: object): Promise<TaskView> => {
    const document = await call(method, path, body);
    if (isTaskView(document)) return document;
    throw new EngineError("CLI_API_FAILED", `"${api}" answered something that is not a task`, { api });
  };

  async function askTask(id: string): Promise<TaskView | null> {
    try {
      return await view("GET", `/tasks/${encodeURIComponent(id)}`);
    } catch (error) {
      if (error instanceof EngineError && error.code === "TASK_UNKNOWN") return null;
      throw error;
    }
  }

  return {
    async tasks({ appId, states = [], ...filter }) {
      const query = new URLSearchParams();
      for (const state of states) query.append("state", state);
      if (appId !== undefined) query.set("app", appId);
      for (const [name, value] of Object.entries(filter)) query.set(name, String(value));
      const found = TaskPage.safeParse(await call("GET", `/tasks?${query}`));
      if (found.success) return found.data;
      throw new EngineError("CLI_API_FAILED", `"${api}" answered something that is not a list of tasks`, { api });
    },
    async *changes(fromSeq, signal) {
      for await (const { event, data } of readEventStream(await open(`/events?from=${fromSeq}`, signal), signal)) {
        if (event === "stream.opened") continue;
        const change = TaskChange.safeParse(parseJson(data));
        if (change.success) yield change.data;
      }
      if (signal.aborted) return;
      throw new EngineError("CLI_API_FAILED", `"${api}" ended the stream of changes`, { api });
    },
    task: askTask,
    async notifications(unread) {
      const found = NotificationPage.safeParse(await call("GET", `/notifications?unread=${unread}`));
      if (found.success) return found.data.notifications;
      throw new EngineError("CLI_API_FAILED", `"${api}" answered something that is not a list of notifications`, {
        api,
      });
    },
    async audit({ appId, taskId, actorId, ...page }) {
      const query = new URLSearchParams();
      const named = { app: appId, task: taskId, actor: actorId, ...page };
      for (const [name, value] of Object.entries(named)) if (value !== undefined) query.set(name, String(value));
      const found = AuditList.safeParse(await call("GET", `/audit?${query}`));
      if (found.success) return found.data.entries;
      throw new EngineError("CLI_API_FAILED", `"${api}" answered something that is not an audit list`, { api });
    },
    async readNotifications() {
      await call("POST", "/notifications/read");
    },
    async lookForDrift() {
      const found = DriftAnswer.safeParse(await call("POST", "/drift/look"));
      if (found.success) return found.data;
      throw new EngineError("CLI_API_FAILED", `"${api}" answered something that is not drift`, { api });
    },
    input: (id, values, { revision } = {}) =>
      view(
        "POST",
        `/tasks/${encodeURIComponent(id)}/input${revision === undefined ? "" : `?revision=${revision}`}`,
        values,
      ),
    decide: (id, decision, about) => view("POST", `/tasks/${encodeURIComponent(id)}/${decision}`, about),
    async follow(rootId, show, signal) {
      for (;;) {
        const found = await view("GET", `/tasks/${encodeURIComponent(rootId)}`);
        show(found);
        if (isResting(found)) return found;
        await delay(LOOK_EVERY_MS, undefined, { signal });
      }
    },
  };
}

const TaskPage = z.object({ tasks: z.array(z.custom<TaskView>(isTaskView)), seq: z.int() });

const NotificationPage = z.object({ notifications: z.array(NotificationShape) });
/** The service vouches for what stands in an entry. */
const AuditList = z.object({
  entries: z.array(
    z.custom<AuditEntry>(
      (value) => z.looseObject({ number: z.int(), at: z.string(), actor: Actor }).safeParse(value).success,
    ),
  ),
});

/** The lists that are gone through; the service vouches for the rest. */
const DriftAnswer = z.custom<Drift>(
  (value) =>
    z.looseObject({ findings: z.array(z.looseObject({})), skipped: z.array(z.looseObject({})) }).safeParse(value)
      .success,
);

/** The part of a change that is shown; the service vouches for the rest of it. */
const TaskChange = z.custom<EngineEvent>(
  (value) =>
    z.looseObject({ seq: z.int(), taskId: z.string(), type: z.string(), task: z.custom(isTaskView) }).safeParse(value)
      .success,
);

function isTaskView(document: unknown): document is TaskView {
  return typeof document === "object" && document !== null && "id" in document && "state" in document;
}
