/** What a person decides about a task, as the interface takes it. */
import { call, pathOf } from "../api/client.ts";
import type { InputRequest, Task } from "../api/types.ts";

/** What a task may take from a person. */
export type Command = Task["commands"][number];

/**
 * Decides, naming the question as the person saw it: where another is asked by now it is `TASK_DECISION_STALE`. `values` are
 * those of an `input`. Gives the task as it stands then. Throws `ApiError`.
 */
export function decide(api: string, task: Task, command: Command, values?: InputRequest): Promise<Task> {
  if (command === "rollback") {
    const body = { snapshot: task.id };
    return call<Task>(api, pathOf("apps", task.appId, "rollback"), { method: "POST", body });
  }
  const isAnswer = command === "retry" || command === "skip";
  return call<Task>(api, pathOf("tasks", task.id, command), {
    method: "POST",
    ...(command === "input" && { query: { revision: task.revision }, body: values }),
    ...(isAnswer && { body: nameQuestion(task) }),
  });
}

function nameQuestion({ revision, waitingFor }: Task) {
  const detail = waitingFor?.kind === "person" ? waitingFor.detail : undefined;
  const checkpoint = detail !== undefined && "checkpoint" in detail ? detail.checkpoint : undefined;
  return { revision, ...(checkpoint !== undefined && { checkpoint }) };
}
