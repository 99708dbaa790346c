import type { By, Decision, Lifecycles } from "../api.ts";
import type { Audit } from "../audit/audit.ts";
import { viewMachine } from "../replay/list-machine.ts";
import { DecisionRequest, HistoryRange, InputRequest, LogRange, readRequest, TaskFilter } from "../requests.ts";
import { watchUnbroken } from "../runtime/watch-unbroken.ts";
import { decide, giveInput } from "./decide.ts";
import type { MethodDeps } from "./deps.ts";
import { listNotifications, readNotification, readNotifications } from "./notifications.ts";
import { listTasks, readHistory, readLog, readTrace } from "./read-tasks.ts";

type TaskMethods = Pick<
  Lifecycles,
  | "tasks"
  | "task"
  | "history"
  | "log"
  | "trace"
  | "machines"
  | "watch"
  | "lastSeq"
  | "eventLog"
  | "notifications"
  | "readNotification"
  | "readNotifications"
  | "settled"
  | "input"
  | "retry"
  | "skip"
  | "cancel"
  | "dismiss"
>;

/** Makes the part of the engine that reads tasks that are there, and has them decided about. */
export function createTaskMethods(deps: MethodDeps, audit: Audit): TaskMethods {
  const { runtime, store, nameOf } = deps;
  const decideBy = (decision: Decision, taskId: string, by: By | undefined, about?: DecisionRequest) =>
    audit.change(decision, { taskId }, by, (deed) =>
      decide({ ...deps, deed }, taskId, decision, readRequest(DecisionRequest, about ?? {})),
    );
  return {
    tasks: (filter = {}) => listTasks(store, readRequest(TaskFilter, filter), nameOf),
    task: (id) => runtime.task(id),
    history: (taskId, range = {}) => readHistory(deps, taskId, readRequest(HistoryRange, range)),
    log: (taskId, range = {}) => readLog(deps, taskId, readRequest(LogRange, range)),
    trace: async (taskId, range = {}) => readTrace(deps, taskId, readRequest(HistoryRange, range)),
    machines: () => Object.values(deps.registry).map(viewMachine),
    watch: (fromSeq, signal) => watchUnbroken(store, runtime, fromSeq, signal),
    lastSeq: () => store.lastSeq(),
    eventLog: () => ({ epoch: store.opened.history, seq: store.lastSeq(), oldest: store.oldestSeq() }),
    notifications: (filter = {}) => listNotifications(store, filter, nameOf),
    readNotification: (id, by) => audit.changeNow("readNotification", by, () => readNotification(deps, id)),
    readNotifications: (by) => audit.changeNow("readNotifications", by, () => readNotifications(deps)),
    settled: (taskId, signal) => runtime.settled(taskId, signal),
    input: (taskId, values, about = {}, by) =>
      audit.change("input", { taskId }, by, (deed) =>
        giveInput({ ...deps, deed }, taskId, readRequest(InputRequest, values), readRequest(DecisionRequest, about)),
      ),
    retry: (taskId, about, by) => decideBy("retry", taskId, by, about),
    skip: (taskId, about, by) => decideBy("skip", taskId, by, about),
    cancel: (taskId, by) => decideBy("cancel", taskId, by),
    dismiss: (taskId, by) => decideBy("dismiss", taskId, by),
  };
}
