import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { isCode } from "../../core/codes/code.ts";
import { EngineError } from "../../core/codes/problems.ts";
import type { TaskView } from "../../engine/api.ts";
import { isResting } from "../ui/task-text.ts";
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
export function apiTasks(api: string, token: string | null): TaskService {
  if (!/^https?:$/.test(URL.parse(api)?.protocol ?? "")) {
    throw new EngineError("CLI_USAGE", `"${api}" is no address of a service, e.g. http://127.0.0.1:8765`);
  }
  const base = `${api.replace(/\/$/, "").replace(/\/api$/, "")}/api`;

  async function call(method: string, path: string, body?: object): Promise<unknown> {
    let response: Response;
    try {
      response = await fetch(`${base}${path}`, {
        method,
        headers: {
          ...(token !== null && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { "content-type": "application/json" }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    } catch (error) {
      throw new EngineError("CLI_API_FAILED", `"${api}" can't be reached`, { api }, error);
    }
    const document: unknown = await response.json().catch(() => null);
    if (response.ok) return document;
    const refusal = Refusal.safeParse(document);
    if (!refusal.success) {
      throw new EngineError("CLI_API_FAILED", `"${api}" answered status ${response.status}`, { api });
    }
    // Its error is ours: only the code counts, wherever it was thrown.
    const { type: _type, title: _title, status: _status, hint: _hint, detail, code, ...details } = refusal.data;
    throw new EngineError(code, detail, details);
  }

  // The service checks its own responses against the same interface (src/http/schemas.ts).
  const view = async (method: string, path: string, body?: object): Promise<TaskView> => {
    const document = await call(method, path, body);
    if (isTaskView(document)) return document;
    throw new EngineError("CLI_API_FAILED", `"${api}" answered something that is no task`, { api });
  };

  async function task(id: string): Promise<TaskView | null> {
    try {
      return await view("GET", `/tasks/${encodeURIComponent(id)}`);
    } catch (error) {
      if (error instanceof EngineError && error.code === "TASK_UNKNOWN") return null;
      throw error;
    }
  }

  return {
    async tasks({ appId, unfinished }) {
      const query = new URLSearchParams({
        ...(appId !== undefined && { appId }),
        ...(unfinished !== undefined && { unfinished: String(unfinished) }),
      });
      const found = await call("GET", `/tasks?${query}`);
      const tasks = typeof found === "object" && found !== null && "tasks" in found ? found.tasks : null;
      if (Array.isArray(tasks)) return tasks.filter(isTaskView);
      throw new EngineError("CLI_API_FAILED", `"${api}" answered something that is no list of tasks`, { api });
    },
    task,
    input: (id, values) => view("POST", `/tasks/${encodeURIComponent(id)}/input`, values),
    decide: (id, decision) => view("POST", `/tasks/${encodeURIComponent(id)}/${decision}`),
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

function isTaskView(document: unknown): document is TaskView {
  return typeof document === "object" && document !== null && "id" in document && "state" in document;
}
