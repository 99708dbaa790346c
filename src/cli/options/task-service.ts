import type { Json } from "../../core/json/json.ts";
import type { Decision, Engine, TaskView } from "../../engine/api.ts";

/** What the task commands need of an engine, whether it runs in this process or behind `--api`. */
export interface TaskService {
  tasks(filter: TaskFilter): Promise<readonly TaskView[]>;
  task(id: string): Promise<TaskView | null>;
  input(id: string, values: Readonly<Record<string, Json>>): Promise<TaskView>;
  decide(id: string, decision: Decision): Promise<TaskView>;
  /** Shows a root task at every change until it rests; rejects with the signal's reason when that aborts first. */
  follow(rootId: string, show: (task: TaskView) => void, signal: AbortSignal): Promise<TaskView>;
}

export interface TaskFilter {
  readonly appId?: string;
  readonly unfinished?: boolean;
}

/** The engine of this process as a task service. */
export function engineTasks(engine: Engine): TaskService {
  return {
    tasks: async (filter) => engine.tasks(filter),
    task: async (id) => engine.task(id),
    input: (id, values) => engine.input(id, values),
    decide: (id, decision) => engine[decision](id),
    follow: (rootId, show, signal) => followEngine(engine, rootId, show, signal),
  };
}

async function followEngine(
  engine: Engine,
  rootId: string,
  show: (task: TaskView) => void,
  signal: AbortSignal,
): Promise<TaskView> {
  const rested = new AbortController();
  const showing = (async () => {
    for await (const event of engine.watch(engine.lastSeq(), rested.signal)) {
      const task = event.taskId === rootId ? engine.task(rootId) : null;
      if (task !== null) show(task);
    }
  })();
  try {
    return await engine.settled(rootId, signal);
  } finally {
    rested.abort();
    await showing;
  }
}
