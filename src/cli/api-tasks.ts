import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { EngineError } from "../core/problems.ts";
import type { TaskView } from "../engine/api.ts";
import type { TaskService } from "./task-service.ts";
import { isResting } from "./task-text.ts";

/** Ms between two looks at a running task of another process. */
const LOOK_EVERY_MS = 300;

const Problem = z.object({ code: z.string(), detail: z.string() });

/** The tasks of a running `slipway serve`, over its HTTP interface. */
export function apiTasks(api: string, token: string | null): TaskService {
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
    const problem = Problem.safeParse(document);
    const said = problem.success ? `${problem.data.code}: ${problem.data.detail}` : `status ${response.status}`;
    throw new EngineError("CLI_API_FAILED", `"${api}" answered ${said}`, {
      api,
      status: response.status,
      problem: document,
    });
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
      if (error instanceof EngineError && error.details["status"] === 404) return null;
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
      return Array.isArray(tasks) ? tasks.filter(isTaskView) : [];
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
