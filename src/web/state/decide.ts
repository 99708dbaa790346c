/** What a person decides about a task, as the interface takes it. */
import { call, pathOf } from "../api/client.ts";
import type { Task } from "../api/types.ts";

/** What a task may take from a person; `input` comes with answers, by the dialog of inputs. */
export type Command = Task["commands"][number];

/**
 * Decides, naming the question as the person saw it: where another is asked by now it is `TASK_DECISION_STALE`. Throws
 * `ApiError`.
 */
export async function decide(api: string, task: Task, command: Command): Promise<void> {
  const isAnswer = command === "retry" || command === "skip";
  await call<Task>(api, pathOf("tasks", task.id, command), {
    method: "POST",
    ...(isAnswer && { body: nameQuestion(task) }),
  });
}

function nameQuestion({ revision, waitingFor }: Task) {
  const detail = waitingFor?.kind === "person" ? waitingFor.detail : undefined;
  const checkpoint = detail !== undefined && "checkpoint" in detail ? detail.checkpoint : undefined;
  return { revision, ...(checkpoint !== undefined && { checkpoint }) };
}
